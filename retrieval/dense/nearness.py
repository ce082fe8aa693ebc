"""Dense signals: the cosine of a text of one's own choice, and what near candidates score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, rows_of
from retrieval.core import Encoder, StageUnavailable, State
from retrieval.dense.port import VectorStore
from retrieval.dense.stores import NumpyStore

Floats = NDArray[np.float64]

NEAR = 10
"""So many neighbours of a candidate are looked at."""


@dataclass(frozen=True)
class MeaningSignal:
    """The cosine of each candidate with a text."""

    encoder: Encoder
    store: VectorStore | None
    text: Callable[[State], str]
    name: str = field(default="core meaning")

    def values(self, state: State) -> Floats:
        """One cosine a candidate."""
        if self.store is None:
            raise StageUnavailable("the vectors of this catalog are still being made")
        vector = self.encoder.encode([self.text(state)])[0]
        scores = self.store.scores(vector, [c.tool.id for c in state.candidates])
        return np.array(scores, dtype=np.float64)


class NeighbourSignal:
    """The best incoming score among the nearest other candidates (the cluster hypothesis)."""

    def __init__(self, store: VectorStore | None, name: str = "good neighbours") -> None:
        self.name = name
        self._vectors = store.vectors if isinstance(store, NumpyStore) else None
        self._row = places(store.ids if isinstance(store, NumpyStore) else ())

    def values(self, state: State) -> Floats:
        """One score a candidate; 0 where the store does not hold the vectors itself."""
        values = np.zeros(len(state.candidates))
        every = rows_of(self._row, [c.tool.id for c in state.candidates])
        at = np.flatnonzero(every >= 0)
        if self._vectors is None or len(at) <= NEAR:
            return values
        rows = self._vectors[every[at]]
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, -2.0)
        near = np.argpartition(-np.round(cosines, 5), NEAR, axis=1)[:, :NEAR]
        scores = np.array([c.score for c in state.candidates])[at]
        values[at] = scores[near].max(axis=1)
        return values
