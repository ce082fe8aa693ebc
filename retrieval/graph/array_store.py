"""Scored expansion over arrays: the same values as over networkx, at any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from retrieval.core.ports import Reached
from retrieval.core.stage import Edge, Graph, Node
from retrieval.core.types import EVERYTHING, Selection
from retrieval.graph.arrays import KINDS, TOOL, Floats, GraphArrays, Ints
from retrieval.graph.build import EDGE_WEIGHTS

Step = tuple[str, str, str]
REQUIRES = KINDS.index("requires_tool")


class ArrayStore:
    """A GraphStore whose walk is a handful of array operations a hop."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self._row = {node: n for n, node in enumerate(arrays.ids)}
        self._tool = np.array([kind == TOOL for kind in arrays.kinds], dtype=bool)

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """As NetworkxStore.expand: best first, ties by id, prerequisites kept first."""
        start = {self._row[s]: w for s, w in seeds if s in self._row and w > 0}
        open_ = self._open(selection)
        fronts = self._fronts(start, hops, open_)
        total = np.sum(fronts[1:], axis=0) if hops else np.zeros(len(self._tool))
        if hops > 1:
            for row, weight in start.items():
                total[row] -= weight * float(np.square(self._shares(row)).sum())
        total = np.where(self._tool, np.round(total, 6), 0.0)
        order = np.flatnonzero(total > 0)
        order = order[np.argsort(-total[order], kind="stable")].tolist()
        needed = self._needed(start, open_) if hops else {}
        new = [row for row in order if row not in start]
        first = [row for row in new if row in needed]
        rest = [row for row in new if row not in needed]
        kept = {*[*first, *rest][: max(0, limit)]}
        return tuple(
            Reached(
                id=self.arrays.ids[row],
                score=float(total[row]),
                path=self._told(row, needed, fronts),
            )
            for row in order
            if row in kept or row in start
        )

    def _open(self, selection: Selection) -> np.ndarray:
        allowed = np.ones(len(self._tool), dtype=bool)
        if selection.keep is not None:
            allowed[self._tool] = False
            allowed[[self._row[i] for i in selection.keep if i in self._row]] = True
        allowed[[self._row[i] for i in selection.drop if i in self._row]] = False
        return allowed

    def _shares(self, row: int) -> Floats:
        return self.arrays.shares[self.arrays.near.of(row)]

    def _fronts(self, start: dict[int, float], hops: int, allowed: np.ndarray) -> list[Floats]:
        """Scores after 0, 1, ... hops, one array each over all nodes."""
        front = np.zeros(len(self._tool))
        front[list(start)] = list(start.values())
        fronts = [front]
        for _ in range(hops):
            edges, firsts = self._edges(np.flatnonzero(front))
            ends = self.arrays.near.ends[edges]
            shares = front[firsts] * self.arrays.shares[edges]
            front = np.bincount(ends, weights=shares, minlength=len(front)) * allowed
            fronts.append(front)
        return fronts

    def _edges(self, rows: Ints) -> tuple[Ints, Ints]:
        starts, counts = self.arrays.near.starts[rows], np.diff(self.arrays.near.starts)[rows]
        firsts = np.repeat(rows, counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(starts, counts) + within, firsts

    def _needed(self, start: dict[int, float], allowed: np.ndarray) -> dict[int, int]:
        """Rows that a seed requires, with the first seed (by weight, then id) that does."""
        needed: dict[int, int] = {}
        for seed in sorted(start, key=lambda row: (-start[row], row)):
            edges = self.arrays.out.of(seed)
            ends = self.arrays.out.ends[edges][self.arrays.out.kinds[edges] == REQUIRES]
            for end in ends.tolist():
                if allowed[end]:
                    needed.setdefault(end, seed)
        return needed

    def _told(self, row: int, needed: dict[int, int], fronts: list[Floats]) -> tuple[Step, ...]:
        ids = self.arrays.ids
        if row in needed:
            return ((ids[needed[row]], "requires_tool", ids[row]),)
        return self._path(row, fronts)

    def _path(self, row: int, fronts: list[Floats]) -> tuple[Step, ...]:
        """The one path that handed most on; ties go to fewer hops, then to the smaller id."""
        edges = self.arrays.near.of(row)
        near, shares = self.arrays.near.ends[edges], self.arrays.shares[edges]
        best: tuple[float, int, int] | None = None
        for hop in range(1, len(fronts)):
            handed = fronts[hop - 1][near] * shares
            for at in np.argsort(-handed, kind="stable").tolist():
                if handed[at] <= 0 or (best is not None and handed[at] <= best[0]):
                    break
                before = self._path(int(near[at]), fronts[:hop])
                if self.arrays.ids[row] not in {end for step in before for end in step[::2]}:
                    best = (float(handed[at]), hop, at)
                    break
        if best is None:
            return ()
        _, hop, at = best
        kind = KINDS[int(self.arrays.near.kinds[edges][at])]
        step = (self.arrays.ids[int(near[at])], kind, self.arrays.ids[row])
        return (*self._path(int(near[at]), fronts[:hop]), step)

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """Seeds, what was added, the nodes and edges of the paths, prerequisites among them."""
        shown = set(seeds)
        added = [one for one in reached if one.id not in shown]
        nodes = {s: self._node(s, "seed") for s in seeds if s in self._row}
        nodes.update({one.id: self._node(one.id, "added") for one in added})
        edges: dict[Step, Edge] = {}
        for step in (*(s for one in added for s in one.path), *self._required(nodes)):
            edge = self._edge(step)
            edges[edge.source, edge.kind, edge.target] = edge
            for end in (edge.source, edge.target):
                is_tool = self.arrays.kinds[self._row[end]] == TOOL
                nodes.setdefault(end, self._node(end, "added" if is_tool else "link"))
        return Graph(nodes=tuple(nodes.values()), edges=tuple(edges[k] for k in sorted(edges)))

    def _required(self, tools: Iterable[str]) -> list[Step]:
        held = set(tools)
        return [
            (tool, "requires_tool", self.arrays.ids[end])
            for tool in sorted(held)
            for end in self._ends(self._row[tool], REQUIRES)
            if self.arrays.ids[end] in held
        ]

    def _ends(self, row: int, kind: int) -> list[int]:
        edges = self.arrays.out.of(row)
        ends: list[int] = self.arrays.out.ends[edges][self.arrays.out.kinds[edges] == kind].tolist()
        return ends

    def _edge(self, step: Step) -> Edge:
        """The edge of a step in its own direction."""
        one, kind, other = step
        forward = self._row[other] in self._ends(self._row[one], KINDS.index(kind))
        source, target = (one, other) if forward else (other, one)
        return Edge(source=source, target=target, kind=kind, weight=EDGE_WEIGHTS[kind])

    def _node(self, node: str, role: str) -> Node:
        row = self._row[node]
        label, kind = self.arrays.labels[row], self.arrays.kinds[row]
        return Node(id=node, label=label, kind=kind, role=role)  # type: ignore[arg-type]

    def words(self, path: Sequence[Step]) -> str:
        """A path in words, from the seed on."""
        if not path:
            return ""
        nodes = (path[0][0], *(step[2] for step in path))
        labels = [self.arrays.labels[self._row[node]] for node in nodes]
        kinds = [kind.replace("_", " ") for _, kind, _ in path]
        middle = (f"{kind} → {label}" for kind, label in zip(kinds, labels[1:], strict=True))
        return " → ".join((labels[0], *middle))
