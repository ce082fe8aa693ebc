"""Words of clauses that speak of software: nouns, light words, and those that ask for another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.query.grammar import Phrase, Words, grammar, spellings, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseWords:
    """The nouns of software, the words of a clause about it, and those that ask for another."""

    nouns: Mapping[Words, tuple[Phrase, ...]]
    light: frozenset[str]
    people: frozenset[str]
    parting: frozenset[str]
    otherness: frozenset[Words]
    compared: frozenset[str]
    place: frozenset[str]
    aims: frozenset[str]
    clusters: frozenset[str]


@cache
def clause_words() -> ClauseWords:
    """The words of ``clauses.json``, read once."""
    table: dict[str, Any] = json.loads(
        files("retrieval.query").joinpath("clauses.json").read_text("utf-8")
    )
    nouns: dict[Words, tuple[Phrase, ...]] = {}
    for row in table["nouns"]:
        phrase = Phrase(
            kind=row["kind"],
            value=row["value"],
            strength=row.get("strength", "wanted"),
            negated=row.get("denied", False),
        )
        for text in spellings(row["say"]):
            nouns[words_of(text)] = (*nouns.get(words_of(text), ()), phrase)
    own = grammar()
    return ClauseWords(
        nouns=nouns,
        light=own.joining | own.softening | _single(table["light"]) | _single(table["people"]),
        people=_single(table["people"]),
        parting=frozenset(table["parting"]),
        otherness=frozenset(words_of(t) for p in table["otherness"] for t in spellings(p)),
        compared=frozenset(table["compared"]),
        place=frozenset(table["place"]),
        aims=frozenset(table["aims"]),
        clusters=frozenset(table["clusters"]),
    )


def _single(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(text for pattern in patterns for text in spellings(pattern))
