"""Scored expansion over CSR arrays; values equal those of NetworkxStore."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from retrieval.catalog import admitted, lower_bound, places
from retrieval.core import EVERYTHING, Selection
from retrieval.graph.arrays import KINDS, Floats, GraphArrays, Ints
from retrieval.graph.best_paths import Trails
from retrieval.graph.hops import Hops, Network
from retrieval.graph.port import Drawing, Reached, Step

REQUIRES = KINDS.index("requires_tool")

STEPS = 50_000
"""Size of the cache of step directions."""


class ArrayStore(Drawing):
    """A GraphStore whose walk takes a few array operations per hop."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self._row = {node: n for n, node in enumerate(arrays.ids)}
        self._network = Network(arrays)
        self._tool = self._network.tool
        self._tool_rows = np.flatnonzero(self._tool)
        self._tools = places([arrays.ids[row] for row in self._tool_rows.tolist()])
        self._cached_along = lru_cache(maxsize=STEPS)(self._compute_along)
        # Row of a tool to the rows that it requires.
        self._required: defaultdict[int, list[int]] = defaultdict(list)
        at = np.flatnonzero(arrays.out.kinds == REQUIRES)
        firsts = np.searchsorted(arrays.out.starts, at, side="right") - 1
        for one, other in zip(firsts.tolist(), arrays.out.ends[at].tolist(), strict=True):
            self._required[one].append(other)

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
        barred = self._barred(selection)
        walk = Hops(self._network, start, hops, barred)
        needed = self._needed(start, selection) if hops else {}
        order = self._best(walk.total(start), start, needed, limit)
        new = [row for row, _ in order if row not in start]
        first = [row for row in new if row in needed]
        rest = [row for row in new if row not in needed]
        result_rows = {*[*first, *rest][: max(0, limit)], *start}
        scored_rows = [(row, score) for row, score in order if row in result_rows]
        led = [row for row, _ in scored_rows if row not in needed and row not in start]
        paths = Trails(walk).of(np.array(led, dtype=np.int64))
        ids = self.arrays.ids
        for row, seed in needed.items():
            paths[row] = ((ids[seed], "requires_tool", ids[row]),)
        return tuple(
            Reached(id=ids[row], score=score, path=paths.get(row, ())) for row, score in scored_rows
        )

    def having(self, concepts: Sequence[str], selection: Selection) -> dict[str, frozenset[str]]:
        """For each concept the admitted tools next to it."""
        barred, admits, near = self._barred(selection), self._tool, self.arrays.near
        if barred is not None:
            admits = admits.copy()
            admits[barred] = False
        having = dict.fromkeys(concepts, frozenset[str]())
        for concept in concepts:
            if concept in self._row:
                ends = near.ends[near.of(self._row[concept])]
                tools = ends[admits[ends]].tolist()
                having[concept] = frozenset(map(self.arrays.ids.__getitem__, tools))
        return having

    def _barred(self, selection: Selection) -> Ints | None:
        """Rows (int64, ascending) of the tools outside the selection; None where all are in."""
        if selection == EVERYTHING:
            return None
        return self._tool_rows[~admitted(self._tools, selection)]

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
        requiring = self._required.keys() & start.keys()
        for seed in sorted(requiring, key=lambda row: (-start[row], row)):
            for end in self._required[seed]:
                if selection.admits(self.arrays.ids[end]):
                    needed.setdefault(end, seed)
        return needed

    def __contains__(self, node: str) -> bool:
        return node in self._row

    def described(self, node: str) -> tuple[str, str]:
        """Label and kind of a node."""
        row = self._row[node]
        return self.arrays.labels[row], self.arrays.kinds[row]

    def requires(self, node: str) -> Iterable[str]:
        """The tools that a tool requires, by id."""
        return (self.arrays.ids[end] for end in self._required.get(self._row[node], ()))

    def is_along(self, step: Step) -> bool:
        """Whether a step follows its edge; one between tool and concept starts at the tool."""
        return self._cached_along(step)

    def _compute_along(self, step: Step) -> bool:
        one, kind, other = (self._row[step[0]], KINDS.index(step[1]), self._row[step[2]])
        if self._tool[one] != self._tool[other]:
            return bool(self._tool[one])
        edges = self.arrays.out.of(one)
        ends = self.arrays.out.ends[edges][self.arrays.out.kinds[edges] == kind]
        return bool((ends == other).any())
