"""The catalog as facts: every edge of the graph and every attribute of a record as a triple."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from retrieval.core import Edge, Fact, Graph, Node, Step, Tool
from retrieval.graph.build import EDGE_WEIGHTS, FACTS, stated

if TYPE_CHECKING:
    import networkx as nx

OPEN, RESTRICTED, OWN = (f"license_class:{label}" for label in ("open", "restricted", "own terms"))
"""Classes of licences; ``own terms`` are in no list of standard licences."""

OPEN_LICENCES = frozenset(
    files("retrieval.graph").joinpath("open_licences.txt").read_text("utf-8").split()
)

ATTRIBUTES = (
    ("works_in", "dimension", "dimensions"),
    ("has_interface", "interface", "interfaces"),
    ("runs_on", "platform", "platforms"),
    ("written_in", "language", "languages"),
    ("gpu_is", "gpu", "gpu"),
    ("has_license", "license", "license"),
    ("weights_license", "license", "license_weights"),
    ("last_released", "date", "last_release"),
)
"""Fields of a record that the graph does not walk: relation, kind, field."""

# The highest code point: (relation, LAST) sorts after every edge of the relation.
LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A node with its kind and label; ``details`` are plain values of its record."""

    id: str
    kind: str
    label: str
    details: Mapping[str, str] = field(default_factory=dict)


