"""When to ask back: a query that says too little; and how a remark changes the last query."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from retrieval.catalog import Meaning, facts_of, kind_of
from retrieval.core import Candidate, Query, Tool
from retrieval.dialogue.clarify import Clarification, clarify
from retrieval.dialogue.follow_up import FollowUp, Reader
from retrieval.dialogue.rules import QUERY_WORD, is_generic, own_words
from retrieval.dialogue.wording import Wordsmith
from retrieval.query import select

MANY = 20
"""A query that names one concept is vague when more tools than this state it."""

LONG_RUN, LEFT_OVER = 24, 2
"""Runs of Chinese or Japanese up to LONG_RUN characters are searched for the shortest part that
names the same concepts; LEFT_OVER further characters count as another word. The search takes time
quadratic in the length, so longer runs count as saying more without it."""

MOST_WORDS = 8
"""A text with more specific words than this is never vague."""


@dataclass(frozen=True)
class Vagueness:
    """Tells vague queries by the concepts and names of a catalog."""

    meaning: Meaning
    tools: Mapping[str, Tool] = field(default_factory=dict)

    def __call__(self, query: Query) -> bool:
        """Whether the words and scans name no concept, or a single one that many tools state.

        A query is not vague when it has a tool's name, a word outside all concepts, concepts of
        two kinds, or a concept of at most MANY tools.
        """
        words = own_words(query.text)
        if len(words) > MOST_WORDS or self._names_a_tool(query.text):
            return False
        concepts = self.meaning.annotator.concepts(query.text)
        specific_concepts = [c for c in concepts if not is_generic(c)]
        if not specific_concepts:
            return not words or (bool(concepts) and not self._other_words(query.text, words))
        kinds = {kind_of(c) for one in specific_concepts for c in self.meaning.wider([one])}
        if query.tokens or query.scans:
            kinds.add("modality")
        if len(kinds) > 1 or self._other_words(query.text, words):
            return False
        return len(specific_concepts) == 1 and self.tools_by_concept[specific_concepts[0]] > MANY

    @cached_property
    def tools_by_concept(self) -> Counter[str]:
        """The number of tools that state each concept or a narrower one."""
        tools = self.tools.values()
        return Counter(concept for tool in tools for concept in self.meaning.wider(facts_of(tool)))

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """The names, ids and suites of all tools, as folded words with single blanks."""
        names = (n for t in self.tools.values() for n in (t.name, t.id, t.suite or ""))
        return frozenset(" ".join(QUERY_WORD.findall(name.casefold())) for name in names if name)

    def _names_a_tool(self, text: str) -> bool:
        words = QUERY_WORD.findall(text.casefold())
        ends = range(1, len(words) + 1)
        # Names have at most five words; one that is also a concept names no tool here.
        spans = (" ".join(words[a:b]) for b in ends for a in range(max(0, b - 5), b))
        return any(
            span in self.tool_names and not self.meaning.annotator.concepts(span) for span in spans
        )

    def _other_words(self, text: str, words: list[str]) -> bool:
        """Whether some word belongs to no concept: without it the text names as many concepts."""
        concepts = self.meaning.annotator.concepts(text)
        for word in dict.fromkeys(words):
            without = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", text.casefold())
            if len(self.meaning.annotator.concepts(without)) >= len(concepts):
                return True
            if not word.isascii() and self._says_more(word):
                return True
        return False

    def _says_more(self, word: str) -> bool:
        """Whether a run of writing without spaces has characters outside its concepts."""
        concepts = self.meaning.annotator.concepts(word)
        size = len(word)
        parts = (word[a:b] for a in range(size) for b in range(a + 1, size + 1))
        same = (len(p) for p in parts if self.meaning.annotator.concepts(p) == concepts)
        return size > LONG_RUN or size - min(same, default=size) >= LEFT_OVER


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
        selection = select(self.tools.values(), query)
        open_ = [t for t in self.tools.values() if selection.admits(t.id)]
        concepts = {*self.meaning.of_query(query)}
        concepts |= {f"modality:{s.modality}" for s in query.scans if s.modality}
        stating = [t for t in open_ if concepts <= self.meaning.wider(facts_of(t))]
        return stating or open_

    def follow_up(self, previous: Query, text: str, listed: Sequence[Tool] = ()) -> FollowUp:
        """The previous query as changed by a remark, and a description of each change."""
        return self.reader.read(previous, text, listed)
