"""One expansion over arrays: what every node has after each hop, and the path that brought it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retrieval.graph.arrays import KINDS, Floats, GraphArrays, Ints, Rows

Step = tuple[str, str, str]
FEW = 65_536
"""Edges up to which a last hop is added up edge by edge; a wider one multiplies a matrix."""

SOME = 4_096
"""Ends up to which sorting them finds the nodes that were met sooner than looking at all."""

Handed = tuple[float, int, int]
"""What a neighbour hands on (below nought: the most comes first), its row, the edge's kind."""


class LastHop:
    """What every tool takes from its neighbours: a matrix made once, of one row a node.

    Read row by row, the concepts' part of its vector stays in the processor's cache: a hop
    through concepts of 30,000 tools each takes two milliseconds.
    """

    def __init__(self, arrays: GraphArrays, tool: Ints) -> None:
        from scipy.sparse import csr_array

        kept = np.repeat(tool, np.diff(arrays.near.starts))
        before = np.concatenate([[0], np.cumsum(kept)])
        self._matrix = csr_array(
            (
                arrays.back[kept],
                arrays.near.ends[kept].astype(np.int32),
                before[arrays.near.starts].astype(np.int32),
            ),
            shape=(len(tool), len(tool)),
        )

    def of(self, front: Floats) -> Floats:
        """The sums over all nodes, nought for one that is no tool."""
        sums: Floats = self._matrix @ front
        return sums


class Hops:
    """Scores of one expansion, hop by hop, and its paths."""

    def __init__(
        self,
        arrays: GraphArrays,
        last: LastHop,
        tool: Ints,
        start: dict[int, float],
        hops: int,
        barred: Ints | None,
    ) -> None:
        self._arrays, self._tool, self._hops = arrays, tool, hops
        self._memo: dict[tuple[int, int], tuple[Step, ...]] = {}
        self._taken: dict[tuple[int, int], Handed] = {}
        self._looked: set[int] = set()
        self._met: Ints = np.zeros(0, dtype=np.int64)
        front = np.zeros(len(tool))
        front[list(start)] = list(start.values())
        self.fronts = [front]
        for hop in range(1, hops + 1):
            rows = self._met if hop > 1 else np.array(sorted(start), dtype=np.int64)
            wide = hop == hops and int(self._degrees(rows).sum()) > FEW
            front = last.of(front) if wide else self._pushed(rows, front, first=hop == 1)
            if barred is not None:
                front[barred] = 0.0
            self.fronts.append(front)

    def _degrees(self, rows: Ints) -> Ints:
        starts = self._arrays.near.starts
        return starts[rows + 1] - starts[rows]

    def _pushed(self, rows: Ints, front: Floats, *, first: bool) -> Floats:
        edges, origins = edges_of(self._arrays.near, rows)
        ends = self._arrays.near.ends[edges]
        handed = front[origins] * self._arrays.shares[edges]
        if first and self._hops > 1:
            # A concept's thousands of neighbours are not looked through again for its path.
            kept = np.flatnonzero(~self._tool[ends])
            kept = kept[np.lexsort((origins[kept], -handed[kept], ends[kept]))]
            kept = kept[np.diff(ends[kept], prepend=-1) > 0]
            self._take(1, ends[kept], handed[kept], origins[kept], edges[kept])
        sums = np.bincount(ends, weights=handed, minlength=len(front))
        self._met = np.unique(ends) if len(ends) < SOME else np.flatnonzero(sums)
        return sums.astype(np.float64, copy=False)

    def look_at(self, rows: Ints) -> None:
        """Find out for many tools at once which neighbour handed them most, ties by row."""
        self._looked.update(rows.tolist())
        rows = rows[self._degrees(rows) > 0]
        if not len(rows):
            return
        edges, _ = edges_of(self._arrays.near, rows)
        near, back = self._arrays.near.ends[edges], self._arrays.back[edges]
        counts = self._degrees(rows)
        cuts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        for hop in range(1, self._hops + 1):
            handed = self.fronts[hop - 1][near] * back
            most = np.maximum.reduceat(handed, cuts)
            equal = np.flatnonzero(handed == np.repeat(most, counts))
            first = equal[np.searchsorted(equal, cuts)]
            some = most > 0
            self._take(hop, rows[some], most[some], near[first[some]], edges[first[some]])

    def _take(self, hop: int, ends: Ints, handed: Floats, origins: Ints, edges: Ints) -> None:
        kinds = self._arrays.near.kinds[edges]
        values = zip((-handed).tolist(), origins.tolist(), kinds.tolist(), strict=True)
        self._taken.update(zip(((end, hop) for end in ends.tolist()), values, strict=True))

    def total(self, start: dict[int, float]) -> Floats:
        """Scores over all hops, without what a seed only handed back to itself."""
        if len(self.fronts) == 1:
            return np.zeros(len(self._tool))
        total = self.fronts[1].copy()
        for front in self.fronts[2:]:
            total += front
        if len(self.fronts) > 2 and start:
            rows = np.array(list(start))
            edges, firsts = edges_of(self._arrays.near, rows)
            both = self._arrays.shares[edges] * self._arrays.back[edges]
            back = np.bincount(firsts, weights=both, minlength=int(rows.max()) + 1)[rows]
            total[rows] -= np.array(list(start.values())) * back
        return total

    def path(self, row: int, hops: int) -> tuple[Step, ...]:
        """The one path that handed most on; ties go to fewer hops, then to the smaller id."""
        if (row, hops) not in self._memo:
            self._memo[row, hops] = self._path(row, hops)
        return self._memo[row, hops]

    def _path(self, row: int, hops: int) -> tuple[Step, ...]:
        best: tuple[float, tuple[Step, ...], int, int] | None = None
        for hop in range(1, hops + 1):
            most = self._most(row, hop)
            if most is None or (best is not None and most[0] >= best[0]):
                continue
            best = self._unwalked(row, hop, most, best)
        if best is None:
            return ()
        _, before, origin, kind = best
        return (*before, (self._arrays.ids[origin], KINDS[kind], self._arrays.ids[row]))

    def _unwalked(
        self,
        row: int,
        hop: int,
        most: Handed,
        best: tuple[float, tuple[Step, ...], int, int] | None,
    ) -> tuple[float, tuple[Step, ...], int, int] | None:
        """The neighbour that handed most, of those whose own path is not through this node."""
        name = self._arrays.ids[row]
        for value, origin, kind in self._handed(row, hop, most):
            if best is not None and value >= best[0]:
                break
            before = self.path(origin, hop - 1)
            if all(name not in (step[0], step[2]) for step in before):
                return value, before, origin, kind
        return best

    def _most(self, row: int, hop: int) -> Handed | None:
        known = hop == 1 and self._hops > 1 and not self._tool[row]
        if not known and row not in self._looked:
            self.look_at(np.array([row]))
        return self._taken.get((row, hop))

    def _handed(self, row: int, hop: int, most: Handed) -> Iterator[Handed]:
        """The most first; the others are looked up only when somebody asks for more."""
        yield most
        edges = self._arrays.near.of(row)
        near = self._arrays.near.ends[edges]
        values = -self.fronts[hop - 1][near] * self._arrays.back[edges]
        columns = (values.tolist(), near.tolist(), self._arrays.near.kinds[edges].tolist())
        yield from sorted(held for held in zip(*columns, strict=True) if held[0] < 0)[1:]


def edges_of(held: Rows, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of all edges of these nodes, and the node each belongs to."""
    starts, counts = held.starts[rows], held.starts[rows + 1] - held.starts[rows]
    firsts = np.repeat(rows, counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(starts, counts) + within, firsts
