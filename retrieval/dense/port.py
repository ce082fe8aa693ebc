"""The ports behind which stores of vectors stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from retrieval.core import Selection, Vectors


class VectorStore(Protocol):
    """Normalised vectors by id. Hits are exact, best first, ties by id, k clamped to the store."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids in the order of the rows."""
        ...

    def search(
        self, vector: Vectors, k: int, selection: Selection = ...
    ) -> list[tuple[str, float]]:
        """The k admitted ids of highest inner product."""
        ...

    def scores(self, vector: Vectors, ids: Sequence[str]) -> list[float]:
        """Inner products of these ids, in their order."""
        ...


class TokenStore(Protocol):
    """Token vectors by id; MaxSim of a query's token rows (Khattab, Zaharia, SIGIR 2020)."""

    def scores(self, query_tokens: Vectors, ids: Sequence[str]) -> list[float]:
        """One score an id, in the order given."""
        ...
