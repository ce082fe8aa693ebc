"""The knowledge graph of an answer: a pyvis model, laid out in layers, and its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.render.layers import focus_of, layered
from components.render.markup import attrs, esc
from retrieval import Edge, Graph, Node

if TYPE_CHECKING:
    from pyvis.network import Network

ROLES = {
    "seed": "found by the search",
    "added": "added by the graph",
    "dropped": "left out",
    "link": "what they share",
}
LONGEST = 26


def network(graph: Graph, finals: Sequence[str], roles: Mapping[str, str] = ROLES) -> Network:
    """The answer's graph as a pyvis network: every node and edge, positions set, no physics."""
    from pyvis.network import Network

    net = Network(directed=True, cdn_resources="local")
    shown = focus_of(graph, finals)
    near, far = layered(graph, finals, shown), layered(graph, finals, None)
    for node in graph.nodes:
        places = (near.get(node.id), far[node.id])
        net.add_node(node.id, **_node(node, places, node.id in finals, roles[node.role]))
    for edge in graph.edges:
        net.add_edge(edge.source, edge.target, **_edge(edge))
    return net


def graph_value(
    graph: Graph, finals: Sequence[str], roles: Mapping[str, str] = ROLES
) -> dict[str, Any]:
    """What the page's script draws: the nodes and edges of the pyvis model."""
    net = network(graph, finals, roles)
    words = [f"{e.source} {e.kind} {e.target}" for e in graph.edges]
    nodes = [{k: v for k, v in n.items() if k != "color"} for n in net.nodes]
    edges = [{**e, "id": f"{n}:{w}"} for n, (e, w) in enumerate(zip(net.edges, words, strict=True))]
    return {"nodes": nodes, "edges": edges}


Place = tuple[float, float]


def _node(node: Node, places: tuple[Place | None, Place], final: bool, role: str) -> dict[str, Any]:
    near, far = places
    label = node.label if len(node.label) <= LONGEST else f"{node.label[: LONGEST - 1]}…"
    group = node.kind if node.kind == "tool" else "concept"
    return {
        "label": label,
        "title": f"{node.label}: {node.kind}, {role}",
        "x": far[0],
        "y": far[1],
        "near": list(near) if near else None,
        "far": list(far),
        "kind": node.kind,
        "role": node.role,
        "look": "final" if final else node.role if group == "tool" else "concept",
        "physics": False,
    }


def _edge(edge: Edge) -> dict[str, Any]:
    words = edge.kind.replace("_", " ")
    return {"kind": edge.kind, "title": words, "weight": edge.weight}


def graph_table(graph: Graph, roles: Mapping[str, str] = ROLES) -> str:
    """The same nodes and edges as two tables, for keyboards, screen readers and phones."""
    labels = {n.id: n.label for n in graph.nodes}
    if not graph.nodes:
        return ""
    summary = f"Same data as a table: {len(graph.nodes)} nodes, {len(graph.edges)} links"
    body = _edges(graph, labels) + _nodes(graph, roles)
    return f"<details class='graphtable'><summary>{summary}</summary>{body}</details>"


def _edges(graph: Graph, labels: Mapping[str, str]) -> str:
    rows = "".join(_edge_row(e, labels) for e in graph.edges)
    return _table("Links", ("From", "Link", "To"), rows)


def _table(name: str, heads: Sequence[str], rows: str) -> str:
    head = "".join(f"<th scope='col'>{h}</th>" for h in heads)
    inner = f"<caption>{name}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    out = attrs(class_="wide", tabindex=0, role="group", aria_label=name)
    return f"<div{out}><table>{inner}</table></div>"


def _edge_row(edge: Edge, labels: Mapping[str, str]) -> str:
    out = attrs(data_source=edge.source, data_kind=edge.kind, data_target=edge.target)
    cells = (labels.get(edge.source, edge.source), edge.kind.replace("_", " "))
    last = labels.get(edge.target, edge.target)
    inner = "".join(f"<td>{esc(c)}</td>" for c in (*cells, last))
    return f"<tr{out}>{inner}</tr>"


def _nodes(graph: Graph, roles: Mapping[str, str]) -> str:
    rows = "".join(_node_row(n, roles[n.role]) for n in graph.nodes)
    return _table("Nodes", ("Node", "Kind", "Role"), rows)


def _node_row(node: Node, role: str) -> str:
    name = esc(node.label)
    tool = node.id if node.kind == "tool" else None
    if tool:
        act = attrs(type="button", class_="name", data_act="select", data_id=node.id)
        name = f"<button{act}>{name}</button>"
    out = attrs(data_node=node.id, data_tool=tool)
    return f"<tr{out}><td>{name}</td><td>{esc(node.kind)}</td><td>{esc(role)}</td></tr>"
