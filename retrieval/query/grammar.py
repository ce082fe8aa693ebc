"""The phrases of wishes about software, as tuples of words; one grammar for search and remarks.

The data stand in ``wishes.json``: names of languages, hosts and systems with the phrases they
occur in, phrases of every other wish, and the words that turn a wish round.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Literal

Words = tuple[str, ...]

CUES = (
    *("unwanted", "required", "neutral", "required after", "unwanted after", "neutral after"),
    *("unwanted at end", "like", "like after", "leave out", "joints", "either", "contrast"),
    *("belongings", "preference", "compared", "far unwanted", "polite after", "result for"),
    *("acts", "needless", "needless after", "dispensable after", "leaving", "left behind"),
    *("skill", "skill compared", "denied thing", "place", "instead", "even", "not sent"),
)
"""Lists of words that tell the strength of a wish, or join one to another."""

HAN = "\u3040-\u30ff\u3400-\u9fff"
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}](?:(?:[^\W{HAN}]|[.+#'’])*(?:[^\W{HAN}]|[+#]))?[+#]*")
"""A word: ``c++``, ``3.10`` and ``don't`` are one each; hyphens part words, as blanks do."""

FIRST_YEAR, LAST_YEAR = 1990, 2099
"""Numbers outside are no years of a release."""

BARE_KINDS = ("interface", "licence")
"""Kinds of wishes whose short phrases are names when they are joined to another of their kind."""

LONGEST_NAME = 3
"""Words of the longest name of a language, host or system."""

LONGEST_JOINED = 2
"""Words of the longest phrase that joins another as a name does: "GUI or command line"."""

Strength = Literal["wanted", "required", "unwanted"]

NUMBER = "#"
"""Stands for any number in a pattern and in a word: ``#gb`` for ``8gb``."""

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_GROUP = re.compile(r"\(([^()]*)\)")


def words_of(text: str) -> Words:
    """The words of a text, case-folded; equal ones are one object, as phrases share theirs."""
    return tuple(map(sys.intern, WORD.findall(text.casefold().replace("’", "'"))))


def shapes_of(words: Sequence[str]) -> Words:
    """The words with their numbers as ``#``."""
    return tuple(sys.intern(_DIGITS.sub(NUMBER, w)) if w[0].isdigit() else w for w in words)


