"""The phrases of wishes about software, as tuples of words; one grammar for search and remarks.

The data stand in ``wishes.json``: names of languages, hosts and systems with the phrases they
occur in, phrases of every other wish, and the words that turn a wish round.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Words = tuple[str, ...]

HAN = "\u3400-\u9fff"
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}](?:(?:[^\W{HAN}]|[.+#'’])*(?:[^\W{HAN}]|[+#]))?[+#]*")
"""A word: ``c++``, ``3.10`` and ``don't`` are one each; hyphens part words, as blanks do."""

FIRST_YEAR, LAST_YEAR = 1990, 2099
"""Numbers outside are no years of a release."""

Strength = Literal["wanted", "required", "unwanted"]


def words_of(text: str) -> Words:
    """The words of a text, case-folded."""
    return tuple(word.casefold().replace("’", "'") for word in WORD.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What a phrase wishes; ``exact`` is the one word that counts in this case alone."""

    kind: str
    value: str
    strength: Strength = "wanted"
    exact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkRule:
    """A phrase of a wish that is also a filter: its field, values or licence family, and label."""

    label: str
    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Phrases and cues; ``phrases`` and ``cues`` by their first word, longest first."""

    phrases: Mapping[str, tuple[tuple[Words, Phrase], ...]]
    bare: Mapping[Words, Phrase]
    remarks: tuple[tuple[str, RemarkRule], ...]
    cues: Mapping[str, Mapping[str, tuple[Words, ...]]]
    filler: frozenset[str]
    not_before: frozenset[str]

    def longest(self, words: Words, at: int) -> tuple[Words, Phrase] | None:
        """The longest phrase of a wish that begins at a word, whatever its case."""
        rows = self.phrases.get(words[at], ()) if at < len(words) else ()
        return next((row for row in rows if words[at : at + len(row[0])] == row[0]), None)

    def cue(self, name: str, words: Words, at: int) -> int:
        """Number of words of the longest cue of this name that begins at a word; 0 for none."""
        rows = self.cues[name].get(words[at], ()) if at < len(words) else ()
        return next((len(row) for row in rows if words[at : at + len(row)] == row), 0)


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
            for words, phrase in _named(kind, row, table[f"{kind} phrases"]):
                phrases.setdefault(words, phrase)
            for name in row["names"]:
                exact = name if row.get("exact") else ""
                bare[words_of(name)] = Phrase(kind=kind, value=row["value"], exact=exact)
    for row in table["wishes"]:
        phrase = Phrase(
            kind=row["kind"], value=row["value"], strength=row.get("strength", "wanted")
        )
        for say in row["say"]:
            phrases.setdefault(words_of(say), phrase)
            if phrase.kind in ("interface", "licence"):
                bare.setdefault(words_of(say), phrase)
        for say in row.get("remark", ()) if phrase.kind == "licence" else ():
            bare.setdefault(words_of(say), phrase)
    for words, phrase in _years(table):
        phrases.setdefault(words, phrase)
    names = ("unwanted", "required", "required after", "unwanted after", "like", "leave out")
    return Grammar(
        phrases=_by_first_word(phrases.items()),
        bare=bare,
        remarks=tuple(_remarks(table)),
        cues={name: _cues(table[name]) for name in (*names, "joints", "either")},
        filler=frozenset(word for text in table["filler"] for word in words_of(text)),
        not_before=frozenset(table["not before"]),
    )


def _named(
    kind: str, row: Mapping[str, Any], templates: Iterable[str]
) -> Iterator[tuple[Words, Phrase]]:
    """The phrases of one name; a name such as ``R`` counts in this case alone."""
    for name in row["names"]:
        phrase = Phrase(kind=kind, value=row["value"], exact=name if row.get("exact") else "")
        for template in templates:
            yield words_of(template.format(name)), phrase
        if row.get("bare"):
            yield words_of(name), phrase
    for say in row.get("say", ()):
        # A capital inside a phrase of its own means that the phrase needs it.
        exact = next((w for w in WORD.findall(say) if w[0].isupper()), "")
        yield words_of(say), Phrase(kind=kind, value=row["value"], exact=exact)


def _years(table: Mapping[str, Any]) -> Iterator[tuple[Words, Phrase]]:
    for template in table["since"]:
        # "Released after 2021" is wished of 2022 and later.
        later = template in table["after"]
        for year in range(FIRST_YEAR, LAST_YEAR + 1):
            yield (
                words_of(template.format(year)),
                Phrase(kind="since", value=str(year + later)),
            )


def _remarks(table: Mapping[str, Any]) -> Iterator[tuple[str, RemarkRule]]:
    """The phrases that filter when they are a remark, each with its rule."""
    for row in table["languages"]:
        if "filter" not in row:
            continue
        rule = RemarkRule(
            label=f"interface: {row['value']}", field="interfaces", values=(row["filter"],)
        )
        named = [t.format(name) for name in row["names"] for t in table["language phrases"]]
        bare = row["names"] if row.get("bare") else ()
        for say in (*named, *bare, *row.get("say", ()), *row.get("remark", ())):
            yield say, rule
    for row in table["wishes"]:
        for field, values in row.get("filter", {"licenses": row.get("licences")}).items():
            rule = RemarkRule(label=row["label"], field=field, values=tuple(values or ()))
            for say in (*row["say"], *row.get("remark", ())) if values else ():
                yield say, rule


def _by_first_word(
    phrases: Iterable[tuple[Words, Phrase]],
) -> dict[str, tuple[tuple[Words, Phrase], ...]]:
    rows: defaultdict[str, list[tuple[Words, Phrase]]] = defaultdict(list)
    for words, phrase in phrases:
        if words:
            rows[words[0]].append((words, phrase))
    return {first: tuple(sorted(many, key=lambda r: -len(r[0]))) for first, many in rows.items()}


def _cues(texts: Iterable[str]) -> dict[str, tuple[Words, ...]]:
    rows: defaultdict[str, list[Words]] = defaultdict(list)
    for words in sorted(set(map(words_of, texts)), key=lambda w: (-len(w), w)):
        rows[words[0]].append(words)
    return {first: tuple(many) for first, many in rows.items()}
