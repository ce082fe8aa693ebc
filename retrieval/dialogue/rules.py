"""The closed vocabulary of remarks, and words that choose no tool.

Phrases of wishes about software are those of ``retrieval.query``, which reads them in a request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from retrieval.catalog import WIDE_DATA
from retrieval.query import grammar

WORD = re.compile(r"[^\W_](?:[\w.+/-]*[\w+])?")
QUERY_WORD = re.compile(r"[^\W_][\w.+-]*")
Words = tuple[str, ...]

MOST_WORDS = 12
"""Words of the longest rule; none is longer."""

HYPHENATED = 3
"""Words of the longest phrase that is written with hyphens: "command-line-based"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The effect of a phrase: values of a filter, words to add, or a change of the list length."""

    label: str
    field: str = ""
    values: tuple[str, ...] = ()
    adds: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Phrases as word tuples: rules, cues by name, and the empty words that are skipped.

    ``reversals`` are the phrases after which something is not left out, or not required.
    ``alternatives`` and ``joints`` are the words between the items of a list: "or", and others.
    """

    rules: Mapping[Words, Rule]
    cues: Mapping[str, tuple[Words, ...]]
    empty: frozenset[str]
    licences: Mapping[str, tuple[str, ...]]
    species: frozenset[str]
    alternatives: frozenset[str]
    joints: frozenset[str]
    reversals: Mapping[str, tuple[Words, ...]]


def table_of(name: str) -> dict[str, Any]:
    """The content of a file of words of this room."""
    text = files("retrieval.dialogue").joinpath(f"{name}.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary, read once."""
    table = table_of("follow_up")
    rules = {
        words: Rule(label=rule.label, field=rule.field, values=rule.values, adds=rule.adds)
        for text, rule in grammar().remarks
        for words in _spellings(text)
    }
    rules |= {
        words_of(say): Rule(
            label=row["told"],
            field=row.get("field", ""),
            values=tuple(row.get("values", ())),
            adds=row.get("adds", ""),
            more=row.get("more", 0),
        )
        for row in table["rules"]
        for say in row["say"]
    }
    cues = {name: tuple(map(words_of, phrases)) for name, phrases in table["cues"].items()}
    return Vocabulary(
        rules=rules,
        cues=cues,
        empty=frozenset(table["words"]),
        licences={name: tuple(ids) for name, ids in table["licences"].items()},
        species=frozenset(f"anatomy:{name}" for name in table["species"]),
        alternatives=frozenset(table["joints"]["or"].split()),
        joints=frozenset(table["joints"]["others"].split()),
        reversals={
            name: tuple(
                words_of(f"{denial} {verb}")
                for denials, verbs in pairs
                for denial, verb in product(denials, verbs)
            )
            for name, pairs in table["reversals"].items()
        },
    )


def talk_table() -> dict[str, Any]:
    """The words and phrases of remarks that change no search."""
    table: dict[str, Any] = table_of("follow_up")["talk"]
    return table


def _spellings(text: str) -> Iterator[Words]:
    """The words of a phrase as it stands, with hyphens throughout, and with one in any place."""
    words = words_of(text)
    yield words
    if len(words) > HYPHENATED:
        return
    yield ("-".join(words),)
    for at in range(len(words) - 1):
        yield (*words[:at], f"{words[at]}-{words[at + 1]}", *words[at + 2 :])


def takes_back(remark: str) -> str:
    """``last`` or ``all`` where a whole remark takes the last one or all of them back, else ""."""
    folded = re.sub(r"[^\w\s'-]", " ", remark.casefold()).split()
    plain = " ".join(word for word in folded if word != "please")
    table: dict[str, list[str]] = table_of("follow_up")["take back"]
    return next((what for what, phrases in table.items() if plain in phrases), "")


def words_of(text: str) -> Words:
    """The words of a text, case-folded; ``c++`` and ``nii.gz`` are one word each."""
    return tuple(WORD.findall(text.casefold()))


def longest_rule(words: Sequence[str], at: int, rules: Mapping[Words, Rule]) -> int:
    """Number of words of the longest rule that begins at this word; 0 for none."""
    sizes = range(min(MOST_WORDS, len(words) - at), 0, -1)
    return next((n for n in sizes if tuple(words[at : at + n]) in rules), 0)


def longest(words: Sequence[str], at: int, phrases: Iterable[Words]) -> int:
    """Number of words of the longest phrase that begins at this word; 0 for none."""
    fitting = (len(p) for p in phrases if p and tuple(words[at : at + len(p)]) == p)
    return max(fitting, default=0)


def replaces(words: Sequence[str]) -> bool:
    """Whether words change what is wished: "rather on Linux", but not "instead of Windows"."""
    cues = vocabulary().cues
    places = range(len(words))
    return any(
        longest(words, n, cues["replace"]) > longest(words, n, cues["leave out"]) for n in places
    )


def licences_of(family: str, stated: Iterable[str]) -> frozenset[str]:
    """Those of the stated SPDX expressions that a family of licences satisfies.

    Of an ``OR`` one side suffices, of an ``AND`` both must match. The name of the family itself
    when no expression matches, so that the filter admits nothing rather than everything.
    """
    starts = vocabulary().licences.get(family, (family,))

    def allowed(part: str) -> bool:
        name = part.split(" WITH ")[0].strip()
        # Creative Commons licences with -NC or -ND limit what one may do, so they are in no family.
        if "-NC" in name or "-ND" in name:
            return False
        # A start that ends in a hyphen stands for every version.
        return any(name == s or (s.endswith("-") and name.startswith(s)) for s in starts)

    matching = []
    for text in stated:
        sides = re.sub(r"[()]", " ", text).split(" OR ")
        if any(all(map(allowed, side.split(" AND "))) for side in sides):
            matching.append(text)
    return frozenset(matching or [family])


@cache
def _generic(kind: str) -> frozenset[str]:
    return frozenset(table_of("generic")[kind])


def is_generic(concept: str) -> bool:
    """Whether a concept is too general to choose a tool by."""
    return concept in _generic("concepts") or concept in WIDE_DATA


def own_words(text: str) -> list[str]:
    """The words of a text, case-folded, without those common to all searches ("find", "tool")."""
    return [
        w for w in QUERY_WORD.findall(text.casefold()) if w.strip(".+-") not in _generic("words")
    ]
