"""One expansion over arrays: the score of every node after each hop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from retrieval.graph.arrays import TOOL, Floats, GraphArrays, Ints, Rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEW = 65_536
"""Most edges of a last hop that is summed edge by edge; a wider one is a matrix product."""

SOME = 4_096
"""Most ends that are sorted to find the nodes reached (more: a scan of all nodes is faster); a
node with more neighbours passes its score on as one run of the arrays."""


class Network:
    """A graph prepared for walks: the mask of tools, and the matrix of a last hop.

    The matrix holds the share that every tool receives from its neighbours, one row per node.
    Read by rows, the concepts' part of the vector stays in the processor's cache: a hop through
    concepts of 30,000 tools each takes two milliseconds.
    """

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self.tool = np.array([kind == TOOL for kind in arrays.kinds], dtype=bool)
        self.concepts = np.flatnonzero(~self.tool)
        near = arrays.near
        to_concept, before = _counted(~self.tool[near.ends])
        self._to_concepts = Rows(
            starts=before[near.starts], ends=np.flatnonzero(to_concept), kinds=near.kinds[:0]
        )

    @cached_property
    def _matrix(self) -> csr_array:
        """Built at the first wide hop; small graphs never need it."""
        from scipy.sparse import csr_array

        near, back = self.arrays.near, self.arrays.back
        from_tool, before = _counted(np.repeat(self.tool, np.diff(near.starts)))
        rows = before[near.starts].astype(np.int32)
        data = (back[from_tool], near.ends[from_tool].astype(np.int32), rows)
        return csr_array(data, shape=(len(self.tool), len(self.tool)))

    def last(self, front: Floats) -> Floats:
        """Scores (nodes,) float64 after a last hop; 0 for nodes that are no tools.

        ``front`` is (nodes,). One sparse product; the matrix is built at the first call.
        """
        sums: Floats = self._matrix @ front
        return sums

    def to_concepts(self, rows: Ints) -> tuple[Ints, Ints]:
        """Positions in ``near`` of the edges from these rows to concepts, and their first nodes."""
        at, firsts = edges_of(self._to_concepts, rows)
        return self._to_concepts.ends[at], firsts


def _counted(mask: Ints) -> tuple[Ints, Ints]:
    """The mask, and its running count with a leading 0."""
    return mask, np.concatenate([[0], np.cumsum(mask)])


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPredecessor:
    """For each of ``rows`` the largest contribution of one neighbour, the neighbour, the edge.

    All arrays are (rows,); a contribution of 0 means that no neighbour contributed.
    """

    rows: Ints
    most: Floats
    origins: Ints
    edges: Ints

    @classmethod
    def spread(
        cls, rows: Ints, some: Ints, most: Floats, origins: Ints, edges: Ints
    ) -> BestPredecessor:
        """Values for ``rows`` where only those at the positions ``some`` have a predecessor.

        The three last arrays are (some,); all other rows get 0.
        """
        if len(some) == len(rows):
            return cls(rows=rows, most=most, origins=origins, edges=edges)
        zeros = np.zeros(len(rows), dtype=np.int64)
        best = cls(rows=rows, most=np.zeros(len(rows)), origins=zeros, edges=zeros.copy())
        # The arrays of a frozen object are filled in place before anyone else sees them.
        best.most[some], best.origins[some], best.edges[some] = most, origins, edges
        return best

    def of(self, rows: Ints) -> BestPredecessor:
        """The predecessors of other rows, by binary search; ``self.rows`` is ascending.

        A row that ``self.rows`` lacks gets a contribution of 0.
        """
        place = np.searchsorted(self.rows, rows)
        some = np.flatnonzero(np.append(self.rows, -1)[place] == rows)
        at = place[some]
        return BestPredecessor.spread(rows, some, self.most[at], self.origins[at], self.edges[at])


class Hops:
    """Scores of one expansion, hop by hop; ``first`` has the concepts' predecessors in hop 1.

    ``fronts`` holds one (nodes,) float64 array per hop, that of the seeds first.
    """

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
            wide = len(rows) > SOME or int(degrees(network.arrays.near, rows).sum()) > FEW
            if hop == hops and wide:
                front = network.last(front)
            else:
                front, rows = self._pushed(rows, front)
            if barred is not None:
                front[barred] = 0.0
            self.fronts.append(front)

    def _pushed(self, rows: Ints, front: Floats) -> tuple[Floats, Ints]:
        """The sums (nodes,) that these rows pass on, and the receiving rows, ascending."""
        near, shares = self.network.arrays.near, self.network.arrays.shares
        hubs = degrees(near, rows) > SOME
        edges, origins = edges_of(near, rows[~hubs])
        ends = near.ends[edges]
        passed = front[origins] * shares[edges]
        sums = np.bincount(ends, weights=passed, minlength=len(front)).astype(np.float64)
        for hub in rows[hubs].tolist():
            run = near.of(hub)
            sums[near.ends[run]] += front[hub] * shares[run]
        # Sorting a few ends is faster than scanning a front over all nodes.
        if len(ends) >= SOME or hubs.any():
            return sums, np.flatnonzero(sums > 0)
        ends = np.sort(ends)
        return sums, ends[np.diff(ends, prepend=-1) > 0]

    def _to_concepts(self, rows: Ints) -> BestPredecessor:
        """The best predecessor of each concept in the first hop, ties by row.

        Stored, so that a concept's thousands of neighbours need no second scan for its path.
        """
        edges, origins = self.network.to_concepts(rows)
        ends = self.network.arrays.near.ends[edges]
        passed = self.fronts[0][origins] * self.network.arrays.shares[edges]
        order = np.lexsort((origins, -passed, ends))
        # Sorted by end and falling contribution: the first of each end is its predecessor.
        order = order[np.diff(ends[order], prepend=-1) > 0]
        return BestPredecessor(
            rows=ends[order], most=passed[order], origins=origins[order], edges=edges[order]
        )

    def total(self, start: dict[int, float]) -> Floats:
        """Scores (nodes,) of tools over all hops, less what a seed passes back to itself.

        The share that returns to a seed over two edges is exact; longer loops stay in the score.
        """
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


def degrees(edges: Rows, rows: Ints) -> Ints:
    """The number of neighbours of each of these rows, (rows,) int64, in their order.

    ``edges`` is CSR: the difference of two neighbouring ``starts``.
    """
    return edges.starts[rows + 1] - edges.starts[rows]


def edges_of(edges: Rows, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of all edges of these rows, and the first node of each edge.

    Both arrays are (edges,) int64, in the order of ``rows``; no loop over rows.
    """
    counts = degrees(edges, rows)
    firsts = np.repeat(rows, counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(firsts)) + np.repeat(edges.starts[rows] - before, counts), firsts
