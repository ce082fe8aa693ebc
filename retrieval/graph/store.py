"""Scored two-hop expansion over networkx: every seed's neighbours compete."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from retrieval.core import EVERYTHING, Selection
from retrieval.graph.port import Drawing, Reached, Step

if TYPE_CHECKING:
    import networkx as nx


class NetworkxStore(Drawing):
    """The reference GraphStore; the walk ignores the direction of edges, the excerpt keeps it."""

    def __init__(self, graph: nx.MultiDiGraph) -> None:
        self.graph = graph
        self._near: dict[str, tuple[tuple[str, str, float], ...]] = {
            node: self._neighbours(node) for node in graph
        }

    def _neighbours(self, node: str) -> tuple[tuple[str, str, float], ...]:
        best: dict[str, tuple[float, str]] = {}
        for one, other, data in (
            *self.graph.out_edges(node, data=True),
            *self.graph.in_edges(node, data=True),
        ):
            # Of several edges to one neighbour the heaviest counts, ties by name of kind.
            far = other if one == node else one
            best[far] = max(best.get(far, (0.0, "")), (data["weight"], data["kind"]))
        return tuple((far, kind, weight) for far, (weight, kind) in sorted(best.items()))

    def is_tool(self, node: str) -> bool:
        """Whether a node is a tool."""
        return node in self.graph and self.graph.nodes[node]["kind"] == "tool"

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """Tools within ``hops`` edges of weighted seeds: best first, ties by id.

        A node passes each neighbour its score times the edge's weight times the damping of
        ``_damp``, so a format that everything reads adds little. A seed scores only through
        other nodes. Prerequisites of seeds take the first places of ``limit``.
        """
        start = {s: w for s, w in seeds if s in self._near and w > 0}
        total: defaultdict[str, float] = defaultdict(float)
        best: dict[str, tuple[float, tuple[Step, ...]]] = dict.fromkeys(start, (0.0, ()))
        front: dict[str, float] = dict(sorted(start.items()))
        for _ in range(hops):
            front = self._hop(front, best, selection)
            for node, score in front.items():
                total[node] += score
        for seed, weight in start.items():
            if hops > 1:
                # The share that a seed would pass back to itself over two edges.
                total[seed] -= weight * sum(
                    w * self._damp(seed, far) * w * self._damp(far, seed)
                    for far, _, w in self._near[seed]
                )
        needed = self._needed(start, selection) if hops else {}
        return self._cut(total, best, needed, start, limit)

    def having(self, concepts: Sequence[str], selection: Selection) -> dict[str, frozenset[str]]:
        """For each concept the admitted tools next to it."""
        return {
            concept: frozenset(
                far
                for far, _, _ in self._near.get(concept, ())
                if self.is_tool(far) and selection.admits(far)
            )
            for concept in concepts
        }

    def _hop(
        self,
        front: dict[str, float],
        best: dict[str, tuple[float, tuple[Step, ...]]],
        selection: Selection,
    ) -> dict[str, float]:
        reached: defaultdict[str, float] = defaultdict(float)
        paths = {node: best[node][1] for node in front}
        for node, score in front.items():
            for far, kind, weight in self._near[node]:
                if self.is_tool(far) and not selection.admits(far):
                    continue
                share = score * weight * self._damp(node, far)
                reached[far] += share
                visited = any(far in (a, b) for a, _, b in paths[node])
                if share > best.get(far, (-1.0, ()))[0] and not visited:
                    best[far] = (share, (*paths[node], (node, kind, far)))
        return dict(sorted(reached.items()))

    def _damp(self, one: str, other: str) -> float:
        """1 / sqrt(1 + degree of the concept); between tools .5 / sqrt(ties of the tool reached).

        A tool is damped by the tools it is tied to and not by the number of its facts.
        """
        if self.is_tool(one) and self.is_tool(other):
            return 0.5 / sqrt(max(1, self.graph.nodes[other]["ties"]))
        hub = other if self.is_tool(one) else one
        return 1.0 / sqrt(1 + len(self._near[hub]))

    def _needed(self, start: dict[str, float], selection: Selection) -> dict[str, Step]:
        steps: dict[str, Step] = {}
        for seed in sorted(start, key=lambda s: (-start[s], s)):
            for target in self.requires(seed):
                if selection.admits(target):
                    steps.setdefault(target, (seed, "requires_tool", target))
        return steps

    def _cut(
        self,
        total: dict[str, float],
        best: dict[str, tuple[float, tuple[Step, ...]]],
        needed: dict[str, Step],
        start: dict[str, float],
        limit: int,
    ) -> tuple[Reached, ...]:
        tools = [n for n in total if self.is_tool(n) and round(total[n], 6) > 0]
        order = sorted(tools, key=lambda n: (-round(total[n], 6), n))
        new = [n for n in order if n not in start]
        first = [n for n in new if n in needed]
        rest = [n for n in new if n not in needed]
        added_ids = {*[*first, *rest][: max(0, limit)]}
        paths = {node: best[node][1] for node in added_ids}
        paths |= {node: (step,) for node, step in needed.items()}
        return tuple(
            Reached(id=node, score=round(total[node], 6), path=paths.get(node, ()))
            for node in order
            if node in added_ids or node in start
        )

    def __contains__(self, node: str) -> bool:
        return node in self.graph

    def described(self, node: str) -> tuple[str, str]:
        """Label and kind of a node."""
        data = self.graph.nodes[node]
        return str(data["label"]), str(data["kind"])

    def requires(self, node: str) -> Iterable[str]:
        """The tools that a tool requires, by id."""
        edges = self.graph.out_edges(node, data="kind")
        return sorted(target for _, target, kind in edges if kind == "requires_tool")

    def is_along(self, step: Step) -> bool:
        """Whether a step follows the direction of its edge."""
        one, kind, other = step
        return bool(self.graph.has_edge(one, other, kind))
