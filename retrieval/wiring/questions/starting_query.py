"""A query to start from: the one that was run, or one that fetches what an answer rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.core import Node, Step
from retrieval.graphdb import NODE, RELATION, iri, label_of, relation_of
from retrieval.wiring.questions.graph_parts import CYPHER, SPARQL
from retrieval.wiring.questions.response import Response

MOST = 4
"""Conditions of one query."""
MANY = 3
"""A link that one tool in so many has is one of the conditions."""
LIMIT = 100
CHAIN = 4
"""Links of a way over two tools."""
UNSAFE = frozenset("'\\`")
"""Characters that a name in a query would have to escape, which no query may."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Tools that share these links; a relation alone where one tool is asked about.

    ``chain`` are the two ends of a way over two tools, ``compared`` tools side by side.
    """

    shared: tuple[tuple[str, Node], ...]
    subject: Node | None = None
    relation: str = ""
    chain: tuple[Node, Node] | None = None
    compared: tuple[Node, ...] = ()


_DICOM = Node(id="format:DICOM", label="DICOM", kind="format", role="link")
DEFAULT = _Pattern((("accepts", _DICOM),))


def starting_queries(response: Response | None = None) -> Mapping[str, str]:
    """A query by language; the query that a model wrote stands as it was run."""
    pattern = _pattern(response) if response is not None else DEFAULT
    queries = {CYPHER: _cypher(pattern), SPARQL: _sparql(pattern)}
    # The query of the whole set of an answer, negations included, where the graph can give it.
    queries |= response.set_queries if response is not None else {}
    ran = response.query if response is not None else None
    return queries | ({ran.language: ran.text} if ran is not None else {})


def _pattern(response: Response) -> _Pattern:
    nodes = {node.id: node for node in response.graph.nodes if not UNSAFE & set(node.label)}
    ways = [fact.steps for fact in response.evidence.facts if fact.kind == "path"]
    ends = [(way[0][2], way[-1][2]) for way in ways if len(way) == CHAIN]
    if ends and all(end in nodes for end in ends[0]):
        return _Pattern((), chain=(nodes[ends[0][0]], nodes[ends[0][1]]))
    # The links behind the answer; without an answer, all links of the search.
    cited = {one for sentence in response.evidence.answer for one in sentence.evidence}
    facts = [fact for fact in response.evidence.facts if not cited or fact.id in cited]
    links = [step for fact in facts for step in fact.steps]
    steps = [step for step in links if step[0] in nodes and step[2] in nodes]
    tools = dict.fromkeys(head for head, _, _ in steps if nodes[head].kind == "tool")
    if len(tools) == 1:
        (tool,) = tools
        return _Pattern((), nodes[tool], next(r for head, r, _ in steps if head == tool))
    named = [nodes[one] for one in response.evidence.linked if one in tools]
    if len(tools) == len(named) > 1:
        return _Pattern((), compared=tuple(named))
    shared = tuple((relation, nodes[end]) for relation, end in _shared(steps))
    return _Pattern(shared) if shared else DEFAULT


def _shared(steps: Sequence[Step]) -> list[tuple[str, str]]:
    """Links that many of the tools have, in the order found; of one relation the commonest.

    A link is compared with the tools whose links of that relation are in evidence: evidence is
    cut at a number of facts, so a tool whose link is absent may have it. Tools that the first
    relation does not lead from are what the question compares with.
    """
    heads_found = {head for head, relation, _ in steps if relation == steps[0][1]}
    own = dict.fromkeys(step for step in steps if step[0] in heads_found)
    counted = Counter((relation, end) for _, relation, end in own)
    heads = Counter(relation for _, relation in {(head, relation) for head, relation, _ in own})
    many = [link for link, number in counted.items() if MANY * number >= heads[link[0]]]
    commonest = {link[0]: link for link in sorted(many, key=lambda link: counted[link])}
    return [link for link in many if link in commonest.values()][:MOST]


def _cypher(pattern: _Pattern) -> str:
    if pattern.chain is not None:
        first, last = (f"(:{label_of(end.kind)} {{name: '{end.label}'}})" for end in pattern.chain)
        return (
            f"MATCH (t:Tool)-[:converts_from]->{first}, (u:Tool)-[:converts_to]->{last},\n"
            f"      (t)-[:converts_to]->(a)<-[:converts_from]-(u)\nRETURN t, a, u LIMIT {LIMIT}"
        )
    if pattern.compared:
        names = ", ".join(f"'{node.label}'" for node in pattern.compared)
        return f"MATCH (t:Tool)-[r]->(x)\nWHERE t.name IN [{names}]\nRETURN t, x LIMIT {LIMIT}"
    if pattern.subject is not None:
        head = f"(t:Tool {{name: '{pattern.subject.label}'}})"
        return f"MATCH {head}-[:{relation_of(pattern.relation)}]->(x)\nRETURN t, x LIMIT {LIMIT}"
    links: list[str] = []
    # At most MOST links, so each has a letter.
    for name, (relation, end) in zip("abcd", pattern.shared, strict=False):
        head = "t" if links else "t:Tool"
        node = f"{name}:{label_of(end.kind)} {{name: '{end.label}'}}"
        links.append(f"({head})-[:{relation_of(relation)}]->({node})")
    names, matched = ", ".join(["t", *"abcd"[: len(links)]]), ",\n      ".join(links)
    return f"MATCH {matched}\nRETURN {names} LIMIT {LIMIT}"


def _sparql(pattern: _Pattern) -> str:
    if pattern.chain is not None:
        reads, writes = _relation("converts_from"), _relation("converts_to")
        first, last = (_node(end) for end in pattern.chain)
        ways = (f"?t {reads} {first}", f"?u {writes} {last}", f"?t {writes} ?a", f"?u {reads} ?a")
        return f"SELECT ?t ?a ?u {{\n  {' . '.join(ways)}\n}} LIMIT {LIMIT}"
    if pattern.compared:
        names = ", ".join(map(_node, pattern.compared))
        return f"SELECT ?t ?r ?x {{\n  ?t ?r ?x FILTER (?t IN ({names}))\n}} LIMIT {LIMIT}"
    if pattern.subject is not None:
        link = f"{_node(pattern.subject)} {_relation(pattern.relation)} ?x"
        return f"SELECT ?x {{ {link} }} LIMIT {LIMIT}"
    links = " .\n  ".join(f"?t {_relation(r)} {_node(end)}" for r, end in pattern.shared)
    return f"SELECT ?t {{\n  {links}\n}} LIMIT {LIMIT}"


def _node(node: Node) -> str:
    return f"<{iri(NODE, node.id)}>"


def _relation(relation: str) -> str:
    return f"<{iri(RELATION, relation)}>"
