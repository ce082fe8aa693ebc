"""Cue words of a question, in seven languages, its years and its clauses.

Cues stand for relations, counts and negations. A question that asks several things is split into
clauses, each with what it refers back to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal

from retrieval.ask.linker import CJK, SPACELESS, words_at
from retrieval.query import WishReader

Back = Literal["", "among", "it"]
"""A clause stands alone (""), asks among the results of the previous one, or about its subject."""

MOST = 3
"""Most clauses of one question."""
REACH = 3
"""Words after a question word that may hold the reference back: ``are any of them``."""
DENIALS = frozenset({"not", "nicht"})
END = re.compile(r"[?!;？！；。]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One cue of a question: what it stands for and where it is, in characters."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """The span of years that a text names, both included, and the place of those words.

    ``changed``: it dates the last change, be it a release or a commit, and not releases alone.
    """

    start: int
    end: int
    first: int | None = None
    last: int | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One of the things asked; ``at`` is the span of the referring words in ``text``."""

    text: str
    back: Back = ""
    at: tuple[int, int] = (0, 0)

    def plain(self) -> str:
        """The clause without the words that refer back."""
        return " ".join((self.text[: self.at[0]] + " " + self.text[self.at[1] :]).split())

    def about(self, name: str) -> str:
        """The clause with a name in place of the words that refer back."""
        return f"{self.text[: self.at[0]]}{name}{self.text[self.at[1] :]}"


@cache
def json_table(name: str) -> dict[str, Any]:
    """A JSON table of this folder, read once per process."""
    text = files("retrieval.ask").joinpath(f"{name}.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


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
    # Other languages say *tools* and *software* too, so that these tell none of them from English.
    shared = frozenset(json_table("cues")["en"]["tools"])
    english = len(words & (ordinary() | shared)) + begins_question(spoken, "en")
    spaced = [lang for lang in json_table("cues") if lang not in {"en", *SPACELESS}]
    others = {
        lang: len(words & _function_words(lang)) + begins_question(spoken, lang) for lang in spaced
    }
    best = max(sorted(others), key=lambda lang: others[lang])
    return best if others[best] > english else "en"


@cache
def _function_words(language: str) -> frozenset[str]:
    kinds = ("ordinary", "tools", "count", "accepts", "requires", "cite", "install", "released")
    own, english = json_table("cues")[language], json_table("cues")["en"]
    shared = {phrase for phrases in english.values() for phrase in phrases}
    words = {word for kind in kinds[:-3] for word in own[kind]}
    # "Installation" is a word of several languages, and says nothing of which one it is.
    return frozenset(words | {w for kind in kinds[-3:] for w in own[kind] if w not in shared})


Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]
"""First word of a phrase to its words and its kinds, longest phrase first."""


@cache
def _cue_phrases(language: str) -> Phrases:
    kinds: dict[tuple[str, ...], list[str]] = {}
    own = frozenset(p for several in json_table("cues")[language].values() for p in several)
    for spoken in dict.fromkeys((language, "en")):
        for kind, phrases in json_table("cues")[spoken].items():
            for phrase in phrases if kind != "ordinary" else ():
                # A word of the language itself is not read as English: Portuguese "no" is "in the".
                if spoken != language and phrase in own:
                    continue
                words = tuple(word.casefold() for word, _, _ in words_at(phrase))
                if kind not in (several := kinds.setdefault(words, [])):
                    several.append(kind)
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for words in sorted(kinds, key=lambda words: (-len(words), words)):
        by_first.setdefault(words[0], []).append((words, tuple(kinds[words])))
    return {first: tuple(several) for first, several in by_first.items()}


def cues_of(question: str, language: str) -> tuple[Cue, ...]:
    """Every cue in order; the longest phrase at a place wins, and may have several kinds."""
    phrases = _cue_phrases(language)
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


def years_of(text: str) -> tuple[Year, ...]:
    """The years since which something is to be released, as the search box reads them."""
    mentions = (m for m in WishReader().mentions(text) if m.wish.kind == "since")
    return tuple(
        Year(start=m.start, end=m.end, first=int(m.wish.value))
        for m in mentions
        if m.wish.value.isdecimal() and m.wish.strength != "unwanted"
    )


