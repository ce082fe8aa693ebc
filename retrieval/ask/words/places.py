"""Questions of where a tool stands in a search, which no record states and the page does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from retrieval.ask.cues import json_table
from retrieval.ask.linker import SPACELESS


def asks_of_place(question: str, language: str) -> bool:
    """Whether a question asks why or where a tool stands, is missing or comes before another."""
    asks = _pattern(language, "asks").search(question)
    return bool(asks and _pattern(language, "place").search(question, asks.end()))


@cache
def _pattern(language: str, kind: str) -> re.Pattern[str]:
    phrases: Sequence[str] = json_table("words/places")[language][kind]
    edge = "" if language in SPACELESS else r"\b"
    # The word that asks begins the question, but for a word that joins.
    start = r"^\W*(?:\w+\s+)?" if kind == "asks" and edge else ""
    return re.compile(f"{start}{edge}(?:{'|'.join(map(re.escape, phrases))}){edge}", re.IGNORECASE)
