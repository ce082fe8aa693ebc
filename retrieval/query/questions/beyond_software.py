"""Questions of patients and buyers that no software answers: prices, doctors, reports, risks.

They name a kind of image or an organ, so that neither words nor vectors tell them from requests.
The sentences are those in which such questions are asked (``beyond_software.json``), in the
languages that are read; each kind has the note that the visitor is given.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LONGEST = 120
"""Characters of a text that is such a question; a longer one asks for more than an answer."""

RECENT_TEXTS = 64
"""Texts whose notes are kept: an answer asks twice for that of its own."""


@lru_cache(maxsize=RECENT_TEXTS)
def beyond_software(text: str) -> str:
    """The note on a question that no software answers; empty for any other text."""
    if len(text) > LONGEST:
        return ""
    return next((note for note, asks in _kinds() if asks.search(text)), "")


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    path = files("retrieval.query.questions").joinpath("beyond_software.json")
    table: dict[str, Any] = json.loads(path.read_text("utf-8"))
    kinds = []
    for kind in table["kinds"]:
        pattern = "|".join(f"(?:{one})" for one in kind["patterns"])
        for name, words in table["words"].items():
            pattern = pattern.replace(f"{{{name}}}", words)
        kinds.append((str(kind["note"]), re.compile(pattern, re.IGNORECASE)))
    return tuple(kinds)
