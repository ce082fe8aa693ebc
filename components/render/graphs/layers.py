"""Positions for the graph: recommended, found, shared concepts, added; from left to right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from retrieval import Graph, Node

Positions = dict[str, tuple[float, float]]
Neighbours = Mapping[str, Collection[str]]

ROWS, WIDE, HIGH, GAP = 16, 215.0, 58.0, 130.0
"""Nodes in a column, and the room for each with its whole name; between two layers stands a gap."""


def layered(graph: Graph, finals: Sequence[str]) -> Positions:
    """(x, y) in canvas units of every node, the same for the same graph.

    Layers from left to right: recommended, found, shared concepts, added. Inside a layer nodes
    stand in the order of the answer, then by the mean height of the nodes that they are linked
    to, so that links cross little (the barycentre rule of Sugiyama, 1981); ties by id.
    """
    plain = _plain(graph)
    rank = {tool: place for place, tool in enumerate(finals)}
    placed: Positions = {}

    def key(node: str) -> tuple[int, int, float, str]:
        heights = [placed[m][1] for m in plain[node] if m in placed]
        mean = sum(heights) / len(heights) if heights else 0.0
        return rank.get(node, len(rank)), 0 if heights else 1, mean, node

    left_edge = 0.0
    for layer in range(4):
        here = [n.id for n in graph.nodes if _layer(n, rank) == layer]
        left_edge = _place(sorted(here, key=key), left_edge, placed) if here else left_edge
    return placed


def _plain(graph: Graph) -> Neighbours:
    """What every node is linked to, whatever the direction; in the order of the links."""
    beside: dict[str, dict[str, None]] = {n.id: {} for n in graph.nodes}
    for edge in graph.edges:
        beside.setdefault(edge.source, {})[edge.target] = None
        beside.setdefault(edge.target, {})[edge.source] = None
    return beside


def _layer(node: Node, rank: Mapping[str, int]) -> int:
    if node.id in rank:
        return 0
    if node.kind != "tool":
        return 2
    return 3 if node.role == "added" else 1


def _place(order: Sequence[str], left_edge: float, placed: Positions) -> float:
    """Fill columns from the left, each centred on height 0; the left edge of the next layer."""
    # Rounded up; then the nodes are spread evenly over the columns.
    columns = -(-len(order) // ROWS)
    rows = -(-len(order) // columns)
    for place, node in enumerate(order):
        column, row = divmod(place, rows)
        inside = min(rows, len(order) - column * rows)
        # A short single column is stretched, at most twofold, so that its labels do not crowd.
        stretch = HIGH * (ROWS / max(inside, 1) if inside < ROWS / 2 and columns == 1 else 1.0)
        top = -(inside - 1) / 2 * min(stretch, HIGH * 2)
        placed[node] = (left_edge + column * WIDE, round(top + row * min(stretch, HIGH * 2), 1))
    return left_edge + columns * WIDE + GAP
