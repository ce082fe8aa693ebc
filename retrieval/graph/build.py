"""The graph of a catalog: tools, tasks, modalities, formats, and links between tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from retrieval.catalog import Annotator
from retrieval.core import Tool
from retrieval.graph.biology import Entity, entity_edges, merged

if TYPE_CHECKING:
    import networkx as nx

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
"""The fraction of a score that an edge of each kind passes on, before damping."""

TOOL_EDGES = ("requires_tool", "compatible_with", "co_used_with", "same_domain")
STATED = TOOL_EDGES[:3]
"""Links between tools that a record states; only these damp a tool as a hub."""

NEAREST = 4
"""``same_domain`` joins a tool to the tools of its domain with the most shared facts."""
CROWD = 1_000
"""A fact shared by more tools of a domain is too common to tell near tools apart."""


MENTION_EDGES = {
    "operation": "performs",
    "modality": "images",
    "anatomy": "applies_to",
    "domain": "member_of",
}
"""Edge kind of a concept that a description mentions; any other kind is ``associated_with``."""


FACTS = (
    ("performs", "operation", "tasks"),
    ("images", "modality", "modalities"),
    ("applies_to", "anatomy", "anatomy"),
    ("accepts", "format", "formats_in"),
    ("produces", "format", "formats_out"),
    ("member_of", "domain", "domain"),
    ("part_of", "suite", "suite"),
)
"""Fields of a record that link it to concepts: edge kind, node kind, field."""


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
    ``weight``; a tool has ``ties``: the number of tools that stated links join it to. Links to
    tools outside the catalog create no node. With a lexicon, concepts that a name or description
    mentions are linked too, so that records without facts still give a graph. Of ``biology``
    only entities connected to a tool enter.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    ordered_tools = sorted(tools, key=lambda t: t.id)
    for tool in ordered_tools:
        graph.add_node(tool.id, kind="tool", label=tool.name)
    for tool in ordered_tools:
        for kind, node_kind, label in tool_facts(tool):
            node = f"{node_kind}:{label}"
            graph.add_node(node, kind=node_kind, label=label)
            _join(graph, tool.id, node, kind)
    links = (
        (t.id, end, kind) for t in ordered_tools for kind in STATED for end in getattr(t, kind)
    )
    for source, target, kind in (*links, *_same_domain(ordered_tools)):
        if source in graph and target in graph and source != target:
            _join(graph, source, target, kind)
    if lexicon is not None:
        _mentions(graph, ordered_tools, lexicon)
    _entities(graph, merged(biology))
    _count_ties(graph)
    return graph


def _join(graph: nx.MultiDiGraph, source: str, target: str, kind: str) -> None:
    graph.add_edge(source, target, key=kind, kind=kind, weight=EDGE_WEIGHTS[kind])


def _count_ties(graph: nx.MultiDiGraph) -> None:
    joined: defaultdict[str, set[str]] = defaultdict(set)
    for source, target, kind in graph.edges(keys=True):
        if kind in STATED:
            joined[source].add(target)
            joined[target].add(source)
    for node, data in graph.nodes(data=True):
        if data["kind"] == "tool":
            data["ties"] = len(joined[node])


def _entities(graph: nx.MultiDiGraph, entities: Sequence[Entity]) -> None:
    """Nodes and edges of the entities in one connected component with a tool."""
    import networkx as nx

    ids = {entity.id for entity in entities}
    edges = [e for e in entity_edges(entities) if e[1] in ids and (e[0] in ids or e[0] in graph)]
    ties = nx.Graph([(source, target) for source, target, _ in edges if source != target])
    tools = sorted(node for node in ties if node not in ids)
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
    """Adds the node of a concept, and recursively its wider concepts with ``is_a`` edges."""
    if concept not in graph or "wider" not in graph.nodes[concept]:
        label = lexicon.labels.get(concept, concept.split(":", 1)[-1])
        label_here = graph.nodes[concept].get("label", label) if concept in graph else label
        graph.add_node(concept, kind=concept.split(":", 1)[0], label=label_here, wider=True)
        for parent in lexicon.parents.get(concept, ()):
            _concept(graph, parent, lexicon)
            _join(graph, concept, parent, "is_a")


def stated(tool: Tool, table: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Relation, node kind and label of the values of a record in the fields of a table."""
    for relation, kind, field in table:
        value = getattr(tool, field)
        for label in value if isinstance(value, tuple) else (value,) if value else ():
            yield relation, kind, label


def place_stated(graph: nx.MultiDiGraph, lexicon: Lexicon) -> None:
    """Join every concept that the records state to its wider ones; those mentioned have them.

    Expansion goes without these edges, so that a record's own fact leads no further than it says.
    """
    for node in sorted(node for node in graph if node in lexicon.parents):
        _concept(graph, node, lexicon)


def tool_facts(tool: Tool) -> Iterator[tuple[str, str, str]]:
    """Edge kind, node kind and label of every fact that links a tool to a concept."""
    return stated(tool, FACTS)


def _same_domain(tools: Sequence[Tool]) -> Iterator[tuple[str, str, str]]:
    """Each tool with the NEAREST of its domain by shared facts, ties by id."""
    domains: defaultdict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        if tool.domain:
            domains[tool.domain].append(tool)
    near = {t.id: others for several in domains.values() for t, others in _nearest(several)}
    yield from ((t.id, other, "same_domain") for t in tools for other in near.get(t.id, ()))


def _nearest(tools: Sequence[Tool]) -> Iterator[tuple[Tool, list[str]]]:
    """Tools of one domain, each with its nearest; a shared fact of n holders counts 1 / n."""
    facts = [sorted(f for f in frozenset(tool_facts(t)) if f[0] != "member_of") for t in tools]
    holders: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row, members in enumerate(facts):
        for fact in members:
            holders[fact].append(row)
    rows = {f: np.array(members) for f, members in holders.items() if len(members) <= CROWD}
    for row, tool in enumerate(tools):
        groups = [rows[f] for f in facts[row] if f in rows]
        if not groups:
            continue
        weights = np.concatenate([np.full(len(g), 1 / len(g)) for g in groups])
        shared = np.bincount(np.concatenate(groups), weights=weights, minlength=len(tools))
        shared[row] = 0.0
        shared = np.round(shared, 9)
        floor = np.partition(shared, -NEAREST)[-NEAREST] if len(tools) > NEAREST else 0.0
        best = np.flatnonzero((shared > 0) & (shared >= floor))
        order = best[np.argsort(-shared[best], kind="stable")][:NEAREST]
        yield tool, [tools[n].id for n in order.tolist()]
