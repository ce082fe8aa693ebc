"""A question that asks several things, taken apart: each clause, and what it looks back at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from retrieval.ask.linker import SPACELESS, words_at

Back = Literal["", "among", "it"]
"""Whether a clause stands alone, asks among what the one before found, or about its subject."""

MOST = 3
"""Clauses of one question."""
REACH = 3
"""Words behind one that asks, among which those that look back stand: ``are any of them``."""
END = re.compile(r"[?!;？！；。]")

Word = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One of the things asked; ``at`` are the places of the words that look back, in ``text``."""

    text: str
    back: Back = ""
    at: tuple[int, int] = (0, 0)

    def plain(self) -> str:
        """The clause without the words that look back."""
        return " ".join((self.text[: self.at[0]] + " " + self.text[self.at[1] :]).split())

    def about(self, name: str) -> str:
        """The clause with a name for the word that looks back."""
        return f"{self.text[: self.at[0]]}{name}{self.text[self.at[1] :]}"


@cache
def _told() -> dict[str, dict[str, list[str]]]:
    text = files("retrieval.ask").joinpath("clauses.json").read_text("utf-8")
    told: dict[str, dict[str, list[str]]] = json.loads(text)
    return told


@cache
def _phrases(language: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a kind as words, longest first."""
    phrases = (tuple(w.casefold() for w, _, _ in words_at(p)) for p in _told()[language][kind])
    return tuple(sorted(phrases, key=lambda words: (-len(words), words)))


@cache
def asking_words(language: str) -> frozenset[str]:
    """Every word of the phrases that ask, join or look back."""
    kinds = _told()[language]
    return frozenset(
        word for kind in kinds for phrase in _phrases(language, kind) for word in phrase
    )


def begins_question(words: Sequence[str], language: str) -> bool:
    """Whether a text (its words, case-folded) begins as questions of this language do."""
    return bool(_at(words, 0, language, "asks"))


def clauses_of(question: str, language: str) -> tuple[Clause, ...]:
    """The clauses in order; one alone where the question cannot be taken apart for certain.

    Every clause must ask something by its own words, else the question stays whole.
    """
    words = words_at(question)
    starts = list(_starts(question, words, language))[: MOST - 1]
    if not starts:
        return (Clause(text=question),)
    places = [0, *starts, len(question)]
    texts = [question[a:b].strip() for a, b in pairwise(places)]
    if not all(_asks(text, language) for text in texts):
        return (Clause(text=question),)
    return (Clause(text=texts[0]), *(_looking(text, language) for text in texts[1:]))


def _starts(question: str, words: Sequence[Word], language: str) -> Iterator[int]:
    """Where a clause begins: behind the end of a sentence, or at a word that joins and asks."""
    folded = [word.casefold() for word, _, _ in words]
    for n in range(1, len(words)):
        gap = question[words[n - 1][2] : words[n][1]]
        ended = END.search(gap) or ("." in gap and words[n][0][0].isupper())
        if ended or _joins(folded, n, gap, language):
            yield words[n][1]


def _joins(words: Sequence[str], n: int, gap: str, language: str) -> bool:
    """Whether a clause is joined here by a conjunction, or by words that look back."""
    if joined := _at(words, n, language, "and"):
        return _opens(words, n + joined, language)
    if _at(words, n, language, "among"):
        return bool(gap.strip()) or language in SPACELESS
    return "," in gap and _opens(words, n, language) and _soon(words, n, language, "among")


def _opens(words: Sequence[str], n: int, language: str) -> bool:
    """Whether a question begins here; *does* and *are* begin one only where they look back."""
    if _at(words, n, language, "asks") or _at(words, n, language, "among"):
        return True
    return bool(_at(words, n, language, "may_ask")) and _soon(words, n, language, "it", "among")


def _soon(words: Sequence[str], n: int, language: str, *kinds: str) -> bool:
    """Whether words that look back come within reach; a relative clause has none."""
    return any(_at(words, at, language, k) for at in range(n + 1, n + 1 + REACH) for k in kinds)


def _at(words: Sequence[str], n: int, language: str, kind: str) -> int:
    """How many words of a phrase of this kind stand here; 0 for none."""
    for phrase in _phrases(language, kind):
        if phrase and tuple(words[n : n + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _asks(text: str, language: str) -> bool:
    """Whether a text asks: by a word that always does, or by its first one."""
    words = [word.casefold() for word, _, _ in words_at(text)]
    first = _at(words, 0, language, "and")
    if _at(words, first, language, "may_ask"):
        return True
    kinds = ("asks", "among")
    return any(_at(words, n, language, kind) for kind in kinds for n in range(len(words)))


def _looking(text: str, language: str) -> Clause:
    """A clause with the words in it that look back."""
    plain = Clause(text=text)
    words = words_at(text)
    folded = [word.casefold() for word, _, _ in words]
    for n in range(len(words)):
        if length := _at(folded, n, language, "among"):
            return replace(plain, back="among", at=_place(words, n, length))
    for n in range(min(len(words), REACH)):
        if _at(folded, n, language, "be"):
            return replace(plain, back="among")
    for n in range(len(words)):
        if length := _at(folded, n, language, "it"):
            return replace(plain, back="it", at=_place(words, n, length))
    return plain


def _place(words: Sequence[Word], n: int, length: int) -> tuple[int, int]:
    return words[n][1], words[n + length - 1][2]
