"""A graph in compressed sparse rows (CSR), for walks and for the index folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.graph.build import EDGE_WEIGHTS

if TYPE_CHECKING:
    import networkx as nx

KINDS = tuple(EDGE_WEIGHTS)
TOOL = "tool"

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TEXTS, EDGES, PARTS = ("ids", "labels", "kinds"), ("out", "near"), ("starts", "ends", "kinds")
"""Fields of GraphArrays and of Rows, as the names of the arrays in a file have them."""

_WEIGHTS: Floats = np.array([EDGE_WEIGHTS[kind] for kind in KINDS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Edges sorted by first node, in CSR form.

    ``starts`` is (nodes + 1,), ``ends`` and ``kinds`` are (edges,), all int64; the edges of a node
    are sorted by end, then kind. A kind is an index into KINDS.
    """

    starts: Ints
    ends: Ints
    kinds: Ints

    def of(self, row: int) -> slice:
        """The slice of ``ends`` and ``kinds`` that holds the edges of a node."""
        return slice(int(self.starts[row]), int(self.starts[row + 1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphArrays:
    """Nodes in ascending order of id; ``out`` holds directed edges, ``near`` serves walks.

    ``near`` holds each pair of neighbours once in either direction, under the kind of highest
    weight. ``shares`` (float64, one per edge of ``near``) is the fraction of its score that a
    node passes to that neighbour: the weight, damped as in NetworkxStore; ``back`` is the
    fraction that the neighbour passes to the node.
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
        """The arrays of a graph from build_graph.

        Edges of a kind that EDGE_WEIGHTS lacks raise KeyError. Linear in edges, plus their sorting.
        """
        # Rows ascend with ids, so a tie by row is a tie by id.
        ids = tuple(sorted(graph))
        row, kind = ({key: n for n, key in enumerate(keys)} for keys in (ids, KINDS))
        kinds = tuple(str(graph.nodes[n]["kind"]) for n in ids)
        numbers = (n for a, b, k in graph.edges(keys=True) for n in (row[a], row[b], kind[k]))
        edges = np.fromiter(numbers, dtype=np.int64).reshape(-1, 3)
        out = _rows(len(ids), edges)
        ties = np.array([int(graph.nodes[n].get("ties", 0)) for n in ids])
        near, shares, back = _near(kinds, ties, edges)
        labels = tuple(str(graph.nodes[n]["label"]) for n in ids)
        return cls(
            ids=ids, labels=labels, kinds=kinds, out=out, near=near, shares=shares, back=back
        )

    def to_bytes(self) -> bytes:
        """Everything as one ``.npz`` file, without pickle.

        Texts become one UTF-8 byte array joined by line ends, since numpy pickles object arrays.
        """
        arrays: dict[str, NDArray[Any]] = {}
        for name in TEXTS:
            text = "\n".join(getattr(self, name))
            arrays[name] = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
        for name in EDGES:
            rows = getattr(self, name)
            arrays |= {f"{name}_{part}": getattr(rows, part) for part in PARTS}
        buffer = BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays, shares=self.shares, back=self.back)
        return buffer.getvalue()

    @classmethod
    def of_bytes(cls, data: bytes) -> GraphArrays:
        """The arrays of ``to_bytes``, of the same types and order.

        Raises ValueError, KeyError or OSError for another file. Nothing is unpickled, so that a
        file from elsewhere runs no code.
        """
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            texts = {n: tuple(stored[n].tobytes().decode("utf-8").split("\n")) for n in TEXTS}
            edges = {n: Rows(**{part: stored[f"{n}_{part}"] for part in PARTS}) for n in EDGES}
            return cls(shares=stored["shares"], back=stored["back"], **texts, **edges)  # type: ignore[arg-type]


def _rows(nodes: int, table: Ints) -> Rows:
    """CSR form of an (edges, 3) table of node, other, kind."""
    ordered = table[np.lexsort((table[:, 2], table[:, 1], table[:, 0]))]
    counts = np.bincount(ordered[:, 0], minlength=nodes)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Rows(starts=starts, ends=ordered[:, 1].copy(), kinds=ordered[:, 2].copy())


def _near(kinds: Sequence[str], ties: Ints, edges: Ints) -> tuple[Rows, Floats, Floats]:
    """Neighbours with ``shares`` and ``back``; damping as in NetworkxStore._damp."""
    pairs = np.concatenate([edges, edges[:, [1, 0, 2]]])
    # Of several edges between two nodes the heaviest stays, ties to the last name of a kind.
    rank = np.empty(len(KINDS), dtype=np.int64)
    rank[sorted(range(len(KINDS)), key=lambda k: (_WEIGHTS[k], KINDS[k]))] = range(len(KINDS))
    ordered = pairs[np.lexsort((rank[pairs[:, 2]], pairs[:, 1], pairs[:, 0]))]
    last = np.ones(len(ordered), dtype=bool)
    last[:-1] = (ordered[1:, :2] != ordered[:-1, :2]).any(axis=1)
    rows = _rows(len(kinds), ordered[last])
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
