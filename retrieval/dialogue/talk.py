"""Remarks that change no search: thanks, and questions about a tool of the list.

Their words would only be searched for. Whatever names a task, a wish or a filter is no such remark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from retrieval.catalog import TASK_KINDS, Meaning, kind_of
from retrieval.core import Tool
from retrieval.dialogue.list_questions import ListQuestions, is_about_the_list
from retrieval.dialogue.rules import (
    Words,
    longest,
    longest_rule,
    table_of,
    talk_table,
    vocabulary,
    words_of,
)
from retrieval.query import Names, WishReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The closed vocabulary of talk, as words of phrases."""

    pleasantries: frozenset[str]
    questions: tuple[Words, ...]
    openers: frozenset[str]
    why_not: tuple[Words, ...]
    orders: tuple[Words, ...]
    written: re.Pattern[str]
    places: frozenset[str]
    things: frozenset[str]
    replies: dict[str, str]


@cache
def talk() -> Talk:
    """The vocabulary of talk, read once."""
    table = talk_table()
    return Talk(
        pleasantries=frozenset(" ".join(table["pleasantries"]).split()),
        questions=tuple(map(words_of, table["questions"])),
        openers=frozenset(table["openers"].split()),
        why_not=tuple(map(words_of, table["why not"])),
        orders=tuple(map(words_of, table["orders"])),
        written=re.compile("|".join(table["written without blanks"])),
        places=frozenset(table["places"]),
        things=frozenset(table["things"]),
        replies=table["told"],
    )


@cache
def undoing() -> tuple[Words, ...]:
    """The phrases that take the last remark back."""
    return tuple(map(words_of, table_of("follow_up")["take back"]["last"]))


def is_counted(words: Words) -> bool:
    """Whether words say of how many remarks: "2", "the last two"."""
    return bool(words) and all(w.isdigit() or w in talk().places | talk().things for w in words)


@cache
def _opening() -> re.Pattern[str]:
    words = sorted(talk().pleasantries, key=len, reverse=True)
    return re.compile(
        rf"^\W*(?:(?:{'|'.join(map(re.escape, words))})\b[\s,;.!:\u2013-]*)*"
        rf"(?:{'|'.join(map(re.escape, words))})\s*[,;.!:\u2013]+\s*(?=\w)",
        re.IGNORECASE,
    )


def without_opening(text: str) -> str:
    """A remark without the pleasantries that a comma parts from it: "no, ...", "cool, and ..."."""
    return _opening().sub("", text, count=1)


@dataclass(frozen=True)
class TalkReader:
    """Tells talk from changes of a search by what a remark names beside the words of talk."""

    meaning: Meaning
    names: Names
    wishes: WishReader

    def read(self, remark: str, listed: Sequence[Tool] = ()) -> str:
        """What to tell of a remark that changes nothing; empty for any other.

        "Why not FSL?" asks about the list and leaves nothing out. A question about the ``listed``
        tools is answered from their records.
        """
        words, replies = words_of(remark), talk().replies
        if words and talk().pleasantries.issuperset(words):
            return replies["thanks"]
        if longest(words, 0, talk().why_not) and self._names_tool(words):
            return replies["why not"]
        if is_about_the_list(remark):
            questions = ListQuestions(self.meaning, self.wishes)
            return questions.answer(remark, listed) or replies["about the list"]
        if (back := longest(words, 0, undoing())) and is_counted(words[back:]):
            return replies["undo"]
        if longest(words, 0, talk().orders):
            return replies["order"]
        rest = () if talk().written.search(remark) else _after_question(words)
        return "" if rest is None or self._names_a_change(rest) else replies["list"]

    def _names_tool(self, words: Words) -> bool:
        return any(self.names.longest(words, at) for at in range(len(words)))

    def _names_a_change(self, words: Words) -> bool:
        """Whether words name a filter, a wish or what a search is about."""
        rules, text = vocabulary().rules, " ".join(words)
        wished = any(mention.wish.kind != "tool" for mention in self.wishes.mentions(text))
        if wished or any(longest_rule(words, at, rules) for at in range(len(words))):
            return True
        return any(kind_of(c) in TASK_KINDS for c in self.meaning.annotator.concepts(text))


def _after_question(words: Words) -> Words | None:
    """What a remark asks about the list, or the place of it that it names ("the second one").

    None for other remarks; what it is about may still be a change of the search.
    """
    # "Show me why", "but why?": what leads to the question word asks for nothing itself.
    at = next((n for n, word in enumerate(words) if word not in talk().openers), 0)
    for start in range(at + 1):
        if size := longest(words, start, talk().questions):
            return words[start + size :]
    placed = talk().places.intersection(words)
    every = talk().things.union(talk().places, talk().pleasantries)
    return words if placed and every >= {*words} else None
