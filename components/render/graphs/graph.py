"""The knowledge graph of an answer: its frame, and a pyvis model laid out in layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.render.codes import code_name
from components.render.graphs.basis import basis_of
from components.render.graphs.layers import layered
from retrieval import Graph, Node, Tool

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
ABOUT = """The selected tool with what it is linked to. Click a node to see its own links, a link
to read what it rests on; arrow keys walk."""
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
        "<div class='canvas' role='application' tabindex='0' aria-describedby='graphrests' "
        "aria-label='Knowledge graph: arrow keys walk from node to node, Enter opens one; "
        "the same data stand in the table beside it'></div>"
        "<div id='graphrests' role='status'><ul class='rests' aria-label='Links of the node'></ul>"
        "</div>"
        "<details id='graphtable' class='graphtable' hidden><summary></summary></details>"
    )


ROLES = {
    "final": "recommended",
    "seed": "found by the search",
    "added": "added by the graph",
    "dropped": "left out",
    "link": "what they share",
}
NODE = ("id", "label", "kind", "role", "said", "look", "far")
EDGE = ("from", "to", "kind", "weight", "rests")
"""What the page's script draws picture and table from; all else it makes of these."""


CODED = frozenset({"modality", "format"})
"""Kinds of nodes whose labels may be codes; those of genes look like codes and are none."""

NO_CATALOG: Mapping[str, Tool] = {}


def network(
    graph: Graph,
    finals: Sequence[str],
    roles: Mapping[str, str] = ROLES,
    catalog: Mapping[str, Tool] = NO_CATALOG,
) -> Network:
    """The answer's graph as a pyvis network: every node and edge, their places beside them.

    ``finals`` are the ids of the recommended tools, best first. ``far`` is a node's place in the
    view of everything, in units of the canvas, which are pixels at zoom 1; the page places
    the neighbours of a selected node itself. ``rests`` of an edge is a word of ``basis_of``.
    """
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="local")
    far = layered(graph, finals)
    for node in graph.nodes:
        is_final = node.id in finals
        net.add_node(node.id, **_node(node, far[node.id], is_final, roles))
    for edge in graph.edges:
        rests = basis_of(edge, catalog)
        net.add_edge(edge.source, edge.target, kind=edge.kind, weight=edge.weight, rests=rests)
    return net


def graph_value(
    graph: Graph,
    finals: Sequence[str],
    roles: Mapping[str, str] = ROLES,
    catalog: Mapping[str, Tool] = NO_CATALOG,
) -> dict[str, Any]:
    """Nodes and edges of the pyvis model, as assets/js/graph.js takes them.

    ``nodes`` with the keys of ``NODE`` and ``edges`` with those of ``EDGE``, in the graph's order.
    """
    net = network(graph, finals, roles, catalog)
    return {
        "nodes": [{key: node[key] for key in NODE} for node in net.nodes],
        "edges": [{key: edge[key] for key in EDGE} for edge in net.edges],
    }


def _node(
    node: Node, far: tuple[float, float], is_final: bool, roles: Mapping[str, str]
) -> dict[str, Any]:
    group = node.kind if node.kind == "tool" else "concept"
    return {
        "label": code_name(node.label) if node.kind in CODED else node.label,
        "far": list(far),
        "kind": node.kind,
        "role": node.role,
        "said": roles.get("final", roles[node.role]) if is_final else roles[node.role],
        "look": "final" if is_final else node.role if group == "tool" else "concept",
    }
