"""What a question has brought to light so far: facts, and where each is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Step = tuple[str, str, str]
"""An edge in its own direction: source node, relation, target node."""

FactKind = Literal["triple", "path", "record", "query", "passage", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One piece of context. ``steps`` are the edges behind it, ``source`` says where it is from.

    A note (a query that failed, say) is context for a model and evidence for nothing.
    """

    id: str
    text: str
    kind: FactKind = "triple"
    nodes: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer and the ids of the facts that bear it, never none."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreQuery:
    """A query as it was run, in its language; it can be edited and run again."""

    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Context in the order of discovery, each text once; linked nodes; nodes already explored.

    ``asked`` holds what a language model wants looked up next, by the name of the task.
    An answer is empty until there is one, and a refusal says why there is none. ``before`` is
    the size when the iteration under way began.
    """

    facts: tuple[Fact, ...] = ()
    linked: tuple[str, ...] = ()
    explored: frozenset[str] = frozenset()
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: tuple[Sentence, ...] = ()
    refusal: str = ""
    query: StoreQuery | None = None
    before: int = 0

    @property
    def size(self) -> int:
        """How many facts and linked nodes there are."""
        return len(self.facts) + len(self.linked)

    def with_facts(self, facts: Iterable[Fact]) -> Known:
        """These facts behind those there are; a text that is there already adds nothing."""
        told = {fact.text: fact for fact in self.facts}
        for fact in facts:
            told.setdefault(fact.text, fact)
        return replace(self, facts=tuple(told.values()))

    def with_linked(self, nodes: Iterable[str]) -> Known:
        """These nodes behind those that are linked."""
        return replace(self, linked=tuple(dict.fromkeys((*self.linked, *nodes))))

    def with_explored(self, nodes: Iterable[str]) -> Known:
        """These nodes marked as explored."""
        return replace(self, explored=self.explored.union(nodes))

    def merged(self, others: Iterable[Known]) -> Known:
        """All that is known here and there; of wishes, answers and queries the latest wins."""
        known = self
        for other in others:
            known = known.with_facts(other.facts).with_linked(other.linked)
            known = replace(
                known.with_explored(other.explored),
                asked=other.asked or known.asked,
                answer=other.answer or known.answer,
                refusal=other.refusal,
                query=other.query or known.query,
                before=max(known.before, other.before),
            )
        return known


NOTHING_KNOWN = Known()
