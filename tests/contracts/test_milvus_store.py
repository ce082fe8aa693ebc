"""The VectorStore suite over Milvus (a milvus-lite file), held to the values of NumpyStore."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import numpy as np
import pytest

import tests.contracts.test_vector_store as suite
from retrieval.core.errors import StageUnavailable
from retrieval.core.types import Selection
from retrieval.dense.folder import IndexFolder
from retrieval.dense.milvus import SPARE, WINDOW, MilvusAddress, MilvusStore, collection_name
from retrieval.dense.stores import NumpyStore
from tests.contracts.milvus_rows import NOBODY, ROOT, exact_rows, installed, named

pytestmark = pytest.mark.process

globals().update(
    {
        name: installed(test)
        for name, test in vars(suite).items()
        if name.startswith("test_") and "kind" in signature(test).parameters
    }
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return MilvusAddress(uri=str(tmp_path_factory.mktemp("milvus") / "vectors.db"))


@pytest.fixture(scope="module")
def filled(address):
    def fill(ids, vectors):
        content = hashlib.sha256("\n".join(ids).encode() + vectors.tobytes()).hexdigest()
        name = collection_name(content, "test", "test")
        return MilvusStore.fill(address, name, ids, vectors, NOBODY)

    return fill


@pytest.fixture
def kind(filled):
    def store_of(ids, vectors):
        store = filled(ids, vectors)
        store.vectors = vectors
        return store

    return store_of


@installed
@pytest.mark.parametrize("seed", range(3))
def test_hits_and_scores_are_those_of_the_plain_backend_to_the_last_digit(filled, seed):
    ids, vectors = named(300, seed), exact_rows(300, seed=seed)
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    assert tuple(store.ids) == plain.ids
    rng = np.random.default_rng(seed)
    for k in (1, 20, 299, 1000):
        query = vectors[rng.integers(300)]
        drop = frozenset(rng.choice(ids, 40, replace=False).tolist()) | {"nobody"}
        keep = frozenset(rng.choice(ids, 60, replace=False).tolist()) | {"nobody"}
        for chosen in (
            Selection(),
            Selection(drop=drop),
            Selection(keep=keep),
            Selection(keep=keep, drop=drop),
        ):
            assert store.search(query, k, chosen) == plain.search(query, k, chosen)
        asked = [*ids[:30], "nobody", ids[3]]
        assert store.scores(query, asked) == plain.scores(query, asked)


@installed
def test_values_over_the_shipped_vectors_are_those_of_the_plain_backend(filled):
    held = IndexFolder(ROOT / "assets" / "index").load()
    ids, vectors = held.meta.ids, held.store.vectors
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    for row in range(0, len(ids), 40):
        drop = Selection(drop=frozenset(ids[row : row + 5]))
        truth = dict(plain.search(vectors[row], len(ids), drop))
        hits, expected = store.search(vectors[row], 50, drop), plain.search(vectors[row], 50, drop)
        assert [s for _, s in hits] == pytest.approx([s for _, s in expected], abs=2e-6)
        assert [s for _, s in hits] == pytest.approx([truth[i] for i, _ in hits], abs=2e-6)
    told = store.scores(vectors[0], ids)
    assert told == pytest.approx(plain.scores(vectors[0], ids), abs=2e-6)


@pytest.fixture(scope="module")
def large(filled):
    """More rows than one answer of Milvus may hold."""
    ids, vectors = named(WINDOW + 2000), exact_rows(WINDOW + 2000, dim=24)
    return filled(ids, vectors), NumpyStore(ids, vectors)


@installed
def test_ids_come_back_whole_and_in_order_over_several_pages(large):
    store, plain = large
    assert tuple(store.ids) == plain.ids


@installed
@pytest.mark.parametrize("kept", [SPARE, WINDOW + 500])
def test_a_large_filter_is_exact_whether_fetched_past_or_split(large, kept):
    store, plain = large
    keep = frozenset(plain.ids[:kept])
    for selection in (Selection(keep=keep), Selection(drop=frozenset(plain.ids) - keep)):
        query = plain.vectors[7]
        assert store.search(query, 40, selection) == plain.search(query, 40, selection)


@installed
def test_a_filter_finds_rows_that_stand_behind_all_that_one_answer_may_hold(large):
    store, plain = large
    query = plain.vectors[7]
    last = frozenset(i for i, _ in plain.search(query, len(plain.ids))[-900:])
    assert store.search(query, 40, Selection(keep=last)) == plain.search(
        query, 40, Selection(keep=last)
    )


@installed
def test_k_is_clamped_to_what_one_answer_may_hold(large):
    store, plain = large
    assert len(store.search(plain.vectors[0], 10**6)) == WINDOW
    assert store.search(plain.vectors[0], 0) == []


@installed
def test_a_tie_wider_than_the_first_fetch_is_cut_by_id(filled):
    ids, vectors = named(500), np.repeat(exact_rows(1), 500, axis=0)
    store = filled(ids, vectors)
    assert [i for i, _ in store.search(vectors[0], 3)] == sorted(ids)[:3]
    drop = Selection(drop=frozenset(sorted(ids)[:3]))
    assert [i for i, _ in store.search(vectors[0], 3, drop)] == sorted(ids)[3:6]


@installed
def test_threads_get_the_same_answers_as_one(filled):
    ids, vectors = named(300), exact_rows(300)
    store, plain = filled(ids, vectors), NumpyStore(ids, vectors)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: store.search(row, 20), vectors[:40]))
    assert found == [plain.search(row, 20) for row in vectors[:40]]


@installed
def test_a_collection_outlives_its_process(tmp_path):
    address = MilvusAddress(uri=str(tmp_path / "new folder" / "vectors.db"))
    ids, vectors = named(50), exact_rows(50)
    code = (
        "import sys; from tests.contracts.test_milvus_store import *;"
        "address, rows = MilvusAddress(uri=sys.argv[1]), exact_rows(50);"
        "MilvusStore.fill(address, 'kept', named(50), rows, NOBODY)"
    )
    subprocess.run([sys.executable, "-c", code, address.uri], check=True, timeout=300, cwd=ROOT)
    store = MilvusStore.open(address, "kept", NOBODY)
    assert store.search(vectors[0], 9) == NumpyStore(ids, vectors).search(vectors[0], 9)


@installed
def test_a_half_written_collection_is_never_read_and_is_written_again(address):
    store = MilvusStore.fill(address, "half_filling", named(3), exact_rows(3), NOBODY)
    assert len(store.ids) == 3
    with pytest.raises(StageUnavailable, match="has no vectors of this catalog; run a sync"):
        MilvusStore.open(address, "half", NOBODY)
    store = MilvusStore.fill(address, "half", named(20), exact_rows(20), NOBODY)
    assert list(store.ids) == named(20)


@installed
def test_a_collection_with_other_ids_is_replaced(address):
    MilvusStore.fill(address, "same_name", named(20), exact_rows(20), NOBODY)
    store = MilvusStore.fill(address, "same_name", ["b", "a"], exact_rows(2), NOBODY)
    assert store.ids == ("b", "a")
    assert store.search(exact_rows(2)[0], 5) == NumpyStore(("b", "a"), exact_rows(2)).search(
        exact_rows(2)[0], 5
    )


def test_a_collection_is_named_by_catalog_model_and_template():
    names = {collection_name(c, m, t) for c in "ab" for m in "ab" for t in "ab"}
    assert len(names) == 8
    assert all(name.isidentifier() and len(name) < 64 for name in names)
