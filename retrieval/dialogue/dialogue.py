"""Asking back and being answered: when to put a question, and what a follow-up means."""

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
    """Questions and follow-ups over one catalog; with a ``wordsmith``, in a model's words."""

    meaning: Meaning
    tools: Mapping[str, Tool] = field(default_factory=dict)
    wordsmith: Wordsmith | None = None

    @cached_property
    def _vague(self) -> Vagueness:
        return Vagueness(self.meaning, self.tools)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.meaning, tuple(self.tools.values()))

    def is_vague(self, query: Query) -> bool:
        """Whether the query says too little to put tools in an order."""
        return self._vague(query)

    def clarification(
        self, query: Query, candidates: Sequence[Candidate], *, doubtful: bool = False
    ) -> Clarification | None:
        """A question, when the query asks for one, the list is doubtful or the query vague.

        For a vague query the whole catalog is asked about, as far as it states what was said.
        A query that asks for a question gets one even when its list gives none.
        """
        vague = self.is_vague(query)
        if not (query.refine or doubtful or vague):
            return None
        pool = self._pool(query) if vague else ()
        asked = clarify(query, candidates, self.meaning, pool)
        if asked is None and query.refine:
            asked = clarify(query, candidates, self.meaning, self._pool(query))
        return asked

    def _pool(self, query: Query) -> Sequence[Tool]:
        """The tools a query admits that state every concept it names; all when none does."""
        chosen = select(self.tools.values(), query)
        open_ = [t for t in self.tools.values() if chosen.admits(t.id)]
        wanted = {*self.meaning.asked(query)}
        wanted |= {f"modality:{s.modality}" for s in query.scans if s.modality}
        stating = [t for t in open_ if wanted <= self.meaning.wider(facts_of(t))]
        return stating or open_

    def follow_up(self, previous: Query, text: str) -> FollowUp:
        """The previous query as a further remark changes it, and what was understood."""
        return self._reader.read(previous, text)
