"""The path to each node along the largest contributions of an expansion over arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from retrieval.graph.arrays import KINDS, Ints
from retrieval.graph.hops import BestPredecessor, Hops, degrees, edges_of
from retrieval.graph.port import Step

Trail = tuple[Step, ...]


class Trails:
    """Paths of one expansion, computed for many nodes at once."""

    def __init__(self, walk: Hops) -> None:
        self._walk, self._arrays = walk, walk.network.arrays
        self._memo: dict[tuple[int, int], Trail] = {}

    def of(self, rows: Ints) -> dict[int, Trail]:
        """Row of a tool to its path from a seed; ties go to fewer hops, then to the smaller id."""
        self._find(rows, self._walk.hops)
        return {row: self._memo[row, self._walk.hops] for row in rows.tolist()}

    def _find(self, rows: Ints, hops: int) -> None:
        """Store the paths of at most ``hops`` hops to these nodes in the memo."""
        tool = self._walk.network.tool[rows]
        for alike in (rows[tool], rows[~tool]):
            self._find_alike(alike, hops)

    def _find_alike(self, rows: Ints, hops: int) -> None:
        """The same for nodes that are all tools, or all concepts.

        A node whose path would return to it is tried again without that neighbour.
        """
        shut: dict[int, list[int]] = {}
        while len(rows):
            at, origins, edges = self._best(rows, hops, shut)
            for hop in range(2, hops + 1):
                before = set(origins[at == hop].tolist())
                fresh = [one for one in before if (one, hop - 1) not in self._memo]
                self._find(np.array(sorted(fresh), dtype=np.int64), hop - 1)
            again = []
            kinds = self._arrays.near.kinds[edges]
            columns = (c.tolist() for c in (rows, at, origins, kinds, edges))
            for row, hop, origin, kind, edge in zip(*columns, strict=True):
                trail = self._path_through(row, hop, origin, kind)
                if trail is not None:
                    self._memo[row, hops] = trail
                else:
                    shut.setdefault(hop, []).append(edge)
                    again.append(row)
            rows = np.array(again, dtype=np.int64)

    def _best(
        self, rows: Ints, hops: int, shut: Mapping[int, Sequence[int]]
    ) -> tuple[Ints, Ints, Ints]:
        """Per node: the hop of its largest contribution (0: none), the neighbour, and the edge."""
        best, at = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int64)
        origins, edges = np.zeros_like(at), np.zeros_like(at)
        for hop, best_of_hop in enumerate(self._predecessors(rows, hops, shut), 1):
            more = best_of_hop.most > best
            best[more], at[more] = best_of_hop.most[more], hop
            origins[more], edges[more] = best_of_hop.origins[more], best_of_hop.edges[more]
        return at, origins, edges

    def _path_through(self, row: int, hop: int, origin: int, kind: int) -> Trail | None:
        """The path through this neighbour; None where the neighbour's path contains the node."""
        if not hop:
            return ()
        name = self._arrays.ids[row]
        before = self._memo[origin, hop - 1] if hop > 1 else ()
        if any(name in (step[0], step[2]) for step in before):
            return None
        return (*before, (self._arrays.ids[origin], KINDS[kind], name))

    def _predecessors(
        self, rows: Ints, hops: int, shut: Mapping[int, Sequence[int]]
    ) -> Iterator[BestPredecessor]:
        """For each hop, the neighbour with the largest contribution to each node, ties by row."""
        near, first_hop = self._arrays.near, self._walk.first
        looked_up = first_hop is not None and not self._walk.network.tool[rows[0]]
        if first_hop is not None and looked_up:
            yield first_hop.of(rows)
        if hops == 1 and looked_up:
            return
        some = np.flatnonzero(degrees(near, rows))
        edges, _ = edges_of(near, rows[some])
        ends, counts, back = near.ends[edges], degrees(near, rows[some]), self._arrays.back[edges]
        cuts = np.cumsum(counts) - counts
        for hop in range(1 + looked_up, hops + 1):
            passed = self._walk.fronts[hop - 1][ends] * back
            if hop in shut:
                passed[np.isin(edges, shut[hop])] = 0.0
            # The edges of a row are one run: its maximum, and the first place that has it.
            most = np.maximum.reduceat(passed, cuts)
            equal = np.flatnonzero(passed == np.repeat(most, counts))
            first = equal[np.searchsorted(equal, cuts)]
            yield BestPredecessor.spread(rows, some, most, ends[first], edges[first])
