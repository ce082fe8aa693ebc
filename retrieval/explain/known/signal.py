"""A signal of the ranker: how like a request is to judged requests that a record serves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.core import State, read_by
from retrieval.dense import ENCODER
from retrieval.explain.known.requests import KnownRequests


@dataclass(frozen=True)
class JudgedSignal:
    """For each candidate the cosine of the nearest judged request that it serves."""

    known: KnownRequests | None
    text: Callable[[State], str]
    name: str = field(default="judged requests")

    def values(self, state: State) -> NDArray[np.float64]:
        """One cosine per candidate, (candidates,) float64; all equal where none was judged.

        Of a candidate that serves none of the nearest requests it is that of the last of these.
        Raises StageUnavailable while the encoder loads.
        """
        if self.known is None:
            return np.zeros(len(state.candidates))
        best, last = self.known.served_like(read_by(state, ENCODER, self.text(state)))
        return np.array([best.get(c.tool.id, last) for c in state.candidates])
