"""The fixed texts of answers, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.ask.cues import json_table
from retrieval.ask.linker import SPACELESS


def wording(key: str, language: str) -> str:
    """A text of the answers in a language; English where it is missing."""
    texts: dict[str, str] = json_table("wording")[key]
    return texts.get(language) or texts["en"]


def joined(names: Sequence[str], most: int, language: str, between: str = "") -> str:
    """The first names in a row, then how many more there are."""
    between = between or ("、" if language in SPACELESS else ", ")
    rest_count = len(names) - most
    more = [wording("more", language).format(n=rest_count)] if rest_count > 0 else []
    return between.join([*names[:most], *more])
