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
_JOINTS = re.compile(
    r"(?<!\bor)\s(?=(?:but|so|because|since|as|that|which|who|and|with|without|no|for|if|by|via"
    r"|under|inside|on|in|from|through|using"
    r"|aber|weil|und|mit|ohne|per|über|im|auf|et|mais|avec|sans|pour|car|par|dans|sur|depuis"
    r"|y|pero|con|sin|para|porque|por|en|desde|e|ma|da|su|nel|dal|perché|senza"
    r"|mas|com|sem|na|em|pelo|pela)\s)",
    re.IGNORECASE,
)
"""Words before which a wish may begin: "with one command per patient", "sans rien installer". Those
of place and means ("by", "inside", "sans") read 14 wishes more of 619 by six authors left out."""


def stretches(text: str) -> Iterator[Span]:
    """Every run of one to three clauses of a sentence, no longer than MOST_WORDS, in order."""
    for start, end in _parts(text, _SENTENCES, 0, len(text)):
        pieces = (_parts(text, _JOINTS, *piece) for piece in _parts(text, _PAUSES, start, end))
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
