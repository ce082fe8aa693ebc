"""Dense signals: the cosine of a chosen text, near candidates, and late interaction by weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import places, rows_of
from retrieval.core import Encoder, StageUnavailable, State, read_by
from retrieval.dense.port import TokenStore, VectorStore
from retrieval.dense.source import ENCODER
from retrieval.dense.stores import NumpyStore
from retrieval.dense.tokens import TokenFile

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
        """One cosine per candidate, (candidates,) float64; 0 for a record without a vector.

        Raises StageUnavailable without an index or a loaded encoder.
        """
        if self.store is None:
            raise StageUnavailable("the vectors of this catalog are still being made")
        vector = self.encoder.encode([read_by(state, ENCODER, self.text(state))])[0]
        scores = self.store.scores(vector, [c.tool.id for c in state.candidates])
        return np.array(scores, dtype=np.float64)


class NeighbourSignal:
    """The best incoming score among the nearest other candidates (the cluster hypothesis)."""

    def __init__(self, store: VectorStore | None, name: str = "good neighbours") -> None:
        self.name = name
        self._vectors = store.vectors if isinstance(store, NumpyStore) else None
        self._row = places(store.ids if isinstance(store, NumpyStore) else ())

    def values(self, state: State) -> Floats:
        """One incoming score per candidate, (candidates,) float64: the best of its NEAR neighbours.

        All 0 where the store does not hold the vectors itself, and where NEAR or fewer candidates
        have one. Cosines are rounded to five decimals before the nearest are chosen.
        """
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


@dataclass(frozen=True)
class PhraseSignal:
    """MaxSim with a weight a query row: how far its best cosines stay from 1 on average.

    A row that every candidate answers well (``a``, ``tool``) tells none from another.
    """

    encoder: Encoder
    tokens: Callable[[], TokenStore | None]
    text: Callable[[State], str]
    name: str = field(default="rare phrases")

    def values(self, state: State) -> Floats:
        """One weighted mean of best cosines per candidate, (candidates,) float64.

        A query row weighs 1 less its mean best cosine over the candidates, at least 1e-6. Raises
        StageUnavailable without a file of token vectors.
        """
        store = self.tokens()
        if not isinstance(store, TokenFile):
            raise StageUnavailable("the token vectors are not there")
        rows = self.encoder.encode_tokens([read_by(state, ENCODER, self.text(state))])[0]
        best = store.best(rows, [c.tool.id for c in state.candidates]).astype(np.float64)
        if not best.size:
            return np.zeros(len(state.candidates))
        weights = np.maximum(1.0 - best.mean(axis=1), 1e-6)
        return np.asarray(weights @ best / weights.sum(), dtype=np.float64)
