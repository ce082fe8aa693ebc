"""What the tools of an excerpt have in common, as a few nodes that group them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from retrieval.core.stage import Edge, Graph, Node
from retrieval.core.types import Tool
from retrieval.graph.build import EDGE_WEIGHTS, tool_facts

GROUPS = 12
GROUPING = frozenset({"performs", "images", "applies_to"})


def with_concepts(graph: Graph, tools: Mapping[str, Tool], limit: int = GROUPS) -> Graph:
    """The excerpt with up to ``limit`` concepts, each tied to the tools it groups.

    Greedy cover: the concept that most of the tools without one share comes next, ties by id;
    a concept of one tool groups nothing. Concepts that are drawn already are not drawn twice.
    """
    facts = {n.id: _facts(tools[n.id]) for n in graph.nodes if n.kind == "tool" and n.id in tools}
    left = dict(facts)
    nodes = {n.id: n for n in graph.nodes}
    edges = {(e.source, e.kind, e.target): e for e in graph.edges}
    for _ in range(limit):
        held = Counter(fact for several in left.values() for fact in several)
        shared = [(-n, fact) for fact, n in held.items() if n > 1]
        if not shared:
            break
        kind, node_kind, label = fact = min(shared)[1]
        node = f"{node_kind}:{label}"
        nodes.setdefault(node, Node(id=node, label=label, kind=node_kind, role="link"))
        for tool in [t for t, several in left.items() if fact in several]:
            del left[tool]
            edge = Edge(source=tool, target=node, kind=kind, weight=EDGE_WEIGHTS[kind])
            edges[tool, kind, node] = edge
    return Graph(nodes=tuple(nodes.values()), edges=tuple(edges[k] for k in sorted(edges)))


def _facts(tool: Tool) -> frozenset[tuple[str, str, str]]:
    return frozenset(fact for fact in tool_facts(tool) if fact[0] in GROUPING)
