"""Words of texts that speak of software: where they stand, and what they are in a clause.

Light words, those that ask for another tool, and the two of a compound with a name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.query.grammar import WORD, Words, grammar, spellings, words_of

SHORTEST_NAME = 3
"""Letters of the shortest name of a system: "Mac"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseWords:
    """The light words of a clause about software, and the words that ask for another tool.

    ``ends`` are programs at either end of a connection: an OMERO client runs outside OMERO.
    """

    light: frozenset[str]
    otherness: frozenset[Words]
    compared: frozenset[str]
    place: frozenset[str]
    clusters: frozenset[str]
    ends: frozenset[str]


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
        ends=frozenset(table["ends"]),
    )


def _single(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(text for pattern in patterns for text in spellings(pattern))


@cache
def _nouns_behind() -> dict[str, frozenset[str]]:
    """The names of one word of systems and hosts, with the nouns that make a compound of them."""
    names = {words[0]: p for words, p in grammar().bare.items() if len(words) == 1 and not p.exact}
    nouns = {kind: grammar().frames[kind].after for kind in ("system", "host")}
    return {name: nouns[p.kind] for name, p in names.items() if p.kind in nouns}


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each word of a text stands; "Windowsprogramm" is two, as "Windows-Programm" is."""
    names = _nouns_behind()
    for match in WORD.finditer(text):
        (start, end), word = match.span(), match.group().casefold()
        for size in range(SHORTEST_NAME, len(word) if len(word) == end - start else 0):
            if word[size:] in names.get(word[:size], ()):
                yield start, start + size
                start += size
                break
        yield start, end
