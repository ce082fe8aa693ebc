"""The cut after fusion spares what one list has among its first."""

from __future__ import annotations

from retrieval.core import Column, weighted
from retrieval.wiring.searching import HEAD, sparing
from tests.fakes import make_candidate

MANY = 60


def a_list(name, order):
    return name, tuple(make_candidate(i, float(len(order) - n)) for n, i in enumerate(order))


COMBINE = weighted({"strong": 1.0, "weak": 0.01})
LISTS = [a_list(name, [f"{name[0]}{n:02}" for n in range(MANY)]) for name in ("strong", "weak")]


def fused(limit):
    return sparing(COMBINE, limit)("fused", LISTS)


def test_the_first_of_a_list_that_fusion_buries_stay_before_the_cut():
    first = {c.tool.id for c in fused(limit=30)[:30]}
    assert {f"w{n:02}" for n in range(HEAD)} <= first
    assert {f"s{n:02}" for n in range(20)} <= first


def test_those_that_stay_keep_their_order_and_none_is_lost_or_doubled():
    every = fused(limit=30)
    scores = [c.score for c in every[:30]]
    assert scores == sorted(scores, reverse=True)
    assert len({c.tool.id for c in every}) == len(every) == 2 * MANY


def test_where_nothing_would_be_cut_the_list_is_as_fusion_made_it():
    unspared = COMBINE("fused", LISTS)
    assert [c.tool.id for c in fused(limit=2 * MANY)] == [c.tool.id for c in unspared]


def test_a_list_of_bare_numbers_spares_its_best_too():
    rest = [make_candidate(f"w{n:02}", 0.0) for n in range(MANY)]
    column = Column("weak", rest, [float(n) for n in range(MANY)])
    every = sparing(COMBINE, 30)("fused", [LISTS[0], ("weak", column)])
    assert {f"w{n:02}" for n in range(MANY - HEAD, MANY)} <= {c.tool.id for c in every[:30]}
