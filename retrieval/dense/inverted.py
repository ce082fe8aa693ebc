"""Search by cells, for more rows than a query should read.

Inverted files over k-means cells (Sivic and Zisserman, ICCV 2003), by FAISS.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import faiss
import numpy as np

from retrieval.catalog import places
from retrieval.core import EVERYTHING, Selection, Vectors
from retrieval.dense.stores import FaissStore, Hits, admitted_rows, hits_of

LARGE = 100_000
"""Rows up to which every query scans all of them."""

RECALL, AT = 0.98, 50
"""Share of the exact 50 best that a query without a filter finds, at the least, on a sample."""
SAMPLE = 200
TRAINED = 64
"""Rows a cell is trained on; more change little and take longer."""


class InvertedStore:
    """``IndexIVFFlat``: the nearest cells without a filter, every kept row under one."""

    def __init__(self, ids: Sequence[str], index: faiss.IndexIVFFlat) -> None:
        self.ids = tuple(ids)
        self.index = index
        self.index.make_direct_map()
        self._row = places(self.ids)

    @classmethod
    def fill(
        cls, ids: Sequence[str], vectors: Vectors, queries: Vectors | None = None
    ) -> InvertedStore:
        """A store of these rows, its cells per query tuned on ``queries`` and on rows.

        ``vectors`` is (rows, dim), in the order of ``ids``. There are 2 * isqrt(rows) cells; as
        many are read per query as SAMPLE rows, and SAMPLE queries where given, need for RECALL.
        """
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        cells = max(1, 2 * isqrt(len(rows)))
        flat = faiss.IndexFlatIP(rows.shape[1])
        index = faiss.IndexIVFFlat(flat, rows.shape[1], cells, faiss.METRIC_INNER_PRODUCT)
        index.cp.max_points_per_centroid = TRAINED
        index.cp.min_points_per_centroid = 1
        index.train(rows)
        index.add(rows)
        samples = [_sample(rows)] if queries is None else [_sample(rows), _sample(queries)]
        index.nprobe = max(probes_needed(index, rows, sample) for sample in samples if len(sample))
        return cls(ids, index)

    @property
    def vectors(self) -> Vectors:
        """Every row, in the order of the ids; a copy."""
        return np.asarray(self.index.reconstruct_n(0, self.index.ntotal), dtype=np.float32)

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k best, ties by id: near-exact over all rows, exact over what a selection keeps.

        ``vector`` is (dim,); scores are inner products to 6 decimals. Without a selection the store
        finds at least RECALL of the exact AT best on its samples.
        """
        if selection == EVERYTHING:
            return self._nearest(vector, k, len(self.ids), _reading(self.index.nprobe))
        rows = admitted_rows(self._row, selection)
        # The search reads the selector's memory: it must stay until the end.
        chosen = faiss.IDSelectorBatch(rows)
        return self._nearest(vector, k, len(rows), _reading(self.index.nlist, chosen))

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products with the vector (dim,) of these ids, in their order; 0 for unknown ids.

        Exact: the rows themselves are read, not the cells.
        """
        present = [i for i in ids if i in self._row]
        if not present:
            return [0.0] * len(ids)
        rows = self.index.reconstruct_batch(
            np.array([self._row[i] for i in present], dtype=np.int64)
        )
        by_id = dict(zip(present, (rows @ vector).tolist(), strict=True))
        return [by_id.get(i, 0.0) for i in ids]

    def _nearest(self, vector: Vectors, k: int, most: int, how: faiss.SearchParameters) -> Hits:
        """Asks again for more while a tie may run past the last hit."""
        want = min(most, k + 1)
        while want > 0:
            query = np.ascontiguousarray(vector.reshape(1, -1), dtype=np.float32)
            scores, rows = self.index.search(query, want, params=how)
            hits = hits_of(self.ids, rows[0], scores[0], want)
            if len(hits) < want or want == most or hits[-1][1] < hits[k - 1][1]:
                return hits[:k]
            want = min(most, 4 * want)
        return []


def _reading(cells: int, chosen: faiss.IDSelector | None = None) -> faiss.SearchParametersIVF:
    how = faiss.SearchParametersIVF()
    how.nprobe = cells
    if chosen is not None:
        how.sel = chosen
    return how


def probes_needed(index: faiss.IndexIVFFlat, rows: Vectors, queries: Vectors) -> int:
    """The fewest cells, by doubling from 4, that reach RECALL over the queries; all of them else.

    ``rows`` and ``queries`` are (n, dim) float32. A hit counts where its score is within 1e-6 of
    the exact k-th, k = min(AT, rows), so that ties do not lower the share.
    """
    k = min(AT, len(rows))
    exact = faiss.knn(queries, rows, k, metric=faiss.METRIC_INNER_PRODUCT)[0][:, -1:]
    probes = 4
    while probes < index.nlist:
        scores, _ = index.search(queries, k, params=_reading(probes))
        # A row as near as the k-th counts, whichever of several it is.
        if float((scores >= exact - 1e-6).mean()) >= RECALL:
            return probes
        probes = min(2 * probes, index.nlist)
    return int(index.nlist)


def _sample(rows: Vectors) -> Vectors:
    chosen = np.random.default_rng(0).choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    return np.ascontiguousarray(rows[np.sort(chosen)], dtype=np.float32)


FileStore = FaissStore | InvertedStore
"""What an index folder holds: a store that is a FAISS file."""


def store_for(
    ids: Sequence[str], vectors: Vectors, queries: Vectors | None = None, large: int = LARGE
) -> FileStore:
    """An exact scan up to ``large`` rows, cells above; ``queries`` are of the kind to come."""
    if len(ids) <= large:
        return FaissStore(ids, vectors)
    return InvertedStore.fill(ids, vectors, queries)


def store_of(ids: Sequence[str], index: faiss.Index) -> FileStore:
    """The store round an index that was read from a file. Raises ValueError for another kind."""
    if isinstance(index, faiss.IndexIVFFlat):
        return InvertedStore(ids, index)
    if isinstance(index, faiss.IndexFlatIP):
        return FaissStore.of(ids, index)
    raise ValueError(f"an index of the kind {type(index).__name__} was not written here")
