"""What the rooms need from outside: the seams where backends plug in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.core.deadline import Deadline
from retrieval.core.pages import Page
from retrieval.core.stage import Graph
from retrieval.core.types import Selection

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Texts to L2-normalised rows; ``encode_tokens`` gives one normalised row a word piece."""

    @property
    def id(self) -> str:
        """Name that an index remembers."""
        ...

    @property
    def dim(self) -> int:
        """Width of a row."""
        ...

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """One row a text."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """One matrix a text."""
        ...


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that expansion met: its score and the edges that brought it, from a seed onward.

    A seed that another seed led to has a score and no path, unless it is required.
    """

    id: str
    score: float
    path: tuple[tuple[str, str, str], ...]


class GraphStore(Protocol):
    """Scored neighbourhood of weighted seeds: every seed's neighbours compete, ties by id."""

    @property
    def at_hand(self) -> bool:
        """Whether words and excerpts come from memory, so that they cannot fail later."""
        ...

    def expand(
        self, seeds: Sequence[tuple[str, float]], hops: int, limit: int, selection: Selection = ...
    ) -> tuple[Reached, ...]:
        """Tools within so many hops; at most ``limit`` that are no seeds."""
        ...

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """The drawable part of an expansion."""
        ...

    def words(self, path: Sequence[tuple[str, str, str]]) -> str:
        """A path in words."""
        ...


class PairScorer(Protocol):
    """Relevance of each text to the query, higher is better, in the order given."""

    @property
    def id(self) -> str:
        """The model's name."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        ...


class Annotator(Protocol):
    """Concept ids found in a text, in order of appearance, once each."""

    def concepts(self, text: str) -> tuple[str, ...]:
        """The ids of one text."""
        ...


class LanguageModel(Protocol):
    """Anything that answers a prompt; a JSON schema asks for a structured answer."""

    @property
    def id(self) -> str:
        """The model's name."""
        ...

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The answer's text, within ``seconds`` of wall clock (None: the model's own limit).

        ``images`` are PNG files that go with the prompt. ``meter`` is told the tokens that went
        in and came out. Raises StageUnavailable when there is no answer.
        """
        ...


class WebBackend(Protocol):
    """One search service."""

    @property
    def name(self) -> str:
        """What the answer calls it."""
        ...

    @property
    def host(self) -> str:
        """The machine that is asked, as it is told beforehand."""
        ...

    def search(self, text: str, limit: int, deadline: Deadline = ...) -> tuple[Page, ...]:
        """At most so many hits, best first; raises StageUnavailable with a readable reason."""
        ...
