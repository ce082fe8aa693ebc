"""Words of clauses that speak of software: light ones, and those that ask for another tool."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.query.grammar import Words, grammar, spellings, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseWords:
    """The light words of a clause about software, and the words that ask for another tool."""

    light: frozenset[str]
    otherness: frozenset[Words]
    compared: frozenset[str]
    place: frozenset[str]
    clusters: frozenset[str]


@cache
def clause_words() -> ClauseWords:
    """The words of ``words.json``, read once."""
    table: dict[str, Any] = json.loads(
        files("retrieval.query.clauses").joinpath("words.json").read_text("utf-8")
    )
    own = grammar()
    return ClauseWords(
        light=own.joining | own.softening | _single(table["light"]),
        otherness=frozenset(words_of(t) for p in table["otherness"] for t in spellings(p)),
        compared=frozenset(table["compared"]),
        place=frozenset(table["place"]),
        clusters=frozenset(table["clusters"]),
    )


def _single(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(text for pattern in patterns for text in spellings(pattern))
