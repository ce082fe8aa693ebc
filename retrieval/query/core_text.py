"""What a text asks for, without the shelf it names and the words of asking."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from retrieval.catalog import ConceptAnnotator
from retrieval.core import State

SHELF = "domain:"
"""Concepts of this kind name a field, as ``(neuroimaging)`` behind a heading does."""

WIDE = frozenset({"data:image", "data:medical image"})
"""Concepts that nearly every record is about."""

SHORTEST = 2
"""Characters; where less than this would be left the text stays whole."""

KEPT = 64
"""Texts whose core is kept, since several stages ask for the same one."""

_ASKING = re.compile(
    r"^(?:how (?:do|can|could|should|would|to|does|is|are)\b(?: (?:i|we|you|one))?"
    r"|what (?:is|are)(?: the)?"
    r"|which(?: (?:tools?|software|programs?))?(?: (?:can|do|could))?(?: (?:i|we))?(?: use)?"
    r"(?: (?:to|for))?)\s",
    re.IGNORECASE,
)


def core_text(text: str, annotator: ConceptAnnotator) -> str:
    """The text less the fields it names, wide words and the opening of a question."""
    rest = text
    for mention in reversed(annotator.mentions(text)):
        if mention.concept.startswith(SHELF) or mention.concept in WIDE:
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    rest = re.sub(r"\(\s*\)", " ", _ASKING.sub("", rest.strip()))
    rest = " ".join(rest.split()).strip(" -–:,.?()")
    return rest if len(rest) >= SHORTEST else text


def core_of(annotator: ConceptAnnotator) -> Callable[[State], str]:
    """The core of what a query means, as a stage asks for it."""

    @lru_cache(maxsize=KEPT)
    def core(full_text: str) -> str:
        return core_text(full_text, annotator)

    return lambda state: core(state.query.english_text)
