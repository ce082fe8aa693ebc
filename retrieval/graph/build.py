"""The graph of a catalog: tools, what they do, on what, and what they need beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from retrieval.core.ports import Annotator
from retrieval.core.types import Tool
from retrieval.graph.biology import Entity, entity_edges, merged

EDGE_WEIGHTS: dict[str, float] = {
    "requires_tool": 1.0,
    "co_used_with": 0.9,
    "compatible_with": 0.7,
    "same_domain": 0.02,
    "part_of": 0.6,
    "performs": 0.7,
    "applies_to": 0.5,
    "images": 0.3,
    "accepts": 0.2,
    "produces": 0.2,
    "member_of": 0.1,
    "associated_with": 0.5,
    "is_a": 0.5,
}
"""How much of a seed's score an edge of each kind hands on."""

TOOL_EDGES = ("requires_tool", "compatible_with", "co_used_with", "same_domain")
NEAREST = 4
"""``same_domain`` joins a tool to this many of its domain that share most facts with it."""


MENTION_EDGES = {
    "operation": "performs",
    "modality": "images",
    "anatomy": "applies_to",
    "domain": "member_of",
}
"""Edge kind of a concept that a description mentions; any other kind is ``associated_with``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What finds concepts in a text, and the label and wider concepts of each id."""

    annotator: Annotator
    labels: Mapping[str, str]
    parents: Mapping[str, Sequence[str]]


def build_graph(
    tools: Sequence[Tool], lexicon: Lexicon | None = None, biology: Iterable[Entity] = ()
) -> nx.MultiDiGraph:
    """Nodes and edges of the records, in an order that depends on their ids alone.

    A tool's node is its id; the others are ``kind:label``. Every edge has ``kind`` and
    ``weight``; links to tools that are not there make no node. With a lexicon, what a name and
    description mention is linked too, so that plain texts without one fact make a graph. Of
    biology there is what a chain of links ties to a tool.
    """
    graph = nx.MultiDiGraph()
    listed = sorted(tools, key=lambda t: t.id)
    for tool in listed:
        graph.add_node(tool.id, kind="tool", label=tool.name)
    for tool in listed:
        for kind, node_kind, label in tool_facts(tool):
            node = f"{node_kind}:{label}"
            graph.add_node(node, kind=node_kind, label=label)
            _join(graph, tool.id, node, kind)
    for source, target, kind in (*_links(listed), *_same_domain(listed)):
        if source in graph and target in graph and source != target:
            _join(graph, source, target, kind)
    if lexicon is not None:
        _mentions(graph, listed, lexicon)
    _entities(graph, merged(biology))
    return graph


def _join(graph: nx.MultiDiGraph, source: str, target: str, kind: str) -> None:
    graph.add_edge(source, target, key=kind, kind=kind, weight=EDGE_WEIGHTS[kind])


def _entities(graph: nx.MultiDiGraph, entities: Sequence[Entity]) -> None:
    """Nodes and edges of the entities that some tool of the graph is tied to."""
    held = {entity.id for entity in entities}
    edges = [e for e in entity_edges(entities) if e[1] in held and (e[0] in held or e[0] in graph)]
    ties = nx.Graph([(source, target) for source, target, _ in edges if source != target])
    tools = sorted(node for node in ties if node not in held)
    tied = set(tools)
    for tool in tools:
        if not tied.issuperset(ties[tool]):
            tied |= nx.node_connected_component(ties, tool)
    for entity in entities:
        if entity.id in tied:
            graph.add_node(entity.id, kind=entity.kind, label=entity.label)
    for source, target, kind in edges:
        if source in tied and target in tied and source != target:
            _join(graph, source, target, kind)


def _mentions(graph: nx.MultiDiGraph, tools: Iterable[Tool], lexicon: Lexicon) -> None:
    for tool in tools:
        for concept in lexicon.annotator.concepts(f"{tool.name}. {tool.description}"):
            kind = MENTION_EDGES.get(concept.split(":", 1)[0], "associated_with")
            _concept(graph, concept, lexicon)
            if not graph.has_edge(tool.id, concept):
                _join(graph, tool.id, concept, kind)


def _concept(graph: nx.MultiDiGraph, concept: str, lexicon: Lexicon) -> None:
    """The node of a concept, below those of its wider ones."""
    if concept not in graph or "wider" not in graph.nodes[concept]:
        label = lexicon.labels.get(concept, concept.split(":", 1)[-1])
        told = graph.nodes[concept].get("label", label) if concept in graph else label
        graph.add_node(concept, kind=concept.split(":", 1)[0], label=told, wider=True)
        for parent in lexicon.parents.get(concept, ()):
            _concept(graph, parent, lexicon)
            _join(graph, concept, parent, "is_a")


def tool_facts(tool: Tool) -> Iterator[tuple[str, str, str]]:
    """Edge kind, node kind and label of every fact that links a tool to a concept."""
    yield from (("performs", "operation", task) for task in tool.tasks)
    yield from (("images", "modality", m) for m in tool.modalities)
    yield from (("applies_to", "anatomy", part) for part in tool.anatomy)
    yield from (("accepts", "format", f) for f in tool.formats_in)
    yield from (("produces", "format", f) for f in tool.formats_out)
    if tool.domain:
        yield "member_of", "domain", tool.domain
    if tool.suite:
        yield "part_of", "suite", tool.suite


def _links(tools: Iterable[Tool]) -> Iterator[tuple[str, str, str]]:
    for tool in tools:
        yield from ((tool.id, other, "requires_tool") for other in tool.requires_tool)
        yield from ((tool.id, other, "compatible_with") for other in tool.compatible_with)
        yield from ((tool.id, other, "co_used_with") for other in tool.co_used_with)


def _same_domain(tools: Sequence[Tool]) -> Iterator[tuple[str, str, str]]:
    """Each tool with the few of its domain that share most of its facts, ties by id."""
    facts = {t.id: frozenset(tool_facts(t)) for t in tools}
    holders: defaultdict[tuple[str, tuple[str, str, str]], list[str]] = defaultdict(list)
    for tool in tools:
        for fact in facts[tool.id]:
            if tool.domain and fact[0] != "member_of":
                holders[tool.domain, fact].append(tool.id)
    for tool in tools:
        shared: defaultdict[str, float] = defaultdict(float)
        for fact in sorted(facts[tool.id]):
            others = holders.get((tool.domain or "", fact), [])
            for other in others:
                shared[other] += 1 / len(others)
        shared.pop(tool.id, None)
        near = sorted(shared, key=lambda i: (-round(shared[i], 9), i))[:NEAREST]
        yield from ((tool.id, other, "same_domain") for other in near)
