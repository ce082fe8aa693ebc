"""Words of a question in the texts of records: name, description and keywords.

The graph holds facts. A word that none of them has may still stand in the text of a record, so that
nothing is said to be absent from the catalog before its texts were read too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.ask.grouping import Limit
from retrieval.ask.linker import words_at
from retrieval.ask.sets import ToolSets
from retrieval.core import Fact, Tool

UNLISTED = frozenset(
    {"who", "whose", "whom", "why", "where", "today", "tomorrow", "yesterday", "now", "two",
     "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "better", "best"}
)  # fmt: skip
"""Words that ask or count: a record that has them says nothing of what is asked."""

MOST_MENTIONED = 3
"""Words without a record in common that are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned:
    """Words that no fact has and records whose texts do, those that meet the question first.

    ``fitting``: so many of them, the first ones, meet all else that is asked.
    """

    words: tuple[str, ...]
    tools: tuple[str, ...]
    fitting: int = 0

    def fact(self, source: str) -> Fact:
        """The records as one fact, which says where the words stand."""
        words = ", ".join(self.words)
        return Fact(
            id=f"text | {words.casefold()}",
            text=f"{len(self.tools)} records: {words} in name, description or keywords",
            kind="record",
            nodes=self.tools,
            source=f"{source}: question",
        )


class RecordTexts:
    """Which records have a word in name, description or keywords."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: defaultdict[str, set[str]] = defaultdict(set)
        self._acronyms: defaultdict[str, set[str]] = defaultdict(set)
        self._running: dict[str, str] = {}
        for tool in tools:
            own = " ; ".join((tool.description, *tool.keywords))
            self._running[tool.id] = _running(own)
            for text in (tool.name, tool.description, *tool.keywords):
                for word, _, _ in words_at(text):
                    places = self._acronyms if _is_acronym(word) else self._tools
                    places[_singular(word)].add(tool.id)

    def having(self, word: str) -> frozenset[str]:
        """The tools whose texts have this word, in the singular or with a plural s.

        *FAST* is a program, *fast* is a word: a word in small letters is a name in capitals only
        where no text has it otherwise.
        """
        key = _singular(word)
        plain, acronyms = self._tools.get(key, set()), self._acronyms.get(key, set())
        if _is_acronym(word):
            return frozenset(acronyms or plain)
        return frozenset(plain or acronyms)

    def say(self, tool: str, phrase: str) -> bool:
        """Whether the description or the keywords of one tool have this phrase."""
        return _running(phrase) in self._running.get(tool, "")

    def missing(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words that no record has."""
        return tuple(word for word in words if not self.having(word))

    def mentions(self, words: Sequence[str]) -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
        """The words that records have, with those records: together where one has them all."""
        known_words = [w for w in words if w.casefold() not in UNLISTED and self.having(w)]
        if not known_words:
            return ()
        together = frozenset.intersection(*map(self.having, known_words))
        if together:
            return ((tuple(known_words), together),)
        return tuple(((word,), self.having(word)) for word in known_words[:MOST_MENTIONED])


def _running(text: str) -> str:
    """The words of a text in small letters with blanks around, so that no part of one matches."""
    return f" {' '.join(word.casefold() for word, _, _ in words_at(text))} "


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _singular(word: str) -> str:
    """A word in small letters without a plural s, which short words such as *MRS* keep."""
    folded = word.casefold()
    return folded[:-1] if len(folded) > 4 and folded.endswith("s") else folded


def mentioned(
    texts: RecordTexts, sets: ToolSets, words: Sequence[str], limits: Sequence[Limit]
) -> tuple[Mentioned, ...]:
    """The records whose texts have words that no fact has, those that meet more limits first."""
    base = sets.base
    met = [sets.all_of([limit]) for limit in limits]
    mentions: list[Mentioned] = []
    for together, tools in texts.mentions(words):
        ranked = sorted(
            (-sum(tool in holders for holders in met), base.label(tool).casefold(), tool)
            for tool in tools
            if tool in base
        )
        fitting = sum(-count == len(met) for count, _, _ in ranked) if met else 0
        tools_in_order = tuple(tool for _, _, tool in ranked)
        if tools_in_order:
            mentions.append(Mentioned(words=together, tools=tools_in_order, fitting=fitting))
    return tuple(mentions)
