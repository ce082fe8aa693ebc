"""Questions about the tools of the list: "which of these need a GPU?", answered by their records.

A question changes no search. What it asks is read as a request is: wishes about software and
concepts, each of which a record states, denies or leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from retrieval.catalog import TASK_KINDS, Meaning, facts_of, kind_of
from retrieval.core import Tool, Wish
from retrieval.dialogue.rules import longest, table_of, words_of
from retrieval.fit import wish_fit
from retrieval.query import WishReader

MOST_NAMED = 6
"""Tools that a line names; more of them make it longer than a line."""

FORMAT = "format"

Holds = bool | None
"""Whether a record states something; None where it says nothing of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """What makes a remark a question about the list: how it begins, or whom it speaks of."""

    begins: tuple[tuple[str, ...], ...]
    begins_marked: tuple[tuple[str, ...], ...]
    among: tuple[tuple[str, ...], ...]
    asking: frozenset[str]
    requests: frozenset[str]
    others: frozenset[str]
    written: re.Pattern[str]
    needs: re.Pattern[str]
    places: dict[str, int]
    in_full: dict[str, str]


@cache
def question_words() -> QuestionWords:
    """The words of questions about the list, read once."""
    table = table_of("list_questions")
    return QuestionWords(
        begins=tuple(map(words_of, table["begins"])),
        begins_marked=tuple(map(words_of, table["begins with a question mark"])),
        among=tuple(map(words_of, table["among"])),
        asking=frozenset(table["asking"].split()),
        requests=frozenset(table["requests"].split()),
        others=frozenset(table["others"].split()),
        written=re.compile("|".join(table["written without blanks"])),
        needs=re.compile("|".join(table["needs"]), re.IGNORECASE),
        places={word: n for n, one in enumerate(table["places"], 1) for word in one.split()},
        in_full=table["in full"],
    )


def is_about_the_list(remark: str) -> bool:
    """Whether a remark asks about tools that are listed and wants no others."""
    table, words = question_words(), words_of(remark)
    if not words or words[0] in table.requests or not table.others.isdisjoint(words):
        return False
    if table.written.search(remark) or longest(words, 0, table.begins):
        return True
    marked = remark.rstrip().endswith(("?", "？"))
    if marked and longest(words, 0, table.begins_marked):
        return True
    among = any(longest(words, at, table.among) for at in range(len(words)))
    return among and (marked or words[0] in table.asking)


@dataclass(frozen=True)
class ListQuestions:
    """Answers questions about listed tools from what their records state."""

    meaning: Meaning
    wishes: WishReader

    def answer(self, remark: str, listed: Sequence[Tool]) -> str:
        """One line with the tools of which it holds; empty where nothing is asked of a record."""
        tests = self._tests(remark)
        if not tests or not listed:
            return ""
        tools = _placed(remark, listed)
        holds = {tool.id: _all(test(tool) for test in tests) for tool in tools}
        if len(tools) == 1:
            says = {True: "says yes", False: "says no", None: "does not say"}
            return f"nothing changed: the record of {tools[0].name} {says[holds[tools[0].id]]}"
        fitting = [tool.name for tool in tools if holds[tool.id]]
        denied, silent = (sum(one is what for one in holds.values()) for what in (False, None))
        named = ", ".join(fitting[:MOST_NAMED])
        rest = f" and {len(fitting) - MOST_NAMED} more" if len(fitting) > MOST_NAMED else ""
        lead = f"nothing changed: by the records of the {len(tools)} tools listed, yes for"
        yes = f"{len(fitting)} ({named}{rest})" if fitting else "none"
        no = f", no for {denied}" if denied else ""
        return f"{lead} {yes}{no}{f', not stated by {silent}' if silent else ''}"

    def _tests(self, remark: str) -> list[Callable[[Tool], Holds]]:
        """What is asked of each record."""
        mentioned = [mention.wish for mention in self.wishes.mentions(_in_full(remark))]
        wishes = [wish for wish in mentioned if wish.kind != "tool"]
        tests = [_wish_test(wish, needed=_is_needed(wish, remark)) for wish in wishes]
        if tests:
            return tests
        concepts = self.meaning.annotator.concepts(remark)
        return [self._concept_test(c) for c in concepts if kind_of(c) in (*TASK_KINDS, FORMAT)]

    def _concept_test(self, concept: str) -> Callable[[Tool], Holds]:
        # A record lists what it does, so what it does not name is left open rather than denied.
        def holds(tool: Tool) -> Holds:
            formats = (f"{FORMAT}:{one}" for one in (*tool.formats_in, *tool.formats_out))
            described = self.meaning.annotator.concepts(f"{tool.name}. {tool.description}")
            return concept in self.meaning.wider([*facts_of(tool), *formats, *described]) or None

        return holds


def _in_full(question: str) -> str:
    """A question with phrases for what one word says in it: "free" of a tool is of charge.

    Words in Latin letters are parted from Chinese and Japanese around them.
    """
    in_full = question_words().in_full
    question = re.sub(
        r"(?<=[\u3040-\u9fff])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\u3040-\u9fff])", " ", question
    )
    return "".join(in_full.get(word.casefold(), word) for word in re.split(r"([\W]+)", question))


def _is_needed(wish: Wish, remark: str) -> bool:
    """Whether a graphics card is asked about as a need and not as something that can be used."""
    is_card = wish.kind == "gpu" and wish.strength != "unwanted"
    return is_card and question_words().needs.search(remark) is not None


def _wish_test(wish: Wish, *, needed: bool) -> Callable[[Tool], Holds]:
    if needed:
        return lambda tool: None if tool.gpu is None else tool.gpu == "required"
    verdicts = {"pass": True, "fail": False}
    return lambda tool: verdicts.get(wish_fit(tool, wish).verdict)


def _placed(remark: str, listed: Sequence[Tool]) -> Sequence[Tool]:
    """The tool at the place that a question names ("does the second one ..."), else all."""
    places = question_words().places
    named = [places[word] for word in words_of(remark) if word in places]
    return [listed[named[0] - 1]] if len(named) == 1 and named[0] <= len(listed) else listed


def _all(values: Iterable[Holds]) -> Holds:
    """True where all are, False where one is, else None."""
    each = [*values]
    return False if False in each else None if None in each else True
