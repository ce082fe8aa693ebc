"""Reasons are made when they are looked at, once, and are then as good as a tuple of them."""

from __future__ import annotations

from msgspec.structs import replace

from retrieval.core.fusion import reciprocal_rank_fusion
from retrieval.core.lazy import LazyTuple
from retrieval.core.types import Why
from tests.fakes import make_candidate

WHYS = (
    Why(kind="words", stage="s", text="lungs"),
    Why(kind="share", stage="s", text="", value=0.5),
)


def test_reasons_are_made_at_the_first_look_and_only_once():
    asked = []
    told = LazyTuple(lambda: asked.append(1) or WHYS)
    assert asked == []
    assert told[0] == WHYS[0]
    assert list(told) == list(told[:]) == list(WHYS)
    assert len(told) == 2
    assert asked == [1]


def test_reasons_equal_and_hash_as_the_tuple_of_them():
    told = LazyTuple(lambda: WHYS)
    assert told == WHYS
    assert told == LazyTuple(lambda: WHYS)
    assert told != WHYS[:1]
    assert {told: 1}[WHYS] == 1
    candidate = replace(make_candidate("a"), why=WHYS)
    assert replace(candidate, why=told) == candidate


def test_a_fusion_makes_no_reason_before_anybody_asks():
    made = []
    one = replace(make_candidate("a"), why=LazyTuple(lambda: made.append(1) or WHYS[:1]))
    [found] = reciprocal_rank_fusion("fused", [("dense", [one])])
    assert made == []
    assert [w.kind for w in found.why] == ["words", "share"]
    assert made == [1]
