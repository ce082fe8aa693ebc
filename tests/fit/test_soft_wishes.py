"""A preference orders the tools for the task, and brings up none for something else."""

from __future__ import annotations

import pytest

from retrieval.core import Candidate, Fit, State, Wish
from retrieval.fit import WishStage
from retrieval.fit.wishes.soft import is_soft
from tests.fakes import make_query, make_tool

TOOLS = (
    make_tool("other_task", languages=("R",)),
    make_tool("task", languages=("Python",)),
    make_tool("task_in_r", languages=("R",)),
)


def wish(text, strength="wanted"):
    return Wish(kind="language", value="R", text=text, strength=strength)


def order(asked, *scores, failing=()):
    kind = Fit(fact="modality", verdict="fail", scan="CT", tool="modalities: MRI")
    candidates = tuple(
        Candidate(tool=tool, score=score, fit=(kind,) if tool.id in failing else None)
        for tool, score in zip(TOOLS, scores, strict=False)
    )
    state = State(query=make_query("segment", wishes=(asked,)), candidates=candidates)
    beside = ["" if c.tool.id.startswith("task") else "its tasks: other" for c in candidates]
    result = WishStage({"language": 1.0}, beside=lambda text, ids: beside).run(state)
    return [c.tool.id for c in result.state.candidates]


def test_a_preferred_language_leaves_tools_for_the_task_first():
    assert order(wish("R package preferred"), 0.2, 0.9) == ["task", "other_task"]
    assert order(wish("in R"), 0.2, 0.9) == ["other_task", "task"]


def test_a_tool_for_the_task_that_states_the_preference_comes_first():
    assert order(wish("ideally R"), 0.5, 0.9, 0.1) == ["task_in_r", "task", "other_task"]


def test_a_tool_of_another_kind_of_image_is_none_for_the_task():
    inside = {"failing": ("task_in_r",)}
    assert order(wish("ideally R"), 0.2, 0.9, 0.5, **inside) == ["task", "task_in_r", "other_task"]


def test_a_preference_against_something_hides_nothing():
    assert order(wish("preferably not R", "unwanted"), 0.5, 0.4, 0.3)[0] == "task"
    assert len(order(wish("preferably not R", "unwanted"), 0.5, 0.4, 0.3)) == len(TOOLS)
    assert order(wish("not R", "unwanted"), 0.5, 0.4, 0.3) == ["task"]


@pytest.mark.parametrize(
    "text",
    [
        "R package preferred",
        "preferably in R",
        "R would be nice",
        "in R if possible",
        "am liebsten in R",
        "R wäre schön",
        "de préférence en R",
        "si es posible en R",
        "preferibilmente in R",
        "de preferência em R",
    ],
)
def test_words_of_a_preference_are_soft_in_every_language(text):
    assert is_soft(wish(text))


@pytest.mark.parametrize("text", ["in R", "R package wanted", "R please", "must be in R", "only R"])
def test_other_wishes_are_firm(text):
    assert not is_soft(wish(text))


def test_what_is_required_is_never_soft():
    assert not is_soft(wish("it must be R, if possible", "required"))


@pytest.mark.parametrize(
    ("kind", "value", "first"),
    [
        # Of a licence silence is no no: the tool for the task leads, and a stated no is last.
        ("licence", "permissive", ["stated", "silent", "other_task", "fails"]),
        # What names no host runs in no Fiji: those for Fiji lead, whatever they do.
        ("host", "Fiji", ["stated", "other_task", "silent", "fails"]),
    ],
)
def test_being_for_something_else_costs_as_much_as_silence(kind, value, first):
    states = {"license": "MIT"} if kind == "licence" else {"platforms": ("Fiji",)}
    fails = {"license": "GPL-3.0-only"} if kind == "licence" else {"platforms": ("QuPath",)}
    candidates = (
        Candidate(tool=make_tool("fails", **fails), score=0.9),
        Candidate(tool=make_tool("silent"), score=0.8),
        Candidate(tool=make_tool("other_task", **states), score=0.2),
        Candidate(tool=make_tool("stated", **states), score=0.3),
    )
    beside = ["its tasks: other" if c.tool.id == "other_task" else "" for c in candidates]
    asked = Wish(kind=kind, value=value, text=value, strength="wanted")
    state = State(query=make_query("segment", wishes=(asked,)), candidates=candidates)
    result = WishStage({kind: 1.0}, beside=lambda text, ids: beside).run(state)
    assert [c.tool.id for c in result.state.candidates] == first