class FactBase:
    """Triples with look-up from either end, in an order that depends on the ids alone.

    ``mentioned`` are triples extracted from a description; records state the others.
    ``address`` says by head and relation where a record has a triple from, if it says so.
    """

    def __init__(
        self,
        items: Iterable[Item],
        triples: Iterable[Step],
        mentioned: Iterable[Step] = (),
        source: str = "graph",
        address: Callable[[str, str], str] = lambda head, relation: "",
    ) -> None:
        self.items = {item.id: item for item in items}
        self.source, self.address = source, address
        stated = dict.fromkeys(triples)
        self.mentioned = frozenset(t for t in mentioned if t not in stated)
        out: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        into: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for head, relation, tail in (*stated, *self.mentioned):
            if head in self.items and tail in self.items:
                out[head].append((relation, tail))
                into[tail].append((relation, head))
        self._out = {node: sorted(edges) for node, edges in out.items()}
        self._into = {node: sorted(edges) for node, edges in into.items()}

    def __contains__(self, node: str) -> bool:
        return node in self.items

    def label(self, node: str) -> str:
        """The label of a node; the id itself of an unknown one."""
        return self.items[node].label if node in self.items else node

    def kind(self, node: str) -> str:
        """The kind of a node; empty for an unknown one."""
        return self.items[node].kind if node in self.items else ""

    def tails(
        self, head: str, relation: str, *, stated: bool = False, most: int | None = None
    ) -> tuple[str, ...]:
        """The nodes that a relation leads to, by id; at most ``most`` edges are read.

        ``stated`` leaves out what only a description mentions; as this is done after ``most``,
        fewer may come back. Found by bisection, not by a scan of the node's edges.
        """
        ends = (t for _, t in _range(self._out.get(head, ()), relation, most))
        return tuple(t for t in ends if not stated or (head, relation, t) not in self.mentioned)

    def heads(
        self, relation: str, tail: str, *, stated: bool = False, most: int | None = None
    ) -> tuple[str, ...]:
        """The nodes from which a relation leads here, by id; at most ``most`` edges are read."""
        ends = (h for _, h in _range(self._into.get(tail, ()), relation, most))
        return tuple(h for h in ends if not stated or (h, relation, tail) not in self.mentioned)

    def has(self, step: Step) -> bool:
        """Whether the base holds a triple."""
        edges = self._out.get(step[0], ())
        at = bisect_left(edges, (step[1], step[2]))
        return at < len(edges) and edges[at] == (step[1], step[2])

    @cached_property
    def spellings(self) -> Mapping[str, tuple[str, ...]]:
        """The relations as they are written, by their case-folded names with underscores."""
        spellings_of: defaultdict[str, list[str]] = defaultdict(list)
        for relation in sorted({r for edges in self._out.values() for r, _ in edges}):
            spellings_of[folded_relation(relation)].append(relation)
        return {name: tuple(relations) for name, relations in spellings_of.items()}

    def around(self, node: str) -> Iterator[tuple[str, bool, str]]:
        """Relation, whether it leads away from the node, and the other end of every edge."""
        yield from ((relation, True, tail) for relation, tail in self._out.get(node, ()))
        yield from ((relation, False, head) for relation, head in self._into.get(node, ()))

    def degree(self, node: str) -> int:
        """How many edges a node has."""
        return len(self._out.get(node, ())) + len(self._into.get(node, ()))

    def relations(self, node: str) -> dict[tuple[str, bool], int]:
        """The relations at a node with their direction and how many edges each has.

        The key is (relation, whether it leads away from the node), in ascending order.
        """
        counts = {(r, True): n for r, n in _counted(self._out.get(node, ()))}
        counts |= {(r, False): n for r, n in _counted(self._into.get(node, ()))}
        return dict(sorted(counts.items()))

    def triples(self) -> Iterator[Step]:
        """Every triple, by head, relation and tail."""
        for head in sorted(self._out):
            yield from ((head, relation, tail) for relation, tail in self._out[head])

    def schema(self) -> dict[tuple[str, str, str], int]:
        """Number of triples by (head kind, relation, tail kind)."""
        kinds = Counter((self.kind(h), r, self.kind(t)) for h, r, t in self.triples())
        return dict(sorted(kinds.items()))

    def words(self, step: Step) -> str:
        """One triple in words."""
        head, relation, tail = step
        return f"{self.label(head)} {relation.replace('_', ' ')} {self.label(tail)}"

    def fact(self, step: Step, found_by: str) -> Fact:
        """A triple as evidence; its source names where the record has it from, if it says so."""
        head, relation, _ = step
        origin = "description" if step in self.mentioned else self.source
        address = "" if step in self.mentioned else self.address(head, relation)
        return Fact(
            id=" | ".join(step),
            text=self.words(step),
            nodes=(step[0], step[2]),
            steps=(step,),
            source=f"{origin}: {found_by}{f' ({address})' if address else ''}",
        )

    def path(self, steps: Sequence[Step], found_by: str) -> Fact:
        """Connected triples as one piece of evidence."""
        if len(steps) == 1:
            return self.fact(steps[0], found_by)
        nodes = dict.fromkeys(node for step in steps for node in (step[0], step[2]))
        return Fact(
            id=" ; ".join(" | ".join(step) for step in steps),
            text="; ".join(self.words(step) for step in steps),
            kind="path",
            nodes=tuple(nodes),
            steps=tuple(steps),
            source=f"{self.source}: {found_by}",
        )


def folded_relation(name: str) -> str:
    """A relation's name as it is compared: ``BORN IN`` is ``born_in``."""
    return name.strip().replace(" ", "_").casefold()


def _range(
    edges: Sequence[tuple[str, str]], relation: str, most: int | None = None
) -> Sequence[tuple[str, str]]:
    start = bisect_left(edges, (relation, ""))
    end = bisect_left(edges, (relation, LAST))
    return edges[start : end if most is None else min(end, start + most)]


