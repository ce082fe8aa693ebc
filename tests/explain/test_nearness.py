"""Which records are called nearest where none states all of a request."""

from __future__ import annotations

from retrieval.explain.gaps import GapJudge
from retrieval.explain.nearness import nearest_of
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

SMALL = (
    make_tool("atria", description="Heart.", tasks=("segmentation",), anatomy=("heart",)),
    make_tool("finder", description="Finds mitoses.", tasks=("object detection",)),
)


def shared(text):
    judge: GapJudge = gap_judge(SMALL)
    return judge.judge(text).shared


def test_the_first_of_the_list_stand_first_unless_another_shares_far_more():
    assert nearest_of(["a", "b"], ["c"], {"a": 4, "b": 4, "c": 6})[:2] == ("a", "b")
    assert nearest_of(["a", "b"], ["c"], {"a": 4, "b": 4, "c": 8}) == ("c",)


def test_what_shares_a_general_word_alone_is_no_leader_of_the_nearest():
    assert nearest_of(["a"], ["b"], {"a": 2, "b": 4}) == ("b",)


def test_only_what_shares_as_much_as_the_best_or_but_a_task_less_is_near():
    assert nearest_of([], ["a", "b", "c"], {"a": 3, "b": 5, "c": 4}) == ("b", "c")


def test_where_nothing_is_shared_nothing_is_near():
    assert nearest_of(["a"], ["b"], {}) == ()


def test_who_detects_other_things_is_not_near_to_detecting_an_unknown_one():
    assert shared("bark beetle detection") == {}
    assert shared("heart beetle detection").keys() == {"atria"}
