"""Decides whether a query says too little to rank tools."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files

from retrieval.catalog import WIDE_DATA, Meaning, facts_of, kind_of
from retrieval.core import Query, Tool

MANY = 20
"""A query that names one concept is vague when more tools than this state it."""

LONG_RUN, LEFT_OVER = 24, 2
"""Runs of Chinese or Japanese up to LONG_RUN characters are searched for the shortest part that
names the same concepts; LEFT_OVER further characters count as another word. The search takes time
quadratic in the length, so longer runs count as saying more without it."""

MOST_WORDS = 8
"""A text with more specific words than this is never vague."""

_WORD = re.compile(r"[^\W_][\w.+-]*")


@cache
def _generic(kind: str) -> frozenset[str]:
    text = files("retrieval.dialogue").joinpath("generic.json").read_text("utf-8")
    table: dict[str, list[str]] = json.loads(text)
    return frozenset(table[kind])


def is_generic(concept: str) -> bool:
    """Whether a concept is too general to choose a tool by."""
    return concept in _generic("concepts") or concept in WIDE_DATA


def own_words(text: str) -> list[str]:
    """The words of a text, case-folded, without those common to all searches ("find", "tool")."""
    return [w for w in _WORD.findall(text.casefold()) if w.strip(".+-") not in _generic("words")]


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
        named = [c for c in concepts if not is_generic(c)]
        if not named:
            return not words or (bool(concepts) and not self._other_words(query.text, words))
        kinds = {kind_of(c) for one in named for c in self.meaning.wider([one])}
        if query.tokens or query.scans:
            kinds.add("modality")
        if len(kinds) > 1 or self._other_words(query.text, words):
            return False
        return len(named) == 1 and self.tools_by_concept[named[0]] > MANY

    @cached_property
    def tools_by_concept(self) -> Counter[str]:
        """The number of tools that state each concept or a narrower one."""
        tools = self.tools.values()
        return Counter(concept for tool in tools for concept in self.meaning.wider(facts_of(tool)))

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """The names, ids and suites of all tools, as folded words with single blanks."""
        names = (n for t in self.tools.values() for n in (t.name, t.id, t.suite or ""))
        return frozenset(" ".join(_WORD.findall(name.casefold())) for name in names if name)

    def _names_a_tool(self, text: str) -> bool:
        words = _WORD.findall(text.casefold())
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
        named = self.meaning.annotator.concepts(word)
        size = len(word)
        parts = (word[a:b] for a in range(size) for b in range(a + 1, size + 1))
        same = (len(p) for p in parts if self.meaning.annotator.concepts(p) == named)
        return size > LONG_RUN or size - min(same, default=size) >= LEFT_OVER
