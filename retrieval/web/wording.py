"""Which questions ask for literature or current information, and what they are about."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from retrieval.web.identity import identifier

Preset = Literal["literature", "web"]

LONGEST_TEXT = 300
"""Characters of a question that are looked at and sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Where to look for a question on the web, and the words that ask for it."""

    preset: Preset
    because: str


@dataclass(frozen=True, slots=True)
class _Triggers:
    literature: re.Pattern[str]
    current: re.Pattern[str]
    keep: frozenset[str]
    filler: frozenset[str]


@cache
def _triggers() -> _Triggers:
    triggers = json.loads(files("retrieval.web").joinpath("triggers.json").read_text("utf-8"))
    return _Triggers(
        literature=_any(triggers["literature"]),
        current=_any(triggers["current"]),
        keep=frozenset(triggers["keep"]),
        filler=frozenset(triggers["filler"]),
    )


def _any(patterns: list[str]) -> re.Pattern[str]:
    """One pattern of all; Chinese and Japanese words have no spaces round them."""
    alternatives = (p if ord(p[0]) > 0x2FFF else rf"(?<![\w-])(?:{p})" for p in patterns)
    return re.compile("|".join(alternatives), re.IGNORECASE)


def sendable(text: str) -> str:
    """The text as it may be sent: on one line, at most LONGEST_TEXT characters."""
    line = " ".join(text.encode("utf-8", "ignore").decode("utf-8").split())
    return line if len(line) <= LONGEST_TEXT else line[:LONGEST_TEXT].rsplit(" ", 1)[0]


def choose(text: str) -> Choice | None:
    """Where to look for a question; None for one that the catalog can answer.

    A question that names a paper by number, or asks for papers, is one for literature; one that
    asks for what is current is one for the web. The words are in triggers.json.
    """
    line, triggers = sendable(text), _triggers()
    paper_id = identifier(line)
    if paper_id is not None:
        return Choice(preset="literature", because=paper_id.value)
    literature = triggers.literature.search(line)
    if literature:
        return Choice(preset="literature", because=literature[0].strip())
    current = triggers.current.search(line)
    return Choice(preset="web", because=current[0].strip()) if current else None


def newest_first(text: str) -> bool:
    """Whether a question asks for what is recent, so that dates matter more than likeness."""
    return _triggers().current.search(sendable(text)) is not None


def topic(text: str) -> str:
    """What a question is about, for sources that want every word in a paper: no "latest papers on".

    The text itself where nothing would be left.
    """
    line, triggers = sendable(text), _triggers()

    def specific_words(match: re.Match[str]) -> str:
        return " " + " ".join(w for w in match[0].split() if w.casefold() in triggers.keep) + " "

    for pattern in (triggers.literature, triggers.current):
        line = pattern.sub(specific_words, line)
    words = (word.strip("?!.,;:\"'()[]") for word in line.split())
    subject = " ".join(w for w in words if w and w.casefold() not in triggers.filler)
    return subject or sendable(text)
