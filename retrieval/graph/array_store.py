"""Scored expansion over arrays: the same values as over networkx, at any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from retrieval.core import EVERYTHING, Edge, Graph, Node, Selection
from retrieval.graph.arrays import KINDS, TOOL, Floats, GraphArrays, Ints
from retrieval.graph.best_paths import Trail, Trails
from retrieval.graph.build import EDGE_WEIGHTS
from retrieval.graph.hops import Hops, Network
from retrieval.graph.path_words import Step, path_words
from retrieval.graph.port import Reached

REQUIRES = KINDS.index("requires_tool")

STEPS = 50_000
"""Steps whose direction is remembered."""


class ArrayStore:
    """A GraphStore whose walk is a handful of array operations a hop."""

    at_hand = True

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self._row = {node: n for n, node in enumerate(arrays.ids)}
        self._network = Network(arrays)
        self._tool = self._network.tool
        self._requires = self._prerequisites()
        self._is_along = lru_cache(maxsize=STEPS)(self._looked_along)

    def _prerequisites(self) -> dict[int, list[int]]:
        at = np.flatnonzero(self.arrays.out.kinds == REQUIRES)
        firsts = np.searchsorted(self.arrays.out.starts, at, side="right") - 1
        held: dict[int, list[int]] = {}
        for one, other in zip(firsts.tolist(), self.arrays.out.ends[at].tolist(), strict=True):
            held.setdefault(one, []).append(other)
        return held

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """As NetworkxStore.expand: best first, ties by id, prerequisites kept first."""
        start = {self._row[s]: w for s, w in seeds if s in self._row and w > 0}
        if hops == 1 and selection.keep is not None and self._is_one_concept(start):
            return self._beside(start, limit, selection)
        barred = self._barred(selection)
        walk = Hops(self._network, start, hops, barred)
        needed = self._needed(start, selection) if hops else {}
        order = self._best(walk.total(start), start, needed, limit)
        new = [row for row, _ in order if row not in start]
        first = [row for row in new if row in needed]
        rest = [row for row in new if row not in needed]
        kept = {*[*first, *rest][: max(0, limit)], *start}
        shown = [(row, score) for row, score in order if row in kept]
        led = [row for row, _ in shown if row not in needed and row not in start]
        paths = Trails(walk).of(np.array(led, dtype=np.int64))
        paths |= self._prerequisite_paths(needed)
        return tuple(
            Reached(id=self.arrays.ids[row], score=score, path=paths.get(row, ()))
            for row, score in shown
        )

    def _is_one_concept(self, start: dict[int, float]) -> bool:
        return len(start) == 1 and not self._tool[next(iter(start))]

    def _beside(
        self, start: dict[int, float], limit: int, selection: Selection
    ) -> tuple[Reached, ...]:
        """Which of the tools kept a concept is beside: looked up, however many it is beside."""
        ((concept, weight),) = start.items()
        near, ids = self.arrays.near, self.arrays.ids
        asked = (self._row.get(i, -1) for i in selection.keep or () if i not in selection.drop)
        rows = np.array(sorted(row for row in asked if row >= 0), dtype=np.int64)
        rows = rows[self._tool[rows]]
        run = near.of(concept)
        at = np.searchsorted(near.ends[run], rows)
        met = np.append(near.ends[run], -1)[at] == rows
        rows, edges = rows[met], run.start + at[met]
        scores = np.round(weight * self.arrays.shares[edges], 6)
        order = np.argsort(-scores, kind="stable")[: max(0, limit)]
        kinds, name = near.kinds[edges], ids[concept]
        return tuple(
            Reached(
                id=ids[rows[n]],
                score=float(scores[n]),
                path=((name, KINDS[kinds[n]], ids[rows[n]]),),
            )
            for n in order.tolist()
            if scores[n] > 0
        )

    def _prerequisite_paths(self, needed: dict[int, int]) -> dict[int, Trail]:
        ids = self.arrays.ids
        return {row: ((ids[seed], "requires_tool", ids[row]),) for row, seed in needed.items()}

    def _barred(self, selection: Selection) -> Ints | None:
        """Rows of the tools that may not be reached."""
        if selection == EVERYTHING:
            return None
        allowed = np.ones(len(self._tool), dtype=bool)
        if selection.keep is not None:
            allowed[self._tool] = False
            allowed[[self._row[i] for i in selection.keep if i in self._row]] = True
        allowed[[self._row[i] for i in selection.drop if i in self._row]] = False
        return np.flatnonzero(~allowed & self._tool)

    def _best(
        self, total: Floats, start: dict[int, float], needed: dict[int, int], limit: int
    ) -> list[tuple[int, float]]:
        """Rows of tools that may be kept, with rounded scores, best first, ties by row."""
        asked = limit + len(start) + len(needed)
        floor = max(lower_bound(total, asked) - 1e-6, 0.0)
        kept = total > floor
        kept[[*start, *needed]] = True
        rows = np.flatnonzero(kept)
        scores = np.round(total[rows], 6)
        order = np.argsort(-scores, kind="stable")
        pairs = zip(rows[order].tolist(), scores[order].tolist(), strict=True)
        return [(row, score) for row, score in pairs if score > 0]

    def _needed(self, start: dict[int, float], selection: Selection) -> dict[int, int]:
        """Rows that a seed requires, with the first seed (by weight, then id) that does."""
        needed: dict[int, int] = {}
        for seed in sorted(start, key=lambda row: (-start[row], row)):
            for end in self._requires.get(seed, ()):
                if selection.admits(self.arrays.ids[end]):
                    needed.setdefault(end, seed)
        return needed

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """Seeds, what was added, the nodes and edges of the paths, prerequisites among them."""
        shown = set(seeds)
        added = [one for one in reached if one.id not in shown]
        nodes = {s: self._node(s, "seed") for s in seeds if s in self._row}
        nodes.update({one.id: self._node(one.id, "added") for one in added})
        edges: dict[Step, Edge] = {}
        for step in (step for one in added for step in one.path):
            self._draw(step, nodes, edges)
        for step in self._required(nodes):
            self._draw(step, nodes, edges)
        return Graph(nodes=tuple(nodes.values()), edges=tuple(edges[k] for k in sorted(edges)))

    def _draw(self, step: Step, nodes: dict[str, Node], edges: dict[Step, Edge]) -> None:
        one, kind, other = step
        source, target = (one, other) if self._is_along(step) else (other, one)
        if (source, kind, target) in edges:
            return
        weight = EDGE_WEIGHTS[kind]
        edges[source, kind, target] = Edge(source=source, target=target, kind=kind, weight=weight)
        for end in (source, target):
            if end not in nodes:
                nodes[end] = self._node(end, "added" if self._is_tool(end) else "link")

    def _required(self, tools: Iterable[str]) -> list[Step]:
        held = set(tools)
        ids = self.arrays.ids
        return [
            (tool, "requires_tool", ids[end])
            for tool in sorted(held)
            for end in self._requires.get(self._row[tool], ())
            if ids[end] in held
        ]

    def _is_tool(self, node: str) -> bool:
        return self.arrays.kinds[self._row[node]] == TOOL

    def _looked_along(self, step: Step) -> bool:
        """Whether a step goes as its edge does; between a tool and a concept that is from it."""
        one, kind, other = step
        if self._is_tool(one) != self._is_tool(other):
            return self._is_tool(one)
        edges = self.arrays.out.of(self._row[one])
        ends = self.arrays.out.ends[edges][self.arrays.out.kinds[edges] == KINDS.index(kind)]
        return bool((ends == self._row[other]).any())

    def _node(self, node: str, role: str) -> Node:
        row = self._row[node]
        label, kind = self.arrays.labels[row], self.arrays.kinds[row]
        return Node(id=node, label=label, kind=kind, role=role)  # type: ignore[arg-type]

    def words(self, path: Sequence[Step]) -> str:
        """A path in words, from the seed on."""
        return path_words(path, lambda node: self.arrays.labels[self._row[node]], self._is_along)


def lower_bound(values: Floats, k: int) -> float:
    """A value that at least k of these reach: the k-th best of the maxima of blocks."""
    blocks = 4 * max(1, k)
    if len(values) < 2 * blocks:
        return 0.0
    size = len(values) // blocks
    best = values[: blocks * size].reshape(blocks, size).max(axis=1)
    return float(np.partition(best, -k)[-k]) if k else 0.0
