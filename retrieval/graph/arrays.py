"""A graph as sorted arrays (CSR): what a walk reads, and what an index folder keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from retrieval.graph.build import EDGE_WEIGHTS

KINDS = tuple(EDGE_WEIGHTS)
TOOL = "tool"

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Edges by the row of their first node: ``starts`` has one entry more than there are nodes."""

    starts: Ints
    ends: Ints
    kinds: Ints

    def of(self, row: int) -> slice:
        """Where the edges of a node stand."""
        return slice(int(self.starts[row]), int(self.starts[row + 1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphArrays:
    """Nodes in ascending order of id; ``out`` keeps directions, ``near`` is for walking.

    ``near`` holds each pair of neighbours once in either direction, under the kind of highest
    weight, with ``shares``: that weight, damped by the degree of the node that is no tool.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    out: Rows
    near: Rows
    shares: Floats

    @classmethod
    def of(cls, graph: nx.MultiDiGraph) -> GraphArrays:
        """The arrays of a graph that build_graph made."""
        ids = tuple(sorted(graph))
        row = {node: n for n, node in enumerate(ids)}
        kinds = tuple(str(graph.nodes[n]["kind"]) for n in ids)
        edges = [(row[a], row[b], KINDS.index(k)) for a, b, k in graph.edges(keys=True)]
        out = _rows(len(ids), edges)
        near, shares = _near(kinds, edges)
        labels = tuple(str(graph.nodes[n]["label"]) for n in ids)
        return cls(ids=ids, labels=labels, kinds=kinds, out=out, near=near, shares=shares)

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file, without pickle."""
        with path.open("wb") as handle:
            np.savez(
                handle,
                allow_pickle=False,
                ids=_bytes(self.ids),
                labels=_bytes(self.labels),
                kinds=_bytes(self.kinds),
                out_starts=self.out.starts,
                out_ends=self.out.ends,
                out_kinds=self.out.kinds,
                near_starts=self.near.starts,
                near_ends=self.near.ends,
                near_kinds=self.near.kinds,
                shares=self.shares,
            )

    @classmethod
    def load(cls, path: Path) -> GraphArrays:
        """Read what ``save`` wrote. Raises ValueError or OSError for another file."""
        with np.load(path, allow_pickle=False) as held:
            out, near = (
                Rows(starts=held[f"{n}_starts"], ends=held[f"{n}_ends"], kinds=held[f"{n}_kinds"])
                for n in ("out", "near")
            )
            ids, labels, kinds = (_texts(held[n]) for n in ("ids", "labels", "kinds"))
            return cls(
                ids=ids, labels=labels, kinds=kinds, out=out, near=near, shares=held["shares"]
            )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode("utf-8"), dtype=np.uint8)


def _texts(stored: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(stored.tobytes().decode("utf-8").split("\n"))


def _rows(nodes: int, edges: Sequence[tuple[int, int, int]]) -> Rows:
    table = np.array(sorted(edges), dtype=np.int64).reshape(-1, 3)
    counts = np.bincount(table[:, 0], minlength=nodes)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Rows(starts=starts, ends=table[:, 1].copy(), kinds=table[:, 2].copy())


def _near(kinds: Sequence[str], edges: Sequence[tuple[int, int, int]]) -> tuple[Rows, Floats]:
    best: dict[tuple[int, int], tuple[float, str]] = {}
    for one, other, kind in edges:
        told = (EDGE_WEIGHTS[KINDS[kind]], KINDS[kind])
        for pair in ((one, other), (other, one)):
            best[pair] = max(best.get(pair, (0.0, "")), told)
    rows = _rows(len(kinds), [(a, b, KINDS.index(kind)) for (a, b), (_, kind) in best.items()])
    degrees = np.diff(rows.starts)
    firsts = np.repeat(np.arange(len(kinds)), degrees)
    weights = np.array([EDGE_WEIGHTS[KINDS[k]] for k in rows.kinds.tolist()], dtype=np.float64)
    tool = np.array([k == TOOL for k in kinds], dtype=bool)
    hubs = np.where(tool[firsts], rows.ends, firsts)
    damp = np.where(tool[firsts] & tool[rows.ends], 0.5, 1.0 / np.sqrt(1.0 + degrees[hubs]))
    return rows, weights * damp
