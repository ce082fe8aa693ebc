"""Words of a question that say what is asked: relations, counts, denials, in seven languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from retrieval.ask.clauses import begins_question
from retrieval.ask.linker import CJK, SPACELESS, words_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One cue of a question: what it stands for and where it is, in characters."""

    kind: str
    start: int
    end: int


@cache
def _cues() -> dict[str, dict[str, list[str]]]:
    text = files("retrieval.ask").joinpath("cues.json").read_text("utf-8")
    told: dict[str, dict[str, list[str]]] = json.loads(text)
    return told


@cache
def ordinary(language: str = "en") -> frozenset[str]:
    """Words that ask for nothing by themselves."""
    english = files("retrieval.ask").joinpath("ordinary.txt").read_text("utf-8").split()
    own = _cues().get(language, {}).get("ordinary", [])
    return frozenset((*english, *own)) if language != "en" else frozenset(english)


def language_of(question: str) -> str:
    """The language of a question among the seven; English when nothing tells another."""
    if re.search(r"[\u3040-\u30ff]", question):
        return "ja"
    if re.search(rf"[{CJK}]", question):
        return "zh"
    spoken = [word.casefold() for word, _, _ in words_at(question)]
    words = set(spoken)
    english = len(words & ordinary()) + begins_question(spoken, "en")
    spaced = [lang for lang in _cues() if lang not in {"en", *SPACELESS}]
    others = {lang: len(words & _small(lang)) + begins_question(spoken, lang) for lang in spaced}
    best = max(sorted(others), key=lambda lang: others[lang])
    return best if others[best] > english else "en"


@cache
def _small(language: str) -> frozenset[str]:
    told = _cues()[language]
    several = (told["ordinary"], told["tools"], told["count"], told["accepts"], told["requires"])
    return frozenset(word for group in several for word in group)


Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]
"""First word of a phrase to its words and its kinds, longest phrase first."""


@cache
def _phrases(language: str) -> Phrases:
    kinds: dict[tuple[str, ...], list[str]] = {}
    for spoken in dict.fromkeys((language, "en")):
        for kind, phrases in _cues()[spoken].items():
            for phrase in phrases if kind != "ordinary" else ():
                words = tuple(word.casefold() for word, _, _ in words_at(phrase))
                if kind not in (several := kinds.setdefault(words, [])):
                    several.append(kind)
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for words in sorted(kinds, key=lambda told: (-len(told), told)):
        by_first.setdefault(words[0], []).append((words, tuple(kinds[words])))
    return {first: tuple(several) for first, several in by_first.items()}


def cues_of(question: str, language: str) -> tuple[Cue, ...]:
    """Every cue in order; the longest phrase at a place wins, and may have several kinds."""
    return tuple(_found(question, language))


def _found(question: str, language: str) -> Iterator[Cue]:
    phrases = _phrases(language)
    words = words_at(question)
    folded = [word.casefold() for word, _, _ in words]
    at = 0
    while at < len(words):
        told, kinds = _longest(phrases, folded, at)
        end = at + max(1, told)
        if told and _joined(question, words[at:end]):
            for kind in kinds:
                yield Cue(kind=kind, start=words[at][1], end=words[end - 1][2])
        at = end if told else at + 1


def _longest(phrases: Phrases, words: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
    for told, kinds in phrases.get(words[at], ()):
        if tuple(words[at : at + len(told)]) == told:
            return len(told), kinds
    return 0, ()


def _joined(question: str, words: Sequence[tuple[str, int, int]]) -> bool:
    """Whether nothing but blanks, hyphens and apostrophes stands between the words."""
    gaps = (question[a[2] : b[1]] for a, b in pairwise(words))
    return all(not gap.strip(" \t\n-'\u2019") for gap in gaps)
