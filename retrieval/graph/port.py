"""The port behind which graph stores stand; the excerpts and sentences that stores share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from retrieval.core import Edge, Graph, Node, Selection
from retrieval.graph.build import EDGE_WEIGHTS

Step = tuple[str, str, str]
"""An edge in the direction of the walk: from, kind, to."""

VERBS = {
    "requires_tool": ("needs", "is needed by"),
    "co_used_with": ("is used with", "is used with"),
    "compatible_with": ("works with", "works with"),
    "same_domain": ("resembles", "resembles"),
    "part_of": ("is part of", "includes"),
    "performs": ("offers", "is offered by"),
    "applies_to": ("covers", "is covered by"),
    "images": ("covers", "is covered by"),
    "accepts": ("reads", "is read by"),
    "produces": ("writes", "is written by"),
    "member_of": ("belongs to", "includes"),
    "associated_with": ("is linked to", "is linked to"),
    "is_a": ("is a kind of", "includes"),
}
"""Verbs of each kind of edge: along its direction, and against it."""


class Reached(Struct, frozen=True, kw_only=True):
    """A node that expansion met: its score and the edges that brought it, from a seed onward.

    A seed that another seed led to has a score and no path, unless it is required.
    """

    id: str
    score: float
    path: tuple[Step, ...]


class GraphStore(Protocol):
    """Scored neighbourhood of weighted seeds: every seed's neighbours compete, ties by id.

    Words and excerpts come from memory, so that they cannot fail when they are read later.
    """

    def expand(
        self, seeds: Sequence[tuple[str, float]], hops: int, limit: int, selection: Selection = ...
    ) -> tuple[Reached, ...]:
        """Tools within so many hops, best first, ties by id; at most ``limit`` that are no seeds.

        Seeds are ids with weights; those of 0 or less, and unknown ids, are ignored. Concepts that
        the walk crosses are not in the result.
        """
        ...

    def having(self, concepts: Sequence[str], selection: Selection) -> dict[str, frozenset[str]]:
        """For each concept the admitted tools next to it; none for one that is unknown."""
        ...

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """The drawable part of an expansion."""
        ...

    def words(self, path: Sequence[Step]) -> str:
        """A path in words."""
        ...


class Drawing(ABC):
    """Excerpts and sentences of a store that says what its nodes and edges are."""

    @abstractmethod
    def __contains__(self, node: str) -> bool: ...

    @abstractmethod
    def described(self, node: str) -> tuple[str, str]:
        """Label and kind of a node."""

    @abstractmethod
    def requires(self, node: str) -> Iterable[str]:
        """The tools that a tool requires."""

    @abstractmethod
    def is_along(self, step: Step) -> bool:
        """Whether a step follows the direction of its edge."""

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """Seeds, what was added, the nodes and edges of the paths, prerequisites among them.

        Edges are sorted by source, kind and target; their direction is that of the graph.
        """
        seed_ids = set(seeds)
        added = [one for one in reached if one.id not in seed_ids]
        nodes = {seed: self._node(seed, "seed") for seed in seeds if seed in self}
        nodes |= {one.id: self._node(one.id, "added") for one in added}
        edges: dict[Step, Edge] = {}
        for step in (step for one in added for step in one.path):
            self._draw(step, nodes, edges)
        for tool in sorted(nodes):
            for other in self.requires(tool):
                if other in nodes:
                    self._draw((tool, "requires_tool", other), nodes, edges)
        return Graph(nodes=tuple(nodes.values()), edges=tuple(edges[k] for k in sorted(edges)))

    def _draw(self, step: Step, nodes: dict[str, Node], edges: dict[Step, Edge]) -> None:
        one, kind, other = step
        source, target = (one, other) if self.is_along(step) else (other, one)
        if (source, kind, target) in edges:
            return
        weight = EDGE_WEIGHTS[kind]
        edges[source, kind, target] = Edge(source=source, target=target, kind=kind, weight=weight)
        for end in (source, target):
            if end not in nodes:
                is_tool = self.described(end)[1] == "tool"
                nodes[end] = self._node(end, "added" if is_tool else "link")

    def _node(self, node: str, role: str) -> Node:
        label, kind = self.described(node)
        return Node(id=node, label=label, kind=kind, role=role)  # type: ignore[arg-type]

    def words(self, path: Sequence[Step]) -> str:
        """A path as a sentence that begins at the seed: ``A needs B, which needs C``."""
        return path_words(path, lambda node: self.described(node)[0], self.is_along)


def path_words(
    path: Sequence[Step], label: Callable[[str], str], along: Callable[[Step], bool]
) -> str:
    """The steps as a sentence from the seed; ``along`` tests whether a step follows its edge.

    Empty for a path without steps. Where two steps of one kind go in opposite directions, the
    second reads ``is also``.
    """
    text = label(path[0][0]) if path else ""
    before: tuple[str, bool] | None = None
    for n, step in enumerate(path):
        kind, forward = step[1], along(step)
        verb = VERBS[kind][0 if forward else 1]
        if before == (kind, not forward):
            verb = verb.replace("is ", "is also ", 1)
        text += f"{', which' if n else ''} {verb} {label(step[2])}"
        before = (kind, forward)
    return text
