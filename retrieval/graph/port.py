"""The port behind which graph stores stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.core import Graph, Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node that expansion met: its score and the edges that brought it, from a seed onward.

    A seed that another seed led to has a score and no path, unless it is required.
    """

    id: str
    score: float
    path: tuple[tuple[str, str, str], ...]


class GraphStore(Protocol):
    """Scored neighbourhood of weighted seeds: every seed's neighbours compete, ties by id.

    Words and excerpts come from memory, so that they cannot fail when they are read later.
    """

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
