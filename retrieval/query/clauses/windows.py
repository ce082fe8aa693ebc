"""The stretches of a text that may state a wish: clauses, and neighbours of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

MOST_CLAUSES = 3
"""Clauses in a row that one wish may need: "I know no code, so buttons, please"."""

MOST_WORDS = 24
"""Words of a stretch; the longest clause that the model learned from has 20."""

WORD = re.compile(r"[\w+#']+")
"""A word as the model knows it; "C++" and "C#" are whole."""

Span = tuple[int, int]
"""Where a stretch begins in its text, and the place behind its last character."""

_SENTENCES = re.compile(r"[.!?;]+(?:\s+|$)|\n+|\s[-–—]\s|[()]|[。！？；]")
_PAUSES = re.compile(r"[,:]+\s+|[，：]")
_JOINTS = (
    "but|so|because|since|as|that|which|and|with|for|if"
    "|aber|weil|und|mit|et|mais|avec|pour|car|y|pero|con|para|porque|e|ma|mas|com|per|perché"
)
_WAYS = (
    "who|without|no|by|via|under|inside|on|in|from|through|using|ohne|über|im|auf|sans|par|dans|sur"
    "|depuis|sin|por|en|desde|da|su|nel|dal|senza|sem|na|em|pelo|pela"
)
_LONG = re.compile(rf"\s(?=(?:{_JOINTS})\s)", re.IGNORECASE)
_SHORT = re.compile(rf"(?<!\bor)\s(?=(?:{_JOINTS}|{_WAYS})\s)", re.IGNORECASE)
"""Where clauses begin. A wish may begin at a word of place or means ("by one command per patient"):
so 14 more of 619 wishes of six authors left out are read. What is said of a name may stand before
such a word ("contours drawn in ITK-SNAP")."""


def stretches(text: str, *, long: bool = False) -> Iterator[Span]:
    """Every run of one to three clauses of a sentence, no longer than MOST_WORDS, in order.

    ``long`` clauses do not end before words of place and means.
    """
    joints = _LONG if long else _SHORT
    for start, end in _parts(text, _SENTENCES, 0, len(text)):
        pieces = (_parts(text, joints, *piece) for piece in _parts(text, _PAUSES, start, end))
        clauses = list(chain.from_iterable(pieces))
        for first in range(len(clauses)):
            for last in range(first, min(first + MOST_CLAUSES, len(clauses))):
                span = clauses[first][0], clauses[last][1]
                if len(WORD.findall(text, *span)) <= MOST_WORDS:
                    yield span


def _parts(text: str, between: re.Pattern[str], start: int, end: int) -> Iterator[Span]:
    """The parts of a stretch of text between matches, less those without a word."""
    at = start
    for match in between.finditer(text, start, end):
        if WORD.search(text, at, match.start()):
            yield at, match.start()
        at = match.end()
    if WORD.search(text, at, end):
        yield at, end
