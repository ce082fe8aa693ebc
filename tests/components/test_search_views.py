"""The views of a search: few, the whole answer once, and nothing but small things in the last."""

import json
from types import SimpleNamespace

import pytest
from building import answer, candidate, stage, tool

from components import run
from components.data import Data, Form
from components.run import search

FOUND = [candidate(tool(f"t{n}")) for n in range(3)]
NAMES = ("expand", "fused/dense", "fused/bm25", "fused", "graph", "fit", "rerank")


def engine(*answers, ready=True, language_model=""):
    tools = {one.tool.id: one.tool for one in FOUND}
    return SimpleNamespace(
        stream=lambda *_, **__: iter(answers),
        catalog=tools,
        ready=ready,
        wishes=lambda *_: (),
        language_model=language_model,
    )


def grown():
    """An answer after every stage, and the whole one."""
    lists = [stage(name, *FOUND) for name in NAMES]
    parts = [answer(*lists[: n + 1], done=False) for n in range(len(lists))]
    return [*parts, answer(*lists)]


def views(mode="hybrid", **how):
    return list(search(engine(*grown(), **how), Form(text="find", mode=mode), Data()))


def boards(mode="hybrid", **how):
    return [view["board"] for view in views(mode, **how) if "board" in view]


def test_first_stage_is_painted_and_what_follows_at_once_is_painted_together(monkeypatch):
    assert run.MOMENT_S < 0.2
    monkeypatch.setattr(run, "MOMENT_S", 1e9)
    first, whole = boards()
    assert "pending" in first
    assert "pending" not in whole


@pytest.mark.parametrize("slow", [{"ready": False}, {"language_model": "any"}])
def test_where_the_first_list_may_take_long_an_empty_board_stands_in(slow):
    assert len(boards(**slow)) == len(boards()) + 1
    assert "t0" not in boards(**slow)[0]
    assert "pending" in boards(**slow)[0]


def test_every_stage_is_painted_where_any_may_take_long():
    assert len(boards("agentic")) == len(NAMES) + 1


def test_the_last_view_is_small_and_bears_what_is_no_text():
    *_, whole, last = views()
    assert len(json.loads(whole["graph"])["nodes"]) >= 0
    assert set(last) == {"link", "told", "running"}
    assert last["running"] is False
    assert "link" not in whole


def test_every_view_before_the_last_says_that_the_search_is_running():
    *before, _ = views()
    assert all(view["running"] is True for view in before)


def test_typed_tags_are_told_of_once_the_answer_is_there():
    told = answer(stage("rerank", *FOUND), excluded=("b",))
    *_, whole, last = search(engine(told), Form(text="find [EXCLUDE:b]"), Data())
    assert last["told"] is True
    assert whole["shown"].form.excluded == ("b",)
