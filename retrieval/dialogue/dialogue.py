"""Clarifying questions and follow-ups: when to ask one, and how a remark changes the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.catalog import Meaning, facts_of
from retrieval.core import Candidate, Query, Tool
from retrieval.dialogue.clarify import Clarification, clarify
from retrieval.dialogue.follow_up import FollowUp, Reader
from retrieval.dialogue.vague import Vagueness
from retrieval.dialogue.wording import Wordsmith
from retrieval.query import select


@dataclass(frozen=True)
class Dialogue:
    """Questions and follow-ups over one catalog; a ``wordsmith`` words questions by a model."""

    meaning: Meaning
    tools: Mapping[str, Tool] = field(default_factory=dict)
    wordsmith: Wordsmith | None = None

    @cached_property
    def is_vague(self) -> Vagueness:
        """Tells whether a query says too little to rank tools."""
        return Vagueness(self.meaning, self.tools)

    @cached_property
    def reader(self) -> Reader:
        """Reads remarks on a search."""
        return Reader(self.meaning, tuple(self.tools.values()))

    def clarification(
        self, query: Query, candidates: Sequence[Candidate], *, doubtful: bool = False
    ) -> Clarification | None:
        """A question, when the query requests one, the list is doubtful or the query is vague.

        For a vague query the pool is every admitted tool that states the query's concepts. A
        query that requests a question falls back to that pool when its candidates give none.
        """
        vague = self.is_vague(query)
        if not (query.refine or doubtful or vague):
            return None
        pool = self._pool(query) if vague else ()
        question = clarify(query, candidates, self.meaning, pool)
        if question is None and query.refine:
            question = clarify(query, candidates, self.meaning, self._pool(query))
        return question

    def _pool(self, query: Query) -> Sequence[Tool]:
        """Admitted tools that state every concept of the query; all admitted when none does."""
        chosen = select(self.tools.values(), query)
        open_ = [t for t in self.tools.values() if chosen.admits(t.id)]
        wanted = {*self.meaning.of_query(query)}
        wanted |= {f"modality:{s.modality}" for s in query.scans if s.modality}
        stating = [t for t in open_ if wanted <= self.meaning.wider(facts_of(t))]
        return stating or open_

    def follow_up(self, previous: Query, text: str) -> FollowUp:
        """The previous query as changed by a remark, and a description of each change."""
        return self.reader.read(previous, text)
