"""One expansion over arrays: what every node has after each hop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from retrieval.graph.arrays import TOOL, Floats, GraphArrays, Ints, Rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEW = 65_536
"""Edges up to which a last hop is added up edge by edge; a wider one multiplies a matrix."""

SOME = 4_096
"""Ends up to which sorting them finds the nodes that were met sooner than looking at all; a node
of more neighbours hands on to them as one run of the arrays."""


class Network:
    """A graph made ready to be walked: which nodes are tools, and the matrix of a last hop.

    The matrix holds what every tool takes from its neighbours, one row a node. Read row by row,
    the concepts' part of its vector stays in the processor's cache: a hop through concepts of
    30,000 tools each takes two milliseconds.
    """

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self.tool = np.array([kind == TOOL for kind in arrays.kinds], dtype=bool)
        self.concepts = np.flatnonzero(~self.tool)
        near = arrays.near
        kept, before = _counted(~self.tool[near.ends])
        self._to_concepts = Rows(
            starts=before[near.starts], ends=np.flatnonzero(kept), kinds=near.kinds[:0]
        )

    @cached_property
    def _matrix(self) -> csr_array:
        """Made at the first wide hop: a small graph has none."""
        from scipy.sparse import csr_array

        near, back = self.arrays.near, self.arrays.back
        kept, before = _counted(np.repeat(self.tool, np.diff(near.starts)))
        rows = before[near.starts].astype(np.int32)
        data = (back[kept], near.ends[kept].astype(np.int32), rows)
        return csr_array(data, shape=(len(self.tool), len(self.tool)))

    def last(self, front: Floats) -> Floats:
        """The sums over all nodes, nought for one that is no tool."""
        sums: Floats = self._matrix @ front
        return sums

    def to_concepts(self, rows: Ints) -> tuple[Ints, Ints]:
        """Positions of all edges from these nodes to concepts, and the node each belongs to."""
        at, firsts = edges_of(self._to_concepts, rows)
        return self._to_concepts.ends[at], firsts


def _counted(kept: Ints) -> tuple[Ints, Ints]:
    """What is kept, and how many are up to each place."""
    return kept, np.concatenate([[0], np.cumsum(kept)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What nodes took at most from one neighbour: the amount, that neighbour, the edge.

    An amount of nought: from none.
    """

    rows: Ints
    most: Floats
    origins: Ints
    edges: Ints

    @classmethod
    def spread(cls, rows: Ints, some: Ints, most: Floats, origins: Ints, edges: Ints) -> Taken:
        """What these rows took when only some of them took anything."""
        if len(some) == len(rows):
            return cls(rows=rows, most=most, origins=origins, edges=edges)
        nought = np.zeros(len(rows), dtype=np.int64)
        taken = cls(rows=rows, most=np.zeros(len(rows)), origins=nought, edges=nought.copy())
        taken.most[some], taken.origins[some], taken.edges[some] = most, origins, edges
        return taken

    def of(self, rows: Ints) -> Taken:
        """What these nodes took, looked up; the rows here ascend."""
        place = np.searchsorted(self.rows, rows)
        some = np.flatnonzero(np.append(self.rows, -1)[place] == rows)
        at = place[some]
        return Taken.spread(rows, some, self.most[at], self.origins[at], self.edges[at])


class Hops:
    """Scores of one expansion, hop by hop; ``first`` is what concepts took in the first."""

    def __init__(
        self, network: Network, start: dict[int, float], hops: int, barred: Ints | None
    ) -> None:
        self.network, self.hops = network, hops
        rows = np.array(sorted(start), dtype=np.int64)
        front = np.zeros(len(network.tool))
        front[rows] = [start[row] for row in rows.tolist()]
        self.fronts = [front]
        self.first = self._to_concepts(rows) if hops > 1 else None
        for hop in range(1, hops + 1):
            if hop == hops and self._is_wide(rows):
                front = network.last(front)
            else:
                front, ends = self._pushed(rows, front)
                rows = _met(front, ends) if hop < hops else rows
            if barred is not None:
                front[barred] = 0.0
            self.fronts.append(front)

    def _is_wide(self, rows: Ints) -> bool:
        return len(rows) > SOME or int(degrees(self.network.arrays.near, rows).sum()) > FEW

    def _pushed(self, rows: Ints, front: Floats) -> tuple[Floats, Ints | None]:
        """What these nodes hand to each neighbour, and the neighbours, if they are few."""
        near, shares = self.network.arrays.near, self.network.arrays.shares
        hubs = degrees(near, rows) > SOME
        edges, origins = edges_of(near, rows[~hubs])
        ends = near.ends[edges]
        handed = front[origins] * shares[edges]
        sums = np.bincount(ends, weights=handed, minlength=len(front)).astype(np.float64)
        for hub in rows[hubs].tolist():
            run = near.of(hub)
            sums[near.ends[run]] += front[hub] * shares[run]
        few = len(ends) < SOME and not hubs.any()
        return sums, ends if few else None

    def _to_concepts(self, rows: Ints) -> Taken:
        """What each concept took at most in the first hop, ties by row.

        A concept's thousands of neighbours are not looked through again for its path.
        """
        edges, origins = self.network.to_concepts(rows)
        ends = self.network.arrays.near.ends[edges]
        handed = self.fronts[0][origins] * self.network.arrays.shares[edges]
        order = np.lexsort((origins, -handed, ends))
        order = order[np.diff(ends[order], prepend=-1) > 0]
        return Taken(
            rows=ends[order], most=handed[order], origins=origins[order], edges=edges[order]
        )

    def total(self, start: dict[int, float]) -> Floats:
        """Scores of tools over all hops, without what a seed only handed back to itself."""
        arrays, tool = self.network.arrays, self.network.tool
        total = self.fronts[1].copy() if self.hops else np.zeros(len(tool))
        for front in self.fronts[2:]:
            total += front
        total[self.network.concepts] = 0.0
        rows = np.array([row for row in start if tool[row]], dtype=np.int64)
        if len(self.fronts) > 2 and len(rows):
            edges, firsts = edges_of(arrays.near, rows)
            both = arrays.shares[edges] * arrays.back[edges]
            back = np.bincount(firsts, weights=both, minlength=int(rows.max()) + 1)[rows]
            total[rows] -= self.fronts[0][rows] * back
        return total


def _met(front: Floats, ends: Ints | None) -> Ints:
    """The nodes of a front, ascending; ``ends`` are all of them, some of them several times."""
    if ends is None:
        return np.flatnonzero(front > 0)
    listed = np.sort(ends)
    return listed[np.diff(listed, prepend=-1) > 0]


def degrees(held: Rows, rows: Ints) -> Ints:
    """How many neighbours these nodes have."""
    return held.starts[rows + 1] - held.starts[rows]


def edges_of(held: Rows, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of all edges of these nodes, and the node each belongs to."""
    counts = degrees(held, rows)
    firsts = np.repeat(rows, counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(firsts)) + np.repeat(held.starts[rows] - before, counts), firsts
