"""Scored expansion over CSR arrays; values equal those of NetworkxStore."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from retrieval.core import EVERYTHING, Edge, Graph, Node, Selection
from retrieval.graph.arrays import KINDS, TOOL, Floats, GraphArrays, Ints
from retrieval.graph.best_paths import Trails
from retrieval.graph.build import EDGE_WEIGHTS
from retrieval.graph.hops import Hops, Network
from retrieval.graph.path_words import Step, path_words
from retrieval.graph.port import Reached

REQUIRES = KINDS.index("requires_tool")

STEPS = 50_000
"""Size of the cache of step directions."""


class ArrayStore:
    """A GraphStore whose walk takes a few array operations per hop."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self._row = {node: n for n, node in enumerate(arrays.ids)}
        self._network = Network(arrays)
        self._tool = self._network.tool
        self._requires = self._required_rows()
        self._is_along = lru_cache(maxsize=STEPS)(self._compute_along)

    def _required_rows(self) -> dict[int, list[int]]:
        """Row of a tool to the rows that it requires."""
        at = np.flatnonzero(self.arrays.out.kinds == REQUIRES)
        firsts = np.searchsorted(self.arrays.out.starts, at, side="right") - 1
        required: dict[int, list[int]] = {}
        for one, other in zip(firsts.tolist(), self.arrays.out.ends[at].tolist(), strict=True):
            required.setdefault(one, []).append(other)
        return required

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """As NetworkxStore.expand: best first, ties by id; prerequisites survive the cut first.

        Scores are float64 rounded to six digits, as there. Ids outside the graph are ignored.
        """
        start = {self._row[s]: w for s, w in seeds if s in self._row and w > 0}
        lone = len(start) == 1 and not self._tool[next(iter(start))]
        if hops == 1 and selection.keep is not None and lone:
            return self._beside(start, limit, selection)
        barred = self._barred(selection)
        walk = Hops(self._network, start, hops, barred)
        needed = self._needed(start, selection) if hops else {}
        order = self._best(walk.total(start), start, needed, limit)
        new = [row for row, _ in order if row not in start]
        first = [row for row in new if row in needed]
        rest = [row for row in new if row not in needed]
        chosen = {*[*first, *rest][: max(0, limit)], *start}
        shown = [(row, score) for row, score in order if row in chosen]
        led = [row for row, _ in shown if row not in needed and row not in start]
        paths = Trails(walk).of(np.array(led, dtype=np.int64))
        ids = self.arrays.ids
        for row, seed in needed.items():
            paths[row] = ((ids[seed], "requires_tool", ids[row]),)
        return tuple(
            Reached(id=ids[row], score=score, path=paths.get(row, ())) for row, score in shown
        )

    def _beside(
        self, start: dict[int, float], limit: int, selection: Selection
    ) -> tuple[Reached, ...]:
        """The selected tools next to one concept: one look-up per tool, at any degree."""
        ((concept, weight),) = start.items()
        near, ids = self.arrays.near, self.arrays.ids
        candidates = (self._row.get(i, -1) for i in selection.keep or () if i not in selection.drop)
        rows = np.array(sorted(row for row in candidates if row >= 0), dtype=np.int64)
        rows = rows[self._tool[rows]]
        run = near.of(concept)
        at = np.searchsorted(near.ends[run], rows)
        # The appended -1 equals no row; searchsorted returns its index past the end.
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

    def _barred(self, selection: Selection) -> Ints | None:
        """Rows (int64, ascending) of the tools outside the selection; None where all are in."""
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
        """Rows of candidates for the result with rounded scores, best first, ties by row."""
        most = limit + len(start) + len(needed)
        # Scores are rounded to six digits, so ties may lie that far below the bound.
        floor = max(lower_bound(total, most) - 1e-6, 0.0)
        mask = total > floor
        mask[[*start, *needed]] = True
        rows = np.flatnonzero(mask)
        scores = np.round(total[rows], 6)
        order = np.argsort(-scores, kind="stable")
        pairs = zip(rows[order].tolist(), scores[order].tolist(), strict=True)
        return [(row, score) for row, score in pairs if score > 0]

    def _needed(self, start: dict[int, float], selection: Selection) -> dict[int, int]:
        """Rows that seeds require, each with the first seed (by weight, then row) that does."""
        needed: dict[int, int] = {}
        for seed in sorted(start, key=lambda row: (-start[row], row)):
            for end in self._requires.get(seed, ()):
                if selection.admits(self.arrays.ids[end]):
                    needed.setdefault(end, seed)
        return needed

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """Seeds, what was added, the nodes and edges of the paths, prerequisites among them.

        Edges are sorted by source, kind and target; their direction is that of the graph.
        """
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
        ids_shown = set(tools)
        ids = self.arrays.ids
        return [
            (tool, "requires_tool", ids[end])
            for tool in sorted(ids_shown)
            for end in self._requires.get(self._row[tool], ())
            if ids[end] in ids_shown
        ]

    def _is_tool(self, node: str) -> bool:
        return self.arrays.kinds[self._row[node]] == TOOL

    def _compute_along(self, step: Step) -> bool:
        """Whether a step follows its edge; one between tool and concept starts at the tool."""
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
        """A path as a sentence that begins at the seed."""
        return path_words(path, lambda node: self.arrays.labels[self._row[node]], self._is_along)


def lower_bound(values: Floats, k: int) -> float:
    """A value that at least ``k`` of the (n,) values reach: the k-th largest block maximum.

    Cheaper than a partition of all values; 0.0 for fewer than 8 k values.
    """
    blocks = 4 * max(1, k)
    if len(values) < 2 * blocks:
        return 0.0
    size = len(values) // blocks
    best = values[: blocks * size].reshape(blocks, size).max(axis=1)
    return float(np.partition(best, -k)[-k]) if k else 0.0
