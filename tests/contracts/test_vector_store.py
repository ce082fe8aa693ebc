"""One suite for every VectorStore; the plain backend is NumpyStore."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.core.types import EVERYTHING, Selection
from retrieval.dense.stores import FaissStore, NumpyStore

BACKENDS = {"numpy": NumpyStore, "faiss": FaissStore}


@pytest.fixture(params=BACKENDS)
def kind(request):
    return BACKENDS[request.param]


def unit(rows):
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def random_store(kind, n=200, dim=16):
    rng = np.random.default_rng(7)
    return kind([f"t{i:03}" for i in rng.permutation(n)], unit(rng.standard_normal((n, dim))))


QUERY = unit(np.random.default_rng(1).standard_normal((1, 16)))[0]


def test_scores_are_inner_products(kind):
    store = random_store(kind)
    for tool_id, score in store.search(QUERY, 50):
        row = store.vectors[store.ids.index(tool_id)]
        assert score == pytest.approx(float(row.astype(np.float64) @ QUERY), abs=1e-5)


def test_the_best_come_first_and_no_better_one_is_missing(kind):
    store = random_store(kind)
    hits = store.search(QUERY, 20)
    every = np.sort(store.vectors @ QUERY)[::-1][:20]
    assert [s for _, s in hits] == pytest.approx(every.tolist(), abs=1e-5)


@pytest.mark.parametrize("k", [1, 199, 200, 201, 10_000])
def test_k_is_clamped_and_no_id_comes_twice(kind, k):
    found = [i for i, _ in random_store(kind).search(QUERY, k)]
    assert len(found) == len(set(found)) == min(k, 200)


def test_excluded_ids_are_absent_and_make_room(kind):
    store = random_store(kind)
    best = [i for i, _ in store.search(QUERY, 30)]
    drop = Selection(drop=frozenset(best[:10]))
    assert [i for i, _ in store.search(QUERY, 20, drop)] == best[10:]


@pytest.mark.parametrize("kept", [0, 1, 7, 100])
def test_a_filter_is_exact_over_the_rows_it_keeps(kind, kept):
    store = random_store(kind)
    keep = frozenset(sorted(store.ids)[:kept])
    full = [i for i, _ in store.search(QUERY, 200) if i in keep]
    assert [i for i, _ in store.search(QUERY, 50, Selection(keep=keep))] == full[:50]
    both = Selection(keep=keep, drop=frozenset(full[:2]))
    assert [i for i, _ in store.search(QUERY, 50, both)] == full[2:52]


def test_ties_stand_in_the_order_of_ids_also_where_the_list_is_cut(kind):
    same = np.repeat(unit(np.ones((1, 4))), 9, axis=0)
    store = kind(list("ihgfedcba"), same)
    query = np.full(4, 0.5, dtype=np.float32)
    for k in (1, 3, 8, 9):
        assert [i for i, _ in store.search(query, k)] == list("abcdefghi")[:k]
    assert [i for i, _ in store.search(query, 2, Selection(drop=frozenset("ab")))] == ["c", "d"]


def test_scores_of_named_ids_come_in_their_order_and_unknown_ones_are_nought(kind):
    store = random_store(kind)
    truth = dict(store.search(QUERY, 200))
    told = store.scores(QUERY, ["t005", "nobody", "t001", "t005"])
    assert told == pytest.approx([truth["t005"], 0.0, truth["t001"], truth["t005"]], abs=1e-5)
    assert store.scores(QUERY, []) == []


def test_the_same_vector_asked_again_for_fewer_or_more_gives_what_it_gives_anew(kind):
    store, drop = random_store(kind), Selection(drop=frozenset({"t003", "t100"}))
    for k, selection in ((5, EVERYTHING), (50, EVERYTHING), (10, EVERYTHING), (10, drop)):
        found = store.search(QUERY, k, selection)
        assert found == random_store(kind).search(QUERY, k, selection)
        found.clear()


def test_an_empty_store_finds_nothing(kind):
    store = kind([], np.zeros((0, 16), dtype=np.float32))
    assert store.search(QUERY, 5) == []
    assert store.search(QUERY, 5, Selection(keep=frozenset({"a"}))) == []


GRID = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=3, max_size=3)


@pytest.mark.parametrize("backend", [b for b in BACKENDS if b != "numpy"])
@settings(max_examples=80, deadline=None)
@given(
    rows=st.lists(GRID, min_size=1, max_size=12),
    query=GRID,
    k=st.integers(1, 14),
    cut=st.sets(st.integers(0, 11)),
)
def test_hits_are_those_of_the_plain_backend(backend, rows, query, k, cut):
    ids = [f"t{n}" for n in range(len(rows))][::-1]
    vectors, vector = np.array(rows, dtype=np.float32), np.array(query, dtype=np.float32)
    drop = frozenset(f"t{n}" for n in cut)
    for selection in (EVERYTHING, Selection(drop=drop), Selection(keep=drop)):
        plain = NumpyStore(ids, vectors).search(vector, k, selection)
        assert BACKENDS[backend](ids, vectors).search(vector, k, selection) == plain
