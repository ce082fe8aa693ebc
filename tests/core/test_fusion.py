from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.fusion import min_max, reciprocal_rank_fusion, weighted
from retrieval.core.types import ranked
from tests.fakes import ids, make_candidate


def listed(text):
    return [make_candidate(t, 1 - n / 100) for n, t in enumerate(text.split())]


def scored(table):
    return ranked(make_candidate(t, s) for t, s in table.items())


def test_reciprocal_rank_fusion_gives_the_hand_worked_numbers():
    lists = [("q1", listed("A B C")), ("q2", listed("B D A")), ("q3", listed("A E B"))]
    fused = reciprocal_rank_fusion("rrf", lists)
    told = {c.tool.id: c.score for c in fused}
    assert ids(fused) == ["A", "B", "D", "E", "C"]
    assert told["A"] == pytest.approx(0.04866, abs=1e-5)
    assert told["B"] == pytest.approx(0.04840, abs=1e-5)
    assert told["D"] == told["E"] == pytest.approx(0.01613, abs=1e-5)
    assert told["C"] == pytest.approx(0.01587, abs=1e-5)


def test_fusing_with_an_empty_list_keeps_the_other():
    assert ids(reciprocal_rank_fusion("rrf", [("a", listed("x y")), ("b", [])])) == ["x", "y"]
    assert reciprocal_rank_fusion("rrf", [("a", []), ("b", [])]) == ()
    assert weighted({"a": 1.0})("w", [("a", [])]) == ()


def test_min_max_of_equal_scores_is_one():
    assert min_max([make_candidate("a", 0.3), make_candidate("b", 0.3)]).tolist() == [1.0, 1.0]
    assert min_max([make_candidate("a", -2.0)]).tolist() == [1.0]
    assert min_max([]).tolist() == []


def test_min_max_stretches_onto_zero_to_one():
    unit = min_max(scored({"a": 4.0, "b": 3.0, "c": 2.0}))
    assert unit.tolist() == [1.0, 0.5, 0.0]


def test_weights_go_by_the_last_part_of_the_path():
    lists = [
        ("fused/dense", scored({"a": 1.0, "b": 0.0})),
        ("fused/bm25", scored({"b": 9.0, "a": 0})),
    ]
    fused = weighted({"dense": 0.5, "bm25": 0.3})("fused", lists)
    assert [(c.tool.id, c.score) for c in fused] == [("a", 0.5), ("b", 0.3)]


def test_equal_scores_stand_in_the_order_of_their_ids():
    fused = reciprocal_rank_fusion(
        "rrf", [("p", listed("z")), ("q", listed("a")), ("r", listed("m"))]
    )
    assert ids(fused) == ["a", "m", "z"]


def test_scores_are_rounded_to_six_decimals_before_sorting():
    close = [
        make_candidate("b").scored("s", 0.12345649),
        make_candidate("a").scored("s", 0.12345601),
    ]
    assert [(c.tool.id, c.score) for c in ranked(close)] == [("a", 0.123456), ("b", 0.123456)]


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-5, 5), max_size=8)


@given(st.lists(SCORES, min_size=1, max_size=4), st.booleans())
def test_contributions_add_up_to_the_score(tables, by_rank):
    lists = [(f"s{n}", scored(table)) for n, table in enumerate(tables)]
    weights = {f"s{n}": 0.1 + 0.2 * n for n in range(4)}
    fused = (reciprocal_rank_fusion if by_rank else weighted(weights))("f", lists)
    for candidate in fused:
        shares = [w.value for w in candidate.why if w.kind == "share" and w.stage == "f"]
        assert sum(shares) == pytest.approx(candidate.score, abs=1e-6)


@given(st.lists(SCORES, min_size=1, max_size=4))
def test_a_fused_list_holds_every_tool_once_best_first_with_ties_by_id(tables):
    lists = [(f"s{n}", scored(table)) for n, table in enumerate(tables)]
    fused = reciprocal_rank_fusion("f", lists)
    assert sorted(ids(fused)) == sorted({t for table in tables for t in table})
    assert list(fused) == sorted(fused, key=lambda c: (-c.score, c.tool.id))
