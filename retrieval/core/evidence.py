"""What an answer rests on: facts, linked nodes, the query, pages, and what the text says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

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
    """One sentence of an answer and the ids of the facts that support it, at least one."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreQuery:
    """A query as it ran, with its language; the page lets a visitor edit it and run it again."""

    language: str
    text: str


class Evidence(Struct, frozen=True, kw_only=True):
    """Facts in the order of discovery, each text once; linked nodes; nodes already explored.

    ``requests`` holds what a language model wants looked up next, by the name of the task.
    ``answer`` is empty until there is one; ``refusal`` states why there is none. ``before`` is
    the size at the start of the current iteration: no growth ends the iterations.
    """

    facts: tuple[Fact, ...] = ()
    linked: tuple[str, ...] = ()
    explored: frozenset[str] = frozenset()
    requests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answer: tuple[Sentence, ...] = ()
    refusal: str = ""
    query: StoreQuery | None = None
    before: int = 0

    @property
    def size(self) -> int:
        """How many facts and linked nodes there are."""
        return len(self.facts) + len(self.linked)

    def with_facts(self, facts: Iterable[Fact]) -> Evidence:
        """These facts after the present ones; a text that is present already adds nothing."""
        by_text = {fact.text: fact for fact in self.facts}
        for fact in facts:
            by_text.setdefault(fact.text, fact)
        return replace(self, facts=tuple(by_text.values()))

    def with_linked(self, nodes: Iterable[str]) -> Evidence:
        """These nodes after those that are linked already, each once."""
        return replace(self, linked=tuple(dict.fromkeys((*self.linked, *nodes))))

    def with_explored(self, nodes: Iterable[str]) -> Evidence:
        """These nodes marked as explored."""
        return replace(self, explored=self.explored.union(nodes))

    def merged(self, others: Iterable[Evidence]) -> Evidence:
        """The union with others in order; the latest non-empty requests, answer and query win."""
        evidence = self
        for other in others:
            evidence = evidence.with_facts(other.facts).with_linked(other.linked)
            evidence = replace(
                evidence.with_explored(other.explored),
                requests=other.requests or evidence.requests,
                answer=other.answer or evidence.answer,
                refusal=other.refusal,
                query=other.query or evidence.query,
                before=max(evidence.before, other.before),
            )
        return evidence


NO_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One hit, as plain text; None and () mean that the source did not say.

    ``sources`` are the services that found it, the first of which filled the fields;
    ``sections`` are the headed parts of a structured abstract, ``text`` is all of it.
    """

    title: str
    url: str
    text: str = ""
    sources: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date: str | None = None
    venue: str | None = None
    citations: int | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv_id: str | None = None
    pdf_url: str | None = None
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def year(self) -> int | None:
        """The year of ``date``, which is written YYYY, YYYY-MM or YYYY-MM-DD."""
        return int(self.date[:4]) if self.date else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A catalog term near the query; similarity is a cosine."""

    term: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a visitor wants of software, as typed; ``searched``: its words stay in the text."""

    kind: str
    value: str
    text: str
    strength: Literal["wanted", "required", "unwanted"]
    searched: bool = True
