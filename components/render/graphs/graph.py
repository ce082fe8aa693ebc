"""The knowledge graph of an answer: its frame, and a pyvis model laid out in layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.render.graphs.layers import focus_of, layered
from retrieval import Graph, Node

if TYPE_CHECKING:
    from pyvis.network import Network


LEGEND = (
    ("final", "recommended"),
    ("seed", "found by the search"),
    ("added", "added by the graph"),
    ("concept", "what they share"),
)
LINES = (
    ("requires", "requires"),
    ("works", "works with"),
    ("together", "used together"),
    ("other", "any other link"),
)
ABOUT = """From left to right: recommended tools, what they share, tools the graph added. A bold
link is a requirement. Click a tool for its detail, drag to move it."""
TOOLS = (
    ("all", "Show all"),
    ("in", "Zoom in"),
    ("out", "Zoom out"),
    ("fit", "Fit"),
    ("png", "Save PNG"),
    ("html", "Save HTML"),
)


def graph_box(about: str = ABOUT, legend: Sequence[tuple[str, str]] = LEGEND) -> str:
    """The frame; it never changes, so the drawing inside lives as long as the page."""
    marks = "".join(f"<li><i class='dot look-{k}'></i>{v}</li>" for k, v in legend)
    marks += "".join(f"<li><i class='stroke line-{k}'></i>{v}</li>" for k, v in LINES)
    tools = "".join(
        f"<button type='button' class='btn btn-small' data-graph='{k}'>{v}</button>"
        for k, v in TOOLS
    )
    search = (
        "<label class='find'><span class='sr'>Find in the graph</span>"
        "<input type='search' placeholder='Find in the graph' autocomplete='off'></label>"
    )
    return (
        f"<div class='head'><h2>Knowledge graph</h2><p class='sub'>{about}</p></div>"
        f"<div class='graphbar'>{search}{tools}<span class='shown' role='status'></span></div>"
        f"<ul class='legend marks'>{marks}</ul>"
        "<div class='canvas' role='img' aria-label='Knowledge graph of this answer; "
        "the same data stand in the table below'></div>"
        "<details id='graphtable' class='graphtable' hidden><summary></summary></details>"
    )


ROLES = {
    "seed": "found by the search",
    "added": "added by the graph",
    "dropped": "left out",
    "link": "what they share",
}
NODE = ("id", "label", "kind", "role", "said", "look", "near", "far")
EDGE = ("from", "to", "kind", "weight")
"""What the page's script draws picture and table from; all else it makes of these."""


def network(graph: Graph, finals: Sequence[str], roles: Mapping[str, str] = ROLES) -> Network:
    """The answer's graph as a pyvis network: every node and edge, their places beside them.

    ``finals`` are the ids of the recommended tools, best first. ``near`` is a node's place in the
    first view (None: not in it), ``far`` its place in the view of everything; both in
    units of the canvas, which are pixels at zoom 1.
    """
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="local")
    shown = focus_of(graph, finals)
    near, far = layered(graph, finals, shown), layered(graph, finals, None)
    for node in graph.nodes:
        places = (near.get(node.id), far[node.id])
        net.add_node(node.id, **_node(node, places, node.id in finals, roles[node.role]))
    for edge in graph.edges:
        net.add_edge(edge.source, edge.target, kind=edge.kind, weight=edge.weight)
    return net


def graph_value(
    graph: Graph, finals: Sequence[str], roles: Mapping[str, str] = ROLES
) -> dict[str, Any]:
    """Nodes and edges of the pyvis model, as assets/js/graph.js takes them.

    ``nodes`` with the keys of ``NODE`` and ``edges`` with those of ``EDGE``, in the graph's order.
    """
    net = network(graph, finals, roles)
    return {
        "nodes": [{key: node[key] for key in NODE} for node in net.nodes],
        "edges": [{key: edge[key] for key in EDGE} for edge in net.edges],
    }


Place = tuple[float, float]


def _node(node: Node, places: tuple[Place | None, Place], final: bool, role: str) -> dict[str, Any]:
    near, far = places
    group = node.kind if node.kind == "tool" else "concept"
    return {
        "label": node.label,
        "near": list(near) if near else None,
        "far": list(far),
        "kind": node.kind,
        "role": node.role,
        "said": role,
        "look": "final" if final else node.role if group == "tool" else "concept",
    }
