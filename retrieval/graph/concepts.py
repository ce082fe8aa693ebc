"""Concepts that tools of an excerpt share, as a few nodes, and the links that records state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from retrieval.core import Edge, Graph, Node, Tool
from retrieval.graph.build import EDGE_WEIGHTS, STATED, tool_facts

GROUPS = 12
GROUPING = frozenset({"performs", "images", "applies_to"})

Fact = tuple[str, str, str]


class Grouping:
    """Grouping concepts for excerpts of one catalog; facts of a record are read once."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = tools
        self._number_of: dict[Fact, int] = {}
        self._facts: dict[int, Fact] = {}
        self._numbers = count()
        self._stated: dict[str, frozenset[int]] = {}

    def with_concepts(self, graph: Graph, limit: int = GROUPS) -> Graph:
        """The excerpt with up to ``limit`` concepts, each tied to the tools it groups.

        Greedy cover: the concept that most of the tools without one share comes next, ties by
        id; a concept of one tool groups nothing. Concepts that are drawn already are not drawn
        twice.
        """
        nodes = {n.id: n for n in graph.nodes}
        edges = {(e.source, e.kind, e.target): e for e in graph.edges}
        for fact, tools in self._cover([n.id for n in graph.nodes if n.kind == "tool"], limit):
            kind, node_kind, label = fact
            node = f"{node_kind}:{label}"
            nodes.setdefault(node, Node(id=node, label=label, kind=node_kind, role="link"))
            for tool in tools:
                edge = Edge(source=tool, target=node, kind=kind, weight=EDGE_WEIGHTS[kind])
                edges[tool, kind, node] = edge
        return Graph(nodes=tuple(nodes.values()), edges=tuple(edges[k] for k in sorted(edges)))

    def _cover(self, tools: Sequence[str], limit: int) -> Iterator[tuple[Fact, list[str]]]:
        ungrouped_tools = {tool: self._grouping_facts(tool) for tool in tools}
        holders: defaultdict[int, list[str]] = defaultdict(list)
        for tool, stated in ungrouped_tools.items():
            for number in stated:
                holders[number].append(tool)
        counts = {number: len(several) for number, several in holders.items()}
        for _ in range(limit):
            most = max(counts.values(), default=0)
            if most < 2:
                return
            numbers = (number for number, n in counts.items() if n == most)
            best_number = min(numbers, key=self._facts.__getitem__)
            several = [tool for tool in holders[best_number] if tool in ungrouped_tools]
            for tool in several:
                for number in ungrouped_tools.pop(tool):
                    counts[number] -= 1
            yield self._facts[best_number], several

    def _grouping_facts(self, tool: str) -> frozenset[int]:
        """Numbers of the facts of a tool that can group it; empty for an id without a record."""
        if tool not in self._stated:
            facts = tool_facts(self._tools[tool]) if tool in self._tools else ()
            numbers = set()
            for fact in facts:
                if fact[0] in GROUPING:
                    # Threads may read the same record at once: setdefault gives all the same.
                    number = self._number_of.setdefault(fact, next(self._numbers))
                    self._facts.setdefault(number, fact)
                    numbers.add(number)
            self._stated[tool] = frozenset(numbers)
        return self._stated[tool]


def with_stated_links(graph: Graph, tools: Iterable[Tool]) -> Graph:
    """The excerpt with every link between its nodes that the records of these tools state.

    An expansion draws the paths that it walked; of a tool it reached by one fact, the picture
    would say that this is all that the record states.
    """
    ids = {node.id for node in graph.nodes}
    edges = {(e.source, e.kind, e.target): e for e in graph.edges}
    for tool in (tool for tool in tools if tool.id in ids):
        links = [(kind, f"{node_kind}:{label}") for kind, node_kind, label in tool_facts(tool)]
        links += [(kind, other) for kind in STATED for other in getattr(tool, kind)]
        for kind, end in links:
            if end in ids and end != tool.id:
                edge = Edge(source=tool.id, target=end, kind=kind, weight=EDGE_WEIGHTS[kind])
                edges.setdefault((tool.id, kind, end), edge)
    return Graph(nodes=graph.nodes, edges=tuple(edges[k] for k in sorted(edges)))
