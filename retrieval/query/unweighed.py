"""Wishes that no field of a record answers: approval, compliance with law, support by a vendor.

Use without an account is one as well, and use without a library that a tool may be built on; one
that is wanted, "in PyTorch", is searched with, since descriptions name theirs.
A tool can be weighed by none of them, so the answer says so and their words are not searched with:
"FDA cleared" is nothing about cleared tissue. The words stand in ``unweighed.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.query.grammar import HAN, spellings

_NO_LETTER = rf"(?<![^\W_{HAN}])", rf"(?![^\W_{HAN}])"
"""What stands before and behind a phrase: no letter and no digit, but for Chinese and Japanese."""

_GAP = r"[\s\-\u2010-\u2014]*"
"""What parts the words of a phrase, which Chinese and "CE-marked" write without a blank."""

_LEFT = re.compile(
    r"^(?:(?:and|with|und|mit|et|avec|y|con|e|com)\s|[\s,;:])+"
    r"|(?:[\s,;:]|\s(?:a|an|with|and|mit|und|avec|et|con|y|com|e))+$",
    re.IGNORECASE,
)
"""Joining words that are left at an end of the text: "tool with [commercial support]"."""


@dataclass(frozen=True, slots=True)
class _Unweighed:
    """What no record states, the phrases that ask for it, and words beside which they do not."""

    name: str
    phrase: re.Pattern[str]
    unless: tuple[str, ...]


@cache
def _rows() -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = json.loads(
        files("retrieval.query").joinpath("unweighed.json").read_text("utf-8")
    )
    return rows


@cache
def _table() -> tuple[_Unweighed, ...]:
    return tuple(
        _Unweighed(name, _pattern(row), tuple(row.get("unless", "").split()))
        for name, row in _rows().items()
    )


def _pattern(row: Mapping[str, Any]) -> re.Pattern[str]:
    """One that finds every phrase of a row; of a row with denials, where one is ruled out alone."""
    phrases = _either(row["words"])
    if "denied by" in row:
        several = rf"(?:{phrases})(?:[\s,/]+(?:(?:{_either(row['joints'])})\s+)?(?:{phrases}))*"
        denied = rf"(?:{_either(row['denied by'])}){_GAP}{several}"
        phrases = rf"[,;]?\s*(?:{denied}|{several}{_GAP}(?:{_either(row['denied behind by'])}))"
    return re.compile(phrases, re.IGNORECASE)


def _either(patterns: Iterable[str]) -> str:
    """What finds every phrase of the patterns, the longest first."""
    phrases = {tuple(phrase.split()) for pattern in patterns for phrase in spellings(pattern)}
    ways = sorted(
        (_GAP.join(map(re.escape, words)) for words in phrases), key=lambda w: (-len(w), w)
    )
    before, behind = _NO_LETTER
    # Chinese writes no blank beside a phrase.
    spaced = "|".join(way for way in ways if way[-1].isascii())
    unspaced = [way for way in ways if not way[-1].isascii()]
    return "|".join([rf"{before}(?:{spaced}){behind}", *unspaced])


@cache
def _beginnings() -> re.Pattern[str]:
    """One that finds the first two words of a phrase, anywhere in a casefolded text.

    It takes 15 microseconds a text at most, where the patterns of whole phrases take up to 500.
    """
    seconds: dict[str, set[str]] = {}
    for row in _rows().values():
        for phrase in (phrase for pattern in row["words"] for phrase in spellings(pattern)):
            first, *others = map(re.escape, phrase.casefold().split())
            seconds.setdefault(first, set()).add("".join(others[:1]))
    ways = (f"{first}{_GAP}(?:{'|'.join(sorted(seconds[first]))})" for first in sorted(seconds))
    return re.compile("|".join(ways))


def _rows_in(text: str) -> Iterator[_Unweighed]:
    folded = text.casefold()
    if not _beginnings().search(folded):
        return
    for row in _table():
        if row.phrase.search(text) and not any(word in folded for word in row.unless):
            yield row


def without_unweighed(text: str) -> str:
    """The text without wishes that no record answers; as it is where nothing else is asked."""
    rest = text
    for row in _rows_in(text):
        rest = row.phrase.sub(" ", rest)
    rest = text if rest is text else _LEFT.sub("", " ".join(rest.split()))
    return rest if re.search(r"[^\W_]", rest) else text


def unweighed_note(text: str) -> str:
    """The note on wishes that no record answers; empty where the text has none."""
    names = [row.name for row in _rows_in(text)]
    if not names:
        return ""
    last = names.pop()
    several = f"{', '.join(names)} or {last}" if names else last
    return (
        f"No field of a record states {several}, so the list cannot weigh it; "
        "ask the makers of a tool."
    )
