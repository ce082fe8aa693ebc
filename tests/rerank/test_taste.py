"""What was chosen and excluded before weighs the list a little, in the open, and never cuts it."""

from __future__ import annotations

import json

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.core.types import Why, ranked
from retrieval.explain.fate import contributions
from retrieval.export.serialise import to_json
from retrieval.rerank.taste import ALIKE, TASTE_MOVED, WEIGHT, Taste, likeness
from tests.fakes import ids, make_candidate, make_state, make_tool, small_engine

FACTS = {
    "a": {"tasks": ("segmentation",)},
    "b": {"tasks": ("segmentation",), "suite": "slicer"},
    "c": {"tasks": ("registration",)},
    "d": {"suite": "slicer"},
    "e": {},
}
LISTED = tuple(
    make_candidate(id, 1.0 - n / 20, **facts) for n, (id, facts) in enumerate(FACTS.items())
)
TOOLS = {c.tool.id: c.tool for c in LISTED}
ENGINE = small_engine()


def told(listed=LISTED, weight=WEIGHT, **query):
    return Taste(TOOLS, weight).run(make_state("x", *listed, path="taste", **query))


def shares(result):
    whys = {c.tool.id: [w for w in c.why if w.kind == "taste"] for c in result.state.candidates}
    return {id: listed[0].value for id, listed in whys.items() if listed}


@pytest.mark.requirement("S1-33")
def test_liked_tools_and_their_like_rise_and_disliked_ones_fall_within_a_bound():
    result = told(weight=1.0, liked=("b",), disliked=("a",))
    span = 0.2
    given = shares(result)
    assert given["b"] == pytest.approx(span)
    assert given["a"] == pytest.approx(-span)
    assert given["d"] == pytest.approx(span * ALIKE / 2)
    assert set(given) == {"a", "b", "d"}
    assert ids(result)[0] == "b"
    assert max(map(abs, given.values())) <= span


@pytest.mark.requirement("S1-33")
def test_nothing_is_left_out_and_what_is_excluded_wins_over_what_is_chosen():
    result = told(weight=1.0, liked=("c", "e"), disliked=("c",))
    assert sorted(ids(result)) == sorted(FACTS)
    assert shares(result)["c"] < 0
    assert ids(result)[-1] == "c"


def test_a_share_is_a_reason_in_words_and_adds_up_to_the_score():
    answer = ENGINE.run("lung", liked=("airways",), disliked=("nodules",))
    seen = set()
    for candidate in answer.candidates:
        parts = contributions(candidate)
        assert sum(p.value for p in parts) == pytest.approx(candidate.score, abs=1e-6)
        assert len(parts) > 1
        seen |= {p.stage for p in parts}
    assert "taste" in seen
    first = answer.candidates[0]
    assert [w.text for w in first.why if w.kind == "taste"] == ["You chose it before"]


def test_without_a_taste_the_list_is_as_it_was_and_no_stage_is_listed():
    result = told()
    assert result.state.candidates == LISTED
    assert not result.listed
    assert "taste" not in [n.name for n in ENGINE.run("lung").result.stages()]


def test_taste_can_be_switched_off_for_a_search_and_says_so():
    with pytest.raises(StageUnavailable, match="switched off"):
        told(liked=("e",), off=frozenset({"taste"}))
    plain, off = ENGINE.run("lung"), ENGINE.run("lung", liked=("airways",), off=("taste",))
    assert [c.score for c in off.candidates] == [c.score for c in plain.candidates]
    node = next(n for n in off.result.walk() if n.name == "taste")
    assert (node.status, node.note) == ("skipped", "switched off for this search")


def test_a_taste_that_changes_no_rank_leaves_no_trace_in_the_list_or_the_export():
    result = told(liked=("a",))
    assert result.metrics == {TASTE_MOVED: 0}
    assert result.state.candidates == LISTED
    text = json.dumps(to_json(ENGINE.run("runs networks", liked=("runner",))))
    told_query = json.loads(text)["query"]
    assert (told_query["liked"], told_query["disliked"]) == ([], [])
    assert "chose it before" not in text


def test_a_tool_that_does_not_fit_the_scan_is_not_lifted_over_those_that_do():
    sunk = make_candidate("z").scored(
        "fit", -0.2, Why(kind="fit", stage="fit", text="", value=-0.4)
    )
    result = told(ranked((*LISTED, sunk)), liked=("z",))
    assert ids(result)[-1] == "z"
    assert len(ids(result)) == len(LISTED) + 1


def test_ties_stand_in_the_order_of_ids_and_the_same_taste_gives_the_same_list():
    equal = tuple(make_candidate(id, 0.5, **facts) for id, facts in FACTS.items())
    once, twice = (told(equal, liked=("b", "c")) for _ in range(2))
    assert ids(once) == ids(twice) == ["b", "c", "a", "d", "e"]


def test_likeness_is_half_suite_and_half_tasks():
    one = make_tool("one", suite="s", tasks=("x", "y"))
    assert likeness(one, make_tool("two", suite="s", tasks=("x", "y"))) == 1.0
    assert likeness(one, make_tool("two", tasks=("x",))) == 0.25
    assert likeness(make_tool("one"), make_tool("two")) == 0.0


def test_the_what_if_question_takes_taste_as_a_lever():
    answer = ENGINE.run("lung", liked=("airways",), disliked=("nodules",))
    moved = {m.id: (m.before, m.after) for m in ENGINE.what_if(answer, "taste").moved}
    assert moved["airways"] == (1, 2)
    assert moved["nodules"] == (2, 1)
