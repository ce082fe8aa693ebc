"""What a wish that left a text leaves of its clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.query.clauses.words import clause_words
from retrieval.query.grammar import words_of

GAP = chr(0xE000)
"""Stands in a text where a wish stood; a character that nobody types."""

ACTS = frozenset({"read", "show", "see", "look", "open", "load", "check", "call", "run"})
"""Light words that say what to do where no other does."""

_PAUSES = re.compile(r"(\s*[,.;:!?]+\s+|\s[-–—]\s|\s*[，。；]\s*)")
_PARTED = re.compile(
    r"(\s(?:and|but|so|because|since|that|which|und|aber|weil|et|mais|y|pero|e|ma|mas)\s)"
)


def without_left_over(text: str) -> str:
    """A text less the clauses of which a wish at GAP leaves light words alone.

    "And my boss [will not let me install it]", "[Windows] here": they would find wrong tools.
    """
    pieces = _PAUSES.split(text)
    rest = ["".join(_content_of(_PARTED.split(piece))) for piece in pieces[::2]]
    pauses = ["", *pieces[1::2]]
    joined = "".join(f"{p}{r}" for p, r in zip(pauses, rest, strict=True) if r.strip())
    # Brackets whose wish is gone hold nothing.
    joined = re.sub(rf"\([\s{GAP},/]*\)", " ", joined).strip(" ,;:!?")
    return (joined or text).replace(GAP, " ")


def _content_of(clauses: Sequence[str]) -> Iterator[str]:
    """Clauses with the word that parts each from the one before, less what a wish leaves over."""
    joints = ["", *clauses[1::2]]
    for joint, clause in zip(joints, clauses[::2], strict=True):
        words = words_of(clause)
        is_light = clause_words().light.issuperset(words) and ACTS.isdisjoint(words)
        if GAP not in clause or not is_light:
            yield f"{joint}{clause}"
