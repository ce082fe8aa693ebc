"""Late interaction in which the words that tell the candidates apart count most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Encoder, StageUnavailable, State
from retrieval.dense.port import TokenStore
from retrieval.dense.tokens import TokenFile

Floats = NDArray[np.float64]


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
        """One score a candidate."""
        store = self.tokens()
        if not isinstance(store, TokenFile):
            raise StageUnavailable("the token vectors are not there")
        rows = self.encoder.encode_tokens([self.text(state)])[0]
        best = store.best(rows, [c.tool.id for c in state.candidates]).astype(np.float64)
        if not best.size:
            return np.zeros(len(state.candidates))
        weights = np.maximum(1.0 - best.mean(axis=1), 1e-6)
        return np.asarray(weights @ best / weights.sum(), dtype=np.float64)
