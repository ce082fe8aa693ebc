"""Cue words of a question, in seven languages: relations, counts, negations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from retrieval.ask.clauses import begins_question, json_table
from retrieval.ask.linker import CJK, SPACELESS, words_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One cue of a question: what it stands for and where it is, in characters."""

    kind: str
    start: int
    end: int


@cache
def ordinary(language: str = "en") -> frozenset[str]:
    """Stop words: English ones and those of the language."""
    english = files("retrieval.ask").joinpath("ordinary.txt").read_text("utf-8").split()
    own = json_table("cues").get(language, {}).get("ordinary", [])
    return frozenset((*english, *own)) if language != "en" else frozenset(english)


def language_of(question: str) -> str:
    """The most likely of the seven languages: by script, else by stop words; ties give English.

    Kana mean Japanese, other CJK characters mean Chinese. For spaced languages the count of
    function words decides, plus one for a beginning as of a question.
    """
    if re.search(r"[\u3040-\u30ff]", question):
        return "ja"
    if re.search(rf"[{CJK}]", question):
        return "zh"
    spoken = [word.casefold() for word, _, _ in words_at(question)]
    words = set(spoken)
    english = len(words & ordinary()) + begins_question(spoken, "en")
    spaced = [lang for lang in json_table("cues") if lang not in {"en", *SPACELESS}]
    others = {
        lang: len(words & _function_words(lang)) + begins_question(spoken, lang) for lang in spaced
    }
    best = max(sorted(others), key=lambda lang: others[lang])
    return best if others[best] > english else "en"


@cache
def _function_words(language: str) -> frozenset[str]:
    table, kinds = (
        json_table("cues")[language],
        ("ordinary", "tools", "count", "accepts", "requires"),
    )
    return frozenset(word for kind in kinds for word in table[kind])


Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]
"""First word of a phrase to its words and its kinds, longest phrase first."""


@cache
def _phrases(language: str) -> Phrases:
    kinds: dict[tuple[str, ...], list[str]] = {}
    for spoken in dict.fromkeys((language, "en")):
        for kind, phrases in json_table("cues")[spoken].items():
            for phrase in phrases if kind != "ordinary" else ():
                words = tuple(word.casefold() for word, _, _ in words_at(phrase))
                if kind not in (several := kinds.setdefault(words, [])):
                    several.append(kind)
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for words in sorted(kinds, key=lambda words: (-len(words), words)):
        by_first.setdefault(words[0], []).append((words, tuple(kinds[words])))
    return {first: tuple(several) for first, several in by_first.items()}


def cues_of(question: str, language: str) -> tuple[Cue, ...]:
    """Every cue in order; the longest phrase at a place wins, and may have several kinds."""
    phrases = _phrases(language)
    words = words_at(question)
    folded = [word.casefold() for word, _, _ in words]
    cues: list[Cue] = []
    at = 0
    while at < len(words):
        here = phrases.get(folded[at], ())
        fitting = (one for one in here if tuple(folded[at : at + len(one[0])]) == one[0])
        phrase, kinds = next(fitting, ((), ()))
        end = at + max(1, len(phrase))
        # A phrase may be written with blanks, hyphens or apostrophes between its words.
        gaps = (question[a[2] : b[1]] for a, b in pairwise(words[at:end]))
        if all(not gap.strip(" \t\n-'\u2019") for gap in gaps):
            start, stop = words[at][1], words[end - 1][2]
            cues.extend(Cue(kind=kind, start=start, end=stop) for kind in kinds)
        at = end
    return tuple(cues)
