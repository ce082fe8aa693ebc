"""Tables over the same ids share where each stands."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.catalog.positions import lower_bound, places, rows_of, values_of
from retrieval.lexical.bm25 import Bm25Index
from retrieval.lexical.grams import GramIndex
from tests.fakes import make_tool


def test_tables_with_the_same_ids_in_the_same_order_share_their_places():
    assert places(["a", "b"]) is places(("a", "b"))
    assert places(["b", "a"]) == {"b": 0, "a": 1}


def test_an_unknown_id_has_no_place_and_no_value():
    held = places(["a", "b"])
    assert rows_of(held, ["b", "x", "a"]).tolist() == [1, -1, 0]
    every = np.array([0.25, 0.5], dtype=np.float32)
    assert values_of(every, held, ["b", "x", "a"]).tolist() == [0.5, 0.0, 0.25]
    assert values_of(every[:0], places([]), ["x"]).tolist() == [0.0]


def test_an_index_tells_nothing_of_a_record_it_does_not_hold():
    tools = [make_tool("a", description="segments lungs")]
    for index in (Bm25Index(tools), GramIndex(tools), Bm25Index([]), GramIndex([])):
        assert list(index.scores("segments lungs", ["x"])) == [0.0]
    assert Bm25Index(tools).scores("lungs", ["x", "a"])[1] > 0


@pytest.mark.parametrize("k", [0, 1, 7, 60])
@pytest.mark.parametrize("size", [0, 5, 241, 5_000])
def test_at_least_k_values_reach_the_lower_bound_also_of_values_below_zero(k, size):
    values = np.random.default_rng(k).random(size) - 2.0
    assert (values >= lower_bound(values, k)).sum() >= min(k, size)


def test_few_of_many_values_reach_the_lower_bound_of_a_few():
    values = np.random.default_rng(0).random(5_000)
    assert (values >= lower_bound(values, 5)).sum() < 100