@cache
def _phrases(language: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a kind as words, longest first."""
    table = json_table("clauses")[language].get(kind, ())
    phrases = (tuple(w.casefold() for w, _, _ in words_at(phrase)) for phrase in table)
    return tuple(sorted(phrases, key=lambda words: (-len(words), words)))


@cache
def asking_words(language: str) -> frozenset[str]:
    """Every word of the phrases that ask, join or refer back."""
    kinds = json_table("clauses")[language]
    return frozenset(
        word for kind in kinds for phrase in _phrases(language, kind) for word in phrase
    )


def begins_question(words: Sequence[str], language: str) -> bool:
    """Whether a text (its words, case-folded) begins as questions of this language do."""
    return bool(_at(words, 0, language, "asks"))


def clauses_of(question: str, language: str, tools: Collection[int] = ()) -> tuple[Clause, ...]:
    """The clauses in order; a single one where the split would be uncertain.

    A clause begins after the end of a sentence, or at words that join and ask. Every clause must
    ask something in its own words, else the question is not split. ``tools`` are the places where
    a tool is named, of which one may be the subject of each clause.
    """
    words = words_at(question)
    folded = [word.casefold() for word, _, _ in words]
    starts = []
    for n, (before, word) in enumerate(pairwise(words), start=1):
        gap = question[before[2] : word[1]]
        ended = END.search(gap) or ("." in gap and word[0][0].isupper())
        joined = ended or _joins(folded, n, gap, language)
        if joined or _asks_of_another(words, n, language, tools):
            starts.append(word[1])
    places = [0, *starts[: MOST - 1], len(question)]
    texts = [question[a:b].strip() for a, b in pairwise(places)]
    if len(texts) == 1 or not all(_asks(text, language) for text in texts):
        texts = [question]
    return tuple(_referring(text, language) for text in texts)


def _joins(words: Sequence[str], n: int, gap: str, language: str) -> bool:
    """Whether a conjunction or words that refer back join a clause here."""
    if joined := _at(words, n, language, "and"):
        return _opens(words, n + joined, language)
    if _at(words, n, language, "among"):
        return bool(gap.strip()) or language in SPACELESS
    return "," in gap and _opens(words, n, language) and _soon(words, n, language, "among")


def _asks_of_another(
    words: Sequence[tuple[str, int, int]], n: int, language: str, tools: Collection[int]
) -> bool:
    """Whether a conjunction goes from one tool to another: "does X read A and does Y read B"."""
    folded = [word.casefold() for word, _, _ in words]
    joined = _at(folded, n, language, "and")
    # "Is lungmask and is TotalSegmentator free" asks nothing of the first tool alone.
    asks = n - _verb_at(folded, 0, language) > 1

    def subject(at: int) -> bool:
        """Whether a tool is named right after a word that asks."""
        after = at + _verb_at(folded, at, language)
        return at < after < len(words) and words[after][1] in tools

    return bool(joined) and asks and subject(0) and subject(n + joined)


def _opens(words: Sequence[str], n: int, language: str) -> bool:
    """Whether a question begins here; *does* and *are* begin one only with a reference back."""
    if _at(words, n, language, "asks") or _at(words, n, language, "among"):
        return True
    may_ask = _at(words, n, language, "may_ask")
    if not may_ask or not DENIALS.isdisjoint(words[n + may_ask : n + may_ask + 1]):
        return False  # "And do not write it" goes on with a statement.
    return _soon(words, n, language, "it", "among")


def _soon(words: Sequence[str], n: int, language: str, *kinds: str) -> bool:
    """Whether words that refer back come within REACH; a relative clause has none."""
    return any(_at(words, at, language, k) for at in range(n + 1, n + 1 + REACH) for k in kinds)


def _at(words: Sequence[str], n: int, language: str, kind: str) -> int:
    """How many words the phrase of this kind at ``n`` has; 0 for none."""
    for phrase in _phrases(language, kind):
        if phrase and tuple(words[n : n + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _verb_at(words: Sequence[str], n: int, language: str) -> int:
    """How many words the verb that begins a question at ``n`` has; in German any verb does."""
    return _at(words, n, language, "may_ask") or _at(words, n, language, "verb_first")


def _asks(text: str, language: str) -> bool:
    """Whether a text asks: by a word that always does, or by its first one."""
    words = [word.casefold() for word, _, _ in words_at(text)]
    first = _at(words, 0, language, "and")
    if _verb_at(words, first, language):
        return True
    kinds = ("asks", "among")
    return any(_at(words, n, language, kind) for kind in kinds for n in range(len(words)))


def _referring(text: str, language: str) -> Clause:
    """A clause with the place of the words in it that refer back."""
    words = words_at(text)
    folded = [word.casefold() for word, _, _ in words]

    def clause(kind: Back) -> Clause | None:
        """The clause by the first phrase of this kind."""
        for n in range(len(words)):
            if length := _at(folded, n, language, kind):
                return Clause(text=text, back=kind, at=(words[n][1], words[n + length - 1][2]))
        return None

    if among := clause("among"):
        return among
    if any(_at(folded, n, language, "be") for n in range(min(len(words), REACH))):
        return Clause(text=text, back="among")
    return clause("it") or Clause(text=text)
