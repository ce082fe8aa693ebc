"""The query of a set of tools: every constraint of a question, negations and alternatives too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from retrieval.ask import SYSTEMS, Limit, asked_limits
from retrieval.graph import FactBase
from retrieval.graphdb import KIND, NODE, RELATION, iri, label_of, relation_of
from retrieval.wiring.questions.graph_parts import CYPHER, SPARQL, GraphParts

MOST_NAMES = 60
"""Names of one query: a year has dozens of dates, and a longer query nobody reads."""
UNSAFE = frozenset("'\\`")
"""Characters that a name in a query would have to escape, which no query may."""
EXPRESSED = frozenset({"has", "any", "requires", "states"})
"""Kinds of constraints that these queries express."""


def set_queries(graph: GraphParts, question: str) -> Mapping[str, str]:
    """The query of the set that a question asks for, by language.

    Empty where it asks for no set, or where a query would give another one: by descriptions, which
    mention more than records state, or by a constraint beside another tool.
    """
    limits = asked_limits(graph.reader, question)
    if not limits or not all(_is_exact(graph.base, one) for one in limits):
        return {}
    names = {node for limit in limits for _, node in limit.options}
    if len(names) > MOST_NAMES or any(UNSAFE & set(graph.base.label(n)) for n in names):
        return {}
    cypher, sparql = _Cypher(graph.base), _Sparql(graph.base)
    conditions = "\n  AND ".join(_condition(cypher, graph.base, one) for one in limits)
    filters = "\n  ".join(f"FILTER ({_condition(sparql, graph.base, one)})" for one in limits)
    return {
        CYPHER: f"MATCH (t:Tool)\nWHERE {conditions}\nRETURN t",
        SPARQL: f"SELECT ?t {{\n  ?t a <{iri(KIND, 'tool')}> .\n  {filters}\n}}",
    }


def _is_exact(base: FactBase, limit: Limit) -> bool:
    """Whether the links of the graph are those that records state, and no mentions beside them."""
    if limit.kind == "any":
        return all(_is_exact(base, one) for part in limit.either for one in part)
    if limit.kind not in EXPRESSED:
        return False
    return limit.kind != "has" or all(
        base.heads(*option) == base.heads(*option, stated=True) for option in limit.options
    )


class _Dialect(ABC):
    """How one query language says that a tool has a link, and denies a condition."""

    words: Mapping[str, str]

    def __init__(self, base: FactBase) -> None:
        self.base, self._names = base, count(1)

    @abstractmethod
    def link(self, relation: str, nodes: Sequence[str], others: bool) -> str:
        """A link to one of these nodes, to any for none, or to one that is not among them."""

    @abstractmethod
    def denied(self, condition: str) -> str:
        """The opposite of a condition."""

    def joined(self, conditions: Sequence[str], word: str) -> str:
        """Conditions with *and* or *or* between them, in brackets where there are several."""
        text = f" {self.words[word]} ".join(conditions)
        return f"({text})" if len(conditions) > 1 else text


def _condition(dialect: _Dialect, base: FactBase, limit: Limit) -> str:
    """A constraint as a condition on the tool."""
    if limit.kind == "any":
        parts = [
            dialect.joined([_condition(dialect, base, one) for one in part], "and")
            for part in limit.either
        ]
        condition = dialect.joined(parts, "or")
    else:
        links = [dialect.link(*link, False) for link in _links(base, limit)]
        condition = dialect.joined(links, "or")
    if limit.only:
        condition = dialect.joined([condition, *_no_other(dialect, base, limit)], "and")
    return dialect.denied(condition) if limit.negated else condition


def _links(base: FactBase, limit: Limit) -> Iterator[tuple[str, list[str]]]:
    """Relations with the nodes of one kind that they lead to."""
    if limit.kind == "states":
        yield limit.options[0][0], []
        return
    groups: dict[tuple[str, str], list[str]] = {}
    for relation, node in limit.options:
        name = "requires_tool" if limit.kind == "requires" else relation
        groups.setdefault((name, base.kind(node)), []).append(node)
    yield from ((relation, nodes) for (relation, _), nodes in groups.items())


def _no_other(dialect: _Dialect, base: FactBase, limit: Limit) -> Iterator[str]:
    """That a tool states no other values; of operating systems other systems alone count."""
    allowed: dict[str, list[str]] = {}
    for relation, node in limit.only:
        allowed.setdefault(relation, []).append(node)
    if "accepts" in allowed:
        allowed["converts_from"] = allowed["accepts"]
    for relation, nodes in allowed.items():
        systems = SYSTEMS.issuperset(nodes)
        rest = sorted(node for node in SYSTEMS.difference(nodes) if node in base)
        other = dialect.link(relation, rest if systems else nodes, not systems)
        yield dialect.denied(other)


class _Cypher(_Dialect):
    """Conditions in Cypher."""

    words = MappingProxyType({"and": "AND", "or": "OR"})

    def link(self, relation: str, nodes: Sequence[str], others: bool) -> str:
        """A subquery that finds a link."""
        name = f"x{next(self._names)}"
        pattern = f"(t)-[:{relation_of(relation)}]->({name}"
        if not nodes:
            return f"EXISTS {{ MATCH {pattern}) }}"
        labels = ", ".join(f"'{self.base.label(node)}'" for node in nodes)
        pattern += f":{label_of(self.base.kind(nodes[0]))})"
        word = "NOT " if others else ""
        return f"EXISTS {{ MATCH {pattern} WHERE {word}{name}.name IN [{labels}] }}"

    def denied(self, condition: str) -> str:
        """With NOT before it."""
        return f"NOT {condition}"


class _Sparql(_Dialect):
    """Conditions of SPARQL filters."""

    words = MappingProxyType({"and": "&&", "or": "||"})

    def link(self, relation: str, nodes: Sequence[str], others: bool) -> str:
        """A pattern that finds a link."""
        name = f"?x{next(self._names)}"
        pattern = f"?t <{iri(RELATION, relation)}> {name}"
        if not nodes:
            return f"EXISTS {{ {pattern} }}"
        listed = ", ".join(f"<{iri(NODE, node)}>" for node in nodes)
        word = "NOT IN" if others else "IN"
        return f"EXISTS {{ {pattern} FILTER ({name} {word} ({listed})) }}"

    def denied(self, condition: str) -> str:
        """NOT EXISTS for a pattern, else with an exclamation mark."""
        return f"NOT {condition}" if condition.startswith("EXISTS") else f"!{condition}"