def spellings(pattern: str) -> Iterator[str]:
    """Every text of a pattern: ``(in|on) (a|) browser`` has four."""
    parts = _GROUP.split(pattern)
    ways = [part.split("|") if n % 2 else [part] for n, part in enumerate(parts)]
    return ("".join(way) for way in product(*ways))


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What a phrase wishes; ``exact`` is the one word that counts in this case alone.

    A ``negated`` phrase is a wish only after "not" or "without", and then for its value:
    "without an internet connection". ``#`` in a value is the number in the text. One that
    ``is_item`` counts before a pause, another wish or the end alone: "segment organs, offline";
    one that ``is_alone`` between pauses alone: "segment organs, free, on Linux";
    one that ``is_joined`` beside another of its kind alone: "open source and permissive".
    A text with a word that begins as one of ``unless`` means another thing by the phrase:
    "outline the lesion with a few clicks" says how to outline.
    """

    kind: str
    value: str
    strength: Strength = "wanted"
    exact: str = ""
    negated: bool = False
    is_item: bool = False
    is_alone: bool = False
    is_joined: bool = False
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The words that make a name a wish: one before it, but for articles, or one after it."""

    before: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkRule:
    """A phrase that filters in a remark: field, values or licence family; or ``adds`` a wish."""

    label: str
    field: str = ""
    values: tuple[str, ...] = ()
    adds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Phrases by their first two words, cues by their first and length; the longest come first."""

    phrases: Mapping[Words, tuple[tuple[Words, Phrase], ...]]
    bare: Mapping[Words, Phrase]
    remarks: tuple[tuple[str, RemarkRule], ...]
    cues: Mapping[str, Mapping[str, Mapping[int, frozenset[Words]]]]
    frames: Mapping[str, Frame]
    filler: frozenset[str]
    not_before: frozenset[str]
    determiners: frozenset[str]
    joining: frozenset[str]
    softening: frozenset[str]
    portuguese: frozenset[str]
    elided: frozenset[str]
    not_portuguese: frozenset[str]
    host_data: frozenset[str]
    that: frozenset[str]

    def longest(self, words: Words, at: int) -> Iterator[tuple[Words, Phrase]]:
        """The phrases of wishes that begin at a word, whatever its case, longest first."""
        for first in (words[at : at + 2], words[at : at + 1]):
            for row in self.phrases.get(first, ()):
                if words[at : at + len(row[0])] == row[0]:
                    yield row
            if len(first) < 2:
                return

    def name(self, words: Words, at: int) -> tuple[Words, Phrase] | None:
        """The longest name of a language, host or system that begins at a word."""
        for size in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            phrase = self.bare.get(words[at : at + size])
            if phrase is not None and phrase.kind in self.frames:
                return words[at : at + size], phrase
        return None

    def cue(self, name: str, words: Words, at: int) -> int:
        """Number of words of the longest cue of this name that begins at a word; 0 for none."""
        by_size = self.cues[name].get(words[at], {}) if at < len(words) else {}
        return next((n for n in by_size if words[at : at + n] in by_size[n]), 0) if by_size else 0


def _table() -> dict[str, Any]:
    text = files("retrieval.query").joinpath("wishes.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def grammar() -> Grammar:
    """The grammar, read once."""
    table = _table()
    phrases: dict[Words, Phrase] = {}
    bare: dict[Words, Phrase] = {}
    for kind, rows in (("language", "languages"), ("host", "hosts"), ("system", "systems")):
        for row in table[rows]:
            for words, phrase in _name_phrases(kind, row, table[f"{kind} phrases"]):
                if phrases.setdefault(words, phrase).exact and not phrase.exact:
                    phrases[words] = phrase  # "galaxy tool", though "{} tool" needs "Galaxy"
            for name in row["names"]:
                exact = name if row.get("exact") else ""
                bare[words_of(name)] = Phrase(kind=kind, value=row["value"], exact=exact)
    alone = [row for row in _wishes(table) if row[1].is_alone]
    for words, phrase in _wishes(table):
        if not (phrase.is_joined or phrase.is_alone):
            phrases.setdefault(words, phrase)
        if phrase.kind in BARE_KINDS and not phrase.negated and len(words) <= LONGEST_JOINED:
            bare.setdefault(words, phrase)
    phrases = {**dict(_years(table)), **phrases}
    frames = {
        kind: Frame(before=frozenset(row["before"]), after=frozenset(row["after"]))
        for kind, row in table["frames"].items()
    }
    filler = frozenset(w for row in table["filler"] for t in spellings(row) for w in words_of(t))
    determiners = frozenset(table["determiners"])
    cues = (*table["unwanted"], *table["required"])
    return Grammar(
        phrases=_by_first_words([*alone, *phrases.items()]),
        bare=bare,
        remarks=tuple(_remarks(table)),
        cues={name: _cues(table[name]) for name in CUES},
        frames=frames,
        filler=filler,
        not_before=frozenset(table["not before"]),
        determiners=determiners,
        joining=filler.union(determiners, *map(words_of, cues)),
        softening=frozenset(table["softening"]),
        portuguese=frozenset(table["portuguese"]),
        elided=frozenset(re.findall(r"[\w]+'\w+", json.dumps(table, ensure_ascii=False))),
        not_portuguese=frozenset(table["not portuguese"]),
        host_data=frozenset(table["host data"]),
        that=frozenset(table["that"]),
    )


def _wishes(table: Mapping[str, Any]) -> Iterator[tuple[Words, Phrase]]:
    """The phrases of wishes that are no names: those that are listed, and those of patterns."""
    for row in (*table["wishes"], *table["negated"]):
        phrase = Phrase(
            kind=row["kind"],
            value=row["value"],
            strength=row.get("strength", "wanted"),
            negated="say" not in row,
            unless=tuple(row.get("unless", ())),
        )
        for say in row.get("say", ()):
            yield words_of(say), phrase
        for text in (t for pattern in row.get("patterns", ()) for t in spellings(pattern)):
            words = words_of(text.replace(NUMBER, "0"))
            yield shapes_of(words) if NUMBER in text else words, phrase
        # A word such as "permissive" means a licence beside another licence alone.
        for say in row.get("remark", ()) if phrase.kind == "licence" else ():
            yield words_of(say), replace(phrase, is_joined=True, exact=say * say.isupper())
        for say in row.get("items", ()):
            exact = say * (say.isupper() or "exact" in row)
            yield words_of(say), replace(phrase, is_item=True, exact=exact)
        for say in row.get("alone", ()):
            yield words_of(say), replace(phrase, is_alone=True)


def _name_phrases(
    kind: str, row: Mapping[str, Any], templates: Iterable[str]
) -> Iterator[tuple[Words, Phrase]]:
    """The phrases of one name; a name such as ``R`` counts in this case alone."""
    for name in row["names"]:
        phrase = Phrase(kind=kind, value=row["value"], exact=name if row.get("exact") else "")
        for template in templates:
            for text in spellings(template):
                yield words_of(text.format(name)), phrase
        if row.get("bare"):
            yield words_of(name), phrase
    for say in row.get("say", ()):
        # A capital inside a phrase of its own means that the phrase needs it.
        exact = next((w for w in WORD.findall(say) if w[0].isupper()), "")
        yield words_of(say), Phrase(kind=kind, value=row["value"], exact=exact)


def _years(table: Mapping[str, Any]) -> Iterator[tuple[Words, Phrase]]:
    keys = ("since", "since alone")
    rows = ((key, text) for key in keys for row in table[key] for text in spellings(row))
    for (key, template), year in product(rows, range(FIRST_YEAR, LAST_YEAR + 1)):
        # "Released after 2021" is wished of 2022 and later.
        value = str(year + (template in table["after"]))
        is_alone = key == "since alone"
        yield words_of(template.format(year)), Phrase(kind="since", value=value, is_alone=is_alone)


def _remarks(table: Mapping[str, Any]) -> Iterator[tuple[str, RemarkRule]]:
    """The phrases that filter when they are a remark, each with its rule."""
    for row in table["languages"]:
        if "filter" not in row:
            continue
        label = f"interface: {row['value']}"
        rule = RemarkRule(label=label, field="interfaces", values=(row["filter"],))
        # What is called from a language is an interface; what is written in it is a wish.
        for template, name in product(table["library phrases"], row["names"]):
            yield template.format(name), rule
        for say in row.get("remark", ()):
            words = f"in {row['value']}"
            yield say, RemarkRule(label=f"wished for: {words}", adds=words)
    for row in table["wishes"]:
        for field, values in row.get("filter", {"licenses": row.get("licences")}).items():
            rule = RemarkRule(label=row["label"], field=field, values=tuple(values or ()))
            plain = (p for p in row.get("patterns", ()) if NUMBER not in p)
            patterns = (say for pattern in plain for say in spellings(pattern))
            for say in (*row["say"], *patterns, *row.get("remark", ())) if values else ():
                yield say, rule


def _by_first_words(
    phrases: Iterable[tuple[Words, Phrase]],
) -> dict[Words, tuple[tuple[Words, Phrase], ...]]:
    rows: defaultdict[Words, list[tuple[Words, Phrase]]] = defaultdict(list)
    for words, phrase in phrases:
        if words:
            rows[words[:2]].append((words, phrase))
    return {first: tuple(sorted(many, key=lambda r: -len(r[0]))) for first, many in rows.items()}


def _cues(patterns: Iterable[str]) -> dict[str, dict[int, frozenset[Words]]]:
    cues = {words_of(text) for pattern in patterns for text in spellings(pattern)}
    rows: defaultdict[str, defaultdict[int, set[Words]]] = defaultdict(lambda: defaultdict(set))
    for words in sorted(cues, key=len, reverse=True):
        rows[words[0]][len(words)].add(words)
    return {first: {n: frozenset(many[n]) for n in many} for first, many in rows.items()}
