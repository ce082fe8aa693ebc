"""Ports that a State or several folders of one storey need; others are beside their backends.

``Annotator`` is in ``catalog``, ``VectorStore`` and ``TokenStore`` in ``dense``, ``GraphStore`` in
``graph``, ``PairScorer`` in ``rerank``, ``LanguageModel`` in ``llm``, ``WebBackend`` in ``web``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Texts to L2-normalised float32 rows."""

    @property
    def id(self) -> str:
        """Name of model and weights; an index stores it and is rebuilt when it changes."""
        ...

    @property
    def dim(self) -> int:
        """Number of columns."""
        ...

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """Matrix of shape (texts, dim), in the order of the texts."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """One matrix of shape (word pieces, dim) per text, in the order of the texts."""
        ...


class ModelUsage(Protocol):
    """What language models used for a query."""

    @property
    def calls(self) -> int:
        """Number of calls."""
        ...

    @property
    def ms(self) -> float:
        """Milliseconds of waiting."""
        ...

    def metrics(self) -> dict[str, float]:
        """Calls, tokens, cost and milliseconds by metric name; empty without a call."""
        ...


class ModelBudget(Protocol):
    """A tally of language-model calls with limits; ``retrieval.llm.Budget`` is one."""

    @property
    def used(self) -> ModelUsage:
        """Total usage so far."""
        ...

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """The cost of a number of tokens."""
        ...

    def take(self, tokens_in: int, tokens_out: int) -> str:
        """Reserve one call. Returns "" or the reason for refusing it."""
        ...

    def give_back(self, tokens_in: int, tokens_out: int) -> None:
        """Undo a ``take`` whose call did not happen."""
        ...

    def settle(self, reserved: tuple[int, int], spent: tuple[int, int], ms: float) -> None:
        """Replace reserved tokens (in, out) by those used."""
        ...
