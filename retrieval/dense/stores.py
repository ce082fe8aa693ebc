"""Exact inner-product search: FAISS, and plain numpy as its reference."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

import faiss
import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import admitted, places, rows_of
from retrieval.core import EVERYTHING, Selection, Vectors

Hits = list[tuple[str, float]]

CACHED_VECTORS = 8
"""Vectors whose hits are cached."""

CACHED_SELECTIONS = 8
"""Selections whose rows are cached: stages of a query share one, 0.8 MB each of 100,000 rows."""

SPARSE = 8
"""Fewer than one row of so many kept: they are copied; else all are multiplied in place."""

MORE = 14
"""Rows beside the k nearest that FAISS gives, so that a tie seldom runs past them."""

INEXACT = 2e-6
"""At most what two ways of adding up a product in float32 differ by, after rounding."""


def hits_of(ids: Sequence[str], rows: NDArray[np.int64], scores: Vectors, k: int) -> Hits:
    """Rows as ids with scores to 6 decimals: the k best, ties by id.

    ``rows`` (n,) are places in ``ids``; -1, with which FAISS pads, is left out. ``scores`` is (n,).
    """
    if len(rows) > 4 * k > 0:
        near = scores >= np.partition(scores, -k)[-k] - 2e-6  # ties after rounding are kept
        rows, scores = rows[near], scores[near]
    # FAISS pads with row -1; as a Python index that would be the last tool.
    pairs = [(ids[int(r)], round(float(s), 6)) for r, s in zip(rows, scores, strict=True) if r >= 0]
    return sorted(pairs, key=lambda hit: (-hit[1], hit[0]))[:k]


def admitted_rows(row_of: Mapping[str, int], selection: Selection) -> NDArray[np.int64]:
    """The rows that a selection admits, (rows,) int64, ascending.

    Ids that the selection names and ``row_of`` lacks are ignored.
    """
    return np.flatnonzero(admitted(row_of, selection))


def _admitted_bits(row_of: Mapping[str, int], selection: Selection) -> NDArray[np.uint8]:
    """Bit n % 8 of byte n // 8 says whether a selection admits row n."""
    return np.packbits(admitted(row_of, selection), bitorder="little")


class NumpyStore:
    """Rows in memory, all multiplied: the reference for other stores."""

    def __init__(self, ids: Sequence[str], vectors: Vectors) -> None:
        self.ids = tuple(ids)
        self.vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._row = places(self.ids)
        self._rows = lru_cache(CACHED_SELECTIONS)(partial(admitted_rows, self._row))

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k admitted ids of highest inner product, to 6 decimals: best first, ties by id.

        ``vector`` is (dim,). Fewer than k hits where the selection admits fewer ids.
        """
        rows = self._rows(selection)
        few = len(rows) * SPARSE <= len(self.ids)
        products = self.vectors[rows] @ vector if few else (self.vectors @ vector)[rows]
        return hits_of(self.ids, rows, products, k)

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products with the vector (dim,) of these ids, in their order; 0 for unknown ids.

        For normalised vectors these are cosines.
        """
        rows = rows_of(self._row, ids)
        scores = np.zeros(len(rows))
        scores[rows >= 0] = self.vectors[rows[rows >= 0]] @ vector
        values: list[float] = scores.tolist()
        return values


class _Memory:
    """The rows of an index as an array's memory; the array keeps the index alive."""

    def __init__(self, index: faiss.IndexFlatIP) -> None:
        self._index = index
        shape = (index.ntotal, index.d)
        if index.ntotal == 0:
            self.__array_interface__ = np.zeros(shape, dtype=np.float32).__array_interface__
            return
        rows = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        self.__array_interface__ = {**rows.__array_interface__, "shape": shape}


class FaissStore(NumpyStore):
    """``IndexFlatIP``: the file is FAISS's own, a filtered search multiplies the rows it admits.

    ``vectors`` is the memory of the index itself: there is one copy of the rows.
    """

    def __init__(self, ids: Sequence[str], vectors: Vectors) -> None:
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        self._hold(ids, index)

    @classmethod
    def of(cls, ids: Sequence[str], index: faiss.IndexFlatIP) -> FaissStore:
        """A store round an index read from a file; the index is shared, not copied.

        ``ids`` are in the order of the index's rows.
        """
        store = cls.__new__(cls)
        store._hold(ids, index)
        return store

    def _hold(self, ids: Sequence[str], index: faiss.IndexFlatIP) -> None:
        super().__init__(ids, np.asarray(_Memory(index)))
        self.index = index
        self._bits = lru_cache(CACHED_SELECTIONS)(partial(_admitted_bits, self._row))
        self._cache: OrderedDict[tuple[bytes, frozenset[str]], Hits] = OrderedDict()

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """As NumpyStore; a few excluded ids are over-fetched, a filter is exact over its rows.

        Hits of the last vectors are cached: a stage that judges a query repeats its search.
        """
        if selection.keep is not None:
            return self._filtered(vector, k, selection)
        key = (vector.tobytes(), selection.drop)
        hits = self._cache.get(key, [])
        if len(hits) < k:
            hits = self._cache[key] = self._nearest(vector, k, selection)
            while len(self._cache) > CACHED_VECTORS:
                self._cache.popitem(last=False)
        return hits[:k]

    def _filtered(self, vector: Vectors, k: int, selection: Selection) -> Hits:
        """As NumpyStore. FAISS passes over the rows left out, where that multiplies all of them.

        Of 100,000 rows it takes 4 ms where an eighth is admitted and 10 where a half is, for 15.
        """
        many, want = len(self._rows(selection)), k + MORE
        if many * SPARSE <= len(self.ids) or many <= want:
            return super().search(vector, k, selection)
        bits = self._bits(selection)
        selector = faiss.IDSelectorBitmap(len(self.ids), faiss.swig_ptr(bits))
        params = faiss.SearchParameters()
        params.sel = selector
        row = np.ascontiguousarray(vector.reshape(1, -1))
        scores, near = self.index.search(row, want, params=params)
        rows = np.sort(near[0])
        hits = hits_of(self.ids, rows, self.vectors[rows] @ vector, k)
        if hits and hits[-1][1] <= scores[0, -1] + INEXACT:
            return super().search(vector, k, selection)  # a tie runs past what FAISS gave
        return hits

    def _nearest(self, vector: Vectors, k: int, selection: Selection) -> Hits:
        want = min(self.index.ntotal, k + len(selection.drop) + 1)
        if want == 0:
            return []
        scores, rows = self.index.search(np.ascontiguousarray(vector.reshape(1, -1)), want)
        hits = hits_of(self.ids, rows[0], scores[0], want)
        admitted = [hit for hit in hits if selection.admits(hit[0])][:k]
        if admitted and want < self.index.ntotal and hits[-1][1] >= admitted[-1][1]:
            return super().search(vector, k, selection)  # a tie runs past what FAISS gave
        return admitted
