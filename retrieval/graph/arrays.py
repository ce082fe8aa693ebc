"""A graph as sorted arrays (CSR): what a walk reads, and what an index folder keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.graph.build import EDGE_WEIGHTS

if TYPE_CHECKING:
    import networkx as nx

KINDS = tuple(EDGE_WEIGHTS)
TOOL = "tool"

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_WEIGHTS: Floats = np.array([EDGE_WEIGHTS[kind] for kind in KINDS])


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
    weight. ``shares`` is what a node hands to that neighbour of its own score: the weight,
    damped as NetworkxStore damps it; ``back`` is what the neighbour hands to the node.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    out: Rows
    near: Rows
    shares: Floats
    back: Floats

    @classmethod
    def of(cls, graph: nx.MultiDiGraph) -> GraphArrays:
        """The arrays of a graph that build_graph made."""
        ids = tuple(sorted(graph))
        row, kind = ({key: n for n, key in enumerate(keys)} for keys in (ids, KINDS))
        kinds = tuple(str(graph.nodes[n]["kind"]) for n in ids)
        edges = _table((row[a], row[b], kind[k]) for a, b, k in graph.edges(keys=True))
        out = _rows(len(ids), edges)
        ties = np.array([int(graph.nodes[n].get("ties", 0)) for n in ids])
        near, shares, back = _near(kinds, ties, edges)
        labels = tuple(str(graph.nodes[n]["label"]) for n in ids)
        return cls(
            ids=ids, labels=labels, kinds=kinds, out=out, near=near, shares=shares, back=back
        )

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
                back=self.back,
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
            shares, back = held["shares"], held["back"]
        return cls(
            ids=ids, labels=labels, kinds=kinds, out=out, near=near, shares=shares, back=back
        )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode("utf-8"), dtype=np.uint8)


def _texts(stored: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(stored.tobytes().decode("utf-8").split("\n"))


def _table(edges: Iterable[tuple[int, int, int]]) -> Ints:
    return np.fromiter((n for edge in edges for n in edge), dtype=np.int64).reshape(-1, 3)


def _rows(nodes: int, table: Ints) -> Rows:
    """Edges (one row each: node, other, kind) by node, then other, then kind."""
    held = table[np.lexsort((table[:, 2], table[:, 1], table[:, 0]))]
    counts = np.bincount(held[:, 0], minlength=nodes)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Rows(starts=starts, ends=held[:, 1].copy(), kinds=held[:, 2].copy())


def _near(kinds: Sequence[str], ties: Ints, edges: Ints) -> tuple[Rows, Floats, Floats]:
    rows = _rows(len(kinds), _heaviest(np.concatenate([edges, edges[:, [1, 0, 2]]])))
    degrees = np.diff(rows.starts)
    firsts = np.repeat(np.arange(len(kinds)), degrees)
    tool = np.array([k == TOOL for k in kinds], dtype=bool)
    hubs = np.where(tool[firsts], rows.ends, firsts)
    between = 0.5 / np.sqrt(np.maximum(1, ties[rows.ends]))
    among = 1.0 / np.sqrt(1.0 + degrees[hubs])
    damp = np.where(tool[firsts] & tool[rows.ends], between, among)
    shares = _WEIGHTS[rows.kinds] * damp
    # Every edge is there in both directions, so the k-th by end is the k-th by start reversed.
    return rows, shares, shares[np.lexsort((firsts, rows.ends))]


def _heaviest(pairs: Ints) -> Ints:
    """Of several edges between the same two nodes the one of most weight, ties by kind's name."""
    rank = np.empty(len(KINDS), dtype=np.int64)
    rank[sorted(range(len(KINDS)), key=lambda k: (_WEIGHTS[k], KINDS[k]))] = range(len(KINDS))
    held = pairs[np.lexsort((rank[pairs[:, 2]], pairs[:, 1], pairs[:, 0]))]
    last = np.ones(len(held), dtype=bool)
    last[:-1] = (held[1:, :2] != held[:-1, :2]).any(axis=1)
    return held[last]
