"""The VectorStore suite over cells: exact under a selection, near-exact without one."""

from __future__ import annotations

from inspect import signature

import faiss
import numpy as np
import pytest

import tests.contracts.test_vector_store as suite
from retrieval.core.types import Selection
from retrieval.dense.folder import IndexFolder, IndexMeta, Stored
from retrieval.dense.inverted import InvertedStore, store_for
from retrieval.dense.stores import FaissStore, NumpyStore

globals().update(
    {
        name: test
        for name, test in vars(suite).items()
        if name.startswith("test_") and "kind" in signature(test).parameters
    }
)


class Exact(InvertedStore):
    """The store with every cell read, so that the suite may ask it for exact answers."""

    def __init__(self, ids, vectors):
        if not len(ids):
            index = faiss.IndexIVFFlat(faiss.IndexFlatIP(16), 16, 1, faiss.METRIC_INNER_PRODUCT)
            index.train(np.eye(16, dtype=np.float32))
        else:
            index = InvertedStore.fill(ids, vectors).index
        index.nprobe = index.nlist
        super().__init__(ids, index)


@pytest.fixture
def kind():
    return Exact


def clustered(rows=6_000, dim=24, centres=40, seed=0):
    rng = np.random.default_rng(seed)
    middle = rng.standard_normal((centres, dim))
    made = middle[rng.integers(centres, size=rows)] + 0.6 * rng.standard_normal((rows, dim))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


IDS = [f"t{n:05}" for n in np.random.default_rng(2).permutation(6_000)]
VECTORS = clustered()
STORE = InvertedStore.fill(IDS, VECTORS)
PLAIN = NumpyStore(IDS, VECTORS)


def recall(query, selection):
    truth = PLAIN.search(query, 50, selection)
    found = STORE.search(query, 50, selection)
    assert len(found) == len(truth)
    return np.mean([score >= truth[-1][1] - 1e-5 for _, score in found])


def test_recall_of_50_is_at_least_97_percent_while_few_cells_are_read():
    queries = VECTORS[::300] + 0.05
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    assert np.mean([recall(q, Selection()) for q in queries]) >= 0.97
    assert STORE.index.nprobe <= STORE.index.nlist / 2


@pytest.mark.parametrize("kept", [1, 40, 700, 5_999])
def test_under_any_filter_or_exclusion_recall_is_one(kept):
    rng = np.random.default_rng(kept)
    keep = frozenset(rng.choice(IDS, kept, replace=False).tolist())
    for query in VECTORS[::900]:
        best = [i for i, _ in PLAIN.search(query, 5)]
        drop = frozenset(best[:3])
        for selection in (
            Selection(keep=keep),
            Selection(drop=drop),
            Selection(keep=keep, drop=drop),
        ):
            assert recall(query, selection) == 1.0
            found = {i for i, _ in STORE.search(query, 50, selection)}
            assert all(selection.admits(i) for i in found)


def test_the_size_alone_chooses_the_index():
    assert isinstance(store_for(IDS, VECTORS, large=6_000), FaissStore)
    assert isinstance(store_for(IDS, VECTORS, large=5_999), InvertedStore)


def test_an_index_folder_gives_back_the_cells_and_how_many_are_read(tmp_path):
    meta = IndexMeta(model="m", dim=24, template="t", catalog_sha256="c", ids=tuple(IDS))
    IndexFolder(tmp_path).save(Stored(meta=meta, store=STORE))
    loaded = IndexFolder(tmp_path).load().store
    assert isinstance(loaded, InvertedStore)
    assert loaded.index.nprobe == STORE.index.nprobe
    assert loaded.search(VECTORS[7], 20) == STORE.search(VECTORS[7], 20)
    assert loaded.vectors.tolist() == VECTORS.tolist()