def _counted(edges: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Relations with their numbers of edges, by bisection: hubs have thousands of edges."""
    at = 0
    while at < len(edges):
        relation = edges[at][0]
        end = bisect_left(edges, (relation, LAST), at)
        yield relation, end - at
        at = end


def licence_class(expression: str) -> str:
    """The class of an SPDX expression: open if all its licences (or one alternative) are open.

    WITH exceptions are ignored. A mix of AND and OR counts as AND, the cautious reading. Open are
    the licences of open_licences.txt; LicenseRef- names give OWN, others RESTRICTED.
    """
    plain = re.sub(r"\bWITH\s+\S+", "", expression.replace("(", " ").replace(")", " "))
    names = plain.split()
    parts = [name for name in names if name not in {"AND", "OR"}]
    # Without a parse of brackets a mixed expression is open only if all its licences are.
    choose = any if "OR" in names and "AND" not in names else all
    if parts and choose(p in OPEN_LICENCES for p in parts):
        return OPEN
    return OWN if any(p.startswith("LicenseRef-") for p in parts) else RESTRICTED


def tool_triples(tool: Tool) -> Iterator[tuple[str, str, str]]:
    """Relation, kind and label of everything a record states of a tool."""
    yield from stated(tool, (*FACTS, *ATTRIBUTES))
    for pair in tool.converts:
        yield "converts_from", "format", pair.before
        yield "converts_to", "format", pair.after
        yield "converts", "conversion", f"{pair.before} to {pair.after} ({pair.what})"
    if tool.license:
        yield "license_is", "license_class", licence_class(tool.license).partition(":")[2]


def catalog_facts(
    tools: Sequence[Tool],
    graph: nx.MultiDiGraph,
    more: Callable[[Tool], Iterable[tuple[str, str, str]]] = lambda tool: (),
    address: Callable[[str, str], str] = lambda head, relation: "",
) -> FactBase:
    """The facts of the records, and the further edges of the graph.

    ``more`` gives further relations, kinds and labels of a record.

    An edge from a tool to a concept that no record states counts as mentioned in its description.
    """
    items = {
        node: Item(id=node, kind=str(data["kind"]), label=str(data["label"]))
        for node, data in graph.nodes(data=True)
    }
    triples: dict[Step, None] = {}
    for tool in sorted(tools, key=lambda t: t.id):
        items[tool.id] = Item(id=tool.id, kind="tool", label=tool.name, details=_details(tool))
        for relation, kind, label in (*tool_triples(tool), *more(tool)):
            node = f"{kind}:{label}"
            items.setdefault(node, Item(id=node, kind=kind, label=label))
            triples[tool.id, relation, node] = None
    tool_ids = {tool.id for tool in tools}
    mentioned = []
    for head, tail, relation in graph.edges(keys=True):
        step = (head, relation, tail)
        if step in triples:
            continue
        if head in tool_ids and tail not in tool_ids:
            mentioned.append(step)
        else:
            triples[step] = None
    return FactBase(items.values(), triples, mentioned, "record", address)


def _details(tool: Tool) -> dict[str, str]:
    values = {"license": tool.license, "gpu": tool.gpu, "url": tool.url or tool.repo}
    values |= {"last_release": tool.last_release, "domain": tool.domain, "suite": tool.suite}
    return {name: value for name, value in values.items() if value}


def drawn(
    base: FactBase, facts: Iterable[Fact], seeds: Iterable[str], *, lone: bool = False
) -> Graph:
    """The excerpt of the graph behind some facts; ``lone`` draws seeds without an edge too.

    Nodes and edges are in the order of the facts, each once. Seeds that the base lacks are left
    out; a relation that EDGE_WEIGHTS lacks has weight 0.1.
    """
    seed_ids = tuple(dict.fromkeys(seed for seed in seeds if seed in base))
    steps = dict.fromkeys(step for fact in facts for step in fact.steps)
    nodes = dict.fromkeys(node for step in steps for node in (step[0], step[2]))
    if lone:
        nodes.update(dict.fromkeys(seed_ids))
    rows = []
    for node in nodes:
        kind = base.kind(node)
        role = "seed" if node in seed_ids else "added" if kind == "tool" else "link"
        rows.append(Node(id=node, label=base.label(node), kind=kind, role=role))  # type: ignore[arg-type]
    edges = (Edge(source=h, target=t, kind=r, weight=EDGE_WEIGHTS.get(r, 0.1)) for h, r, t in steps)
    return Graph(nodes=tuple(rows), edges=tuple(edges))
