"""Exact inner-product search: FAISS, and plain numpy as its reference."""

from __future__ import annotations

from collections.abc import Sequence

import faiss
import numpy as np
from numpy.typing import NDArray

from retrieval.core.ports import Vectors
from retrieval.core.types import EVERYTHING, Selection

Hits = list[tuple[str, float]]


def _hits(ids: Sequence[str], rows: NDArray[np.int64], scores: Vectors, k: int) -> Hits:
    # FAISS pads with row -1; as a Python index that would be the last tool.
    pairs = [(ids[int(r)], round(float(s), 6)) for r, s in zip(rows, scores, strict=True) if r >= 0]
    return sorted(pairs, key=lambda hit: (-hit[1], hit[0]))[:k]


class NumpyStore:
    """Rows in memory; the plainest thing that is right."""

    def __init__(self, ids: Sequence[str], vectors: Vectors) -> None:
        self.ids = tuple(ids)
        self.vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._row = {tool_id: row for row, tool_id in enumerate(self.ids)}

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """The k admitted rows of highest inner product, best first, ties by id."""
        rows = np.array(
            [r for r, tool_id in enumerate(self.ids) if selection.admits(tool_id)], dtype=np.int64
        )
        return _hits(self.ids, rows, self.vectors[rows] @ vector, k)

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products of the ids given, in their order; 0 for an id that is not held."""
        return [float(self.vectors[self._row[i]] @ vector) if i in self._row else 0.0 for i in ids]


class FaissStore(NumpyStore):
    """``IndexFlatIP``: the file is FAISS's own, a filtered search multiplies the kept rows."""

    def __init__(self, ids: Sequence[str], vectors: Vectors) -> None:
        super().__init__(ids, vectors)
        self.index = faiss.IndexFlatIP(self.vectors.shape[1])
        self.index.add(self.vectors)

    @classmethod
    def of(cls, ids: Sequence[str], index: faiss.Index) -> FaissStore:
        """A store round an index read from a file."""
        vectors = index.reconstruct_n(0, index.ntotal)
        return cls(ids, np.asarray(vectors, dtype=np.float32))

    def search(self, vector: Vectors, k: int, selection: Selection = EVERYTHING) -> Hits:
        """As NumpyStore; a few excluded ids are over-fetched, a filter is exact over its rows."""
        if selection.keep is not None:
            held = sorted(self._row[i] for i in selection.keep if i in self._row)
            rows = np.array([r for r in held if selection.admits(self.ids[r])], dtype=np.int64)
            return _hits(self.ids, rows, self.vectors[rows] @ vector, k)
        want = min(self.index.ntotal, k + len(selection.drop) + 1)
        if want == 0:
            return []
        scores, found = self.index.search(np.ascontiguousarray(vector.reshape(1, -1)), want)
        hits = _hits(self.ids, found[0], scores[0], want)
        kept = [hit for hit in hits if selection.admits(hit[0])][:k]
        if kept and want < self.index.ntotal and hits[-1][1] >= kept[-1][1]:
            return super().search(vector, k, selection)  # a tie runs past what FAISS gave
        return kept
