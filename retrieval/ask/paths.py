"""Paths between nodes: along a named sequence of relations, and the shortest there are."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from retrieval.core import Fact, Step
from retrieval.graph import FactBase, folded_relation

Path = tuple[Step, ...]

MAX_FRONT = 2000
"""Most nodes of one search step; further ones are cut, in the order of ids."""


def metapath_of(text: str) -> tuple[str, ...]:
    """``accepts -> produces`` as its relations."""
    return tuple(part.strip() for part in text.split("->") if part.strip())


@dataclass(frozen=True)
class PathFinder:
    """Path search over a base of facts; edges are followed in both directions, ties by id."""

    base: FactBase
    max_paths: int = 20
    max_hops: int = 4
    skipped: frozenset[str] = frozenset({"same_domain"})

    def follow(
        self, sources: Iterable[str], metapath: Sequence[str], targets: Iterable[str] = ()
    ) -> list[Path]:
        """Paths from the sources along the relations of a metapath, to the targets where given.

        Relations match in either direction, without regard to case, blanks as underscores. At most
        ``max_paths`` paths, in breadth-first order; no path visits a node twice.
        """
        target_nodes = frozenset(targets)
        front: list[tuple[str, Path]] = [(s, ()) for s in dict.fromkeys(sources) if s in self.base]
        for name in metapath:
            relations = self.base.spellings.get(folded_relation(name), ())
            reached: list[tuple[str, Path]] = []
            for node, path in front:
                ends = [(t, (node, r, t)) for r in relations for t in self.base.tails(node, r)]
                ends += [(h, (h, r, node)) for r in relations for h in self.base.heads(r, node)]
                visited = {node, *(n for a, _, b in path for n in (a, b))}
                reached += [(end, (*path, step)) for end, step in ends if end not in visited]
            front = reached[:MAX_FRONT]
        paths = [path for end, path in front if path and (not target_nodes or end in target_nodes)]
        return paths[: self.max_paths]

    def shortest(self, sources: Iterable[str], targets: Iterable[str]) -> list[Path]:
        """For every source and target the path of fewest hops, ties to the least total degree.

        Nodes of low degree are specific, so such a path says more. Paths beyond ``max_hops`` are
        left out; at most ``max_paths`` in the order of sources and targets.
        """
        ends = [node for node in dict.fromkeys(targets) if node in self.base]
        paths: dict[Path, None] = {}
        for source in dict.fromkeys(sources):
            for end in ends:
                path = self._between(source, end) if source != end and source in self.base else ()
                if path:
                    paths.setdefault(path)
        return list(paths)[: self.max_paths]

    def _between(self, source: str, target: str) -> Path:
        """Dijkstra by (hops, sum of inner degrees), ties by id; empty beyond ``max_hops``."""
        queue: list[tuple[int, int, str, Path]] = [(0, 0, source, ())]
        hops_to: dict[str, int] = {}
        while queue:
            hops, weight, node, path = heapq.heappop(queue)
            if node == target:
                return path
            if hops_to.get(node, hops + 1) <= hops or hops >= self.max_hops:
                continue
            hops_to[node] = hops
            # Bounds the time of one search; its answer would lead through hubs anyway.
            if len(hops_to) > MAX_FRONT:
                return ()
            for relation, away, end in islice(self.base.around(node), MAX_FRONT):
                if relation not in self.skipped and end not in hops_to:
                    step = (node, relation, end) if away else (end, relation, node)
                    load = weight + (self.base.degree(end) if end != target else 0)
                    heapq.heappush(queue, (hops + 1, load, end, (*path, step)))
        return ()

    def facts(self, paths: Iterable[Path], found_by: str = "path") -> tuple[Fact, ...]:
        """Paths as evidence."""
        return tuple(self.base.path(path, found_by) for path in paths)
