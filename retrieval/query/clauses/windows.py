"""The stretches of a text that may state a wish: clauses, and neighbours of one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from retrieval.query.grammar import grammar, words_of
from retrieval.query.tongues import grammar_words

WORD = re.compile(r"[\w+#']+")
"""A word as the model knows it; "C++" and "C#" are whole."""

Span = tuple[int, int]
"""Where a stretch begins in its text, and the place behind its last character."""

_SENTENCES = re.compile(r"[.!?;]+(?:\s+|$)|\n+|\s[-–—]\s|[()]|[。！？；]")
_PAUSES = re.compile(r"[,:]+\s+|[，：]")
_OF_WISHES = (
    r"but|so|because|since|as|that|which|who|and|with|without|no|for|if|by|via"
    r"|under|inside|on|in|from|through|using"
    r"|aber|weil|und|mit|ohne|per|über|im|auf|et|mais|avec|sans|pour|car|par|dans|sur|depuis"
    r"|y|pero|con|sin|para|porque|por|en|desde|e|ma|da|su|nel|dal|perché|senza"
    r"|mas|com|sem|na|em|pelo|pela"
)
"""Words before which a wish may begin: "with one command per patient", "sans rien installer". Those
of place and means ("by", "inside", "sans") read 14 wishes more of 619 by six authors left out."""


_OF_CONTRASTS = (
    r"not|never|nor|neither|rather|instead|except|excluding|minus|unlike|over|nothing|anything"
    r"|none|leave|skip|ignore|forget|statt|anstatt|nicht|kein|keine|außer|ohne|pas|plutôt|sauf"
    r"|hors|ni|sino|salvo|excepto|menos|nada|non|invece|tranne|não|exceto"
)
"""More words before which something may be set aside."""


def _before(words: str) -> re.Pattern[str]:
    """The spaces before one of some words."""
    return re.compile(rf"(?<!\bor)\s(?=(?:{words})\s)", re.IGNORECASE)


@dataclass(frozen=True)
class Clauses:
    """Where sentences and clauses end, and how many of each a stretch may have in a row.

    ``words``: of a stretch. ``whole``: a sentence of any number of clauses is a stretch as well.
    """

    sentences: re.Pattern[str]
    pauses: re.Pattern[str]
    joints: re.Pattern[str]
    clauses: int
    words: int
    whole: bool = False


OF_WISHES = Clauses(_SENTENCES, _PAUSES, _before(_OF_WISHES), clauses=3, words=24)
"""One wish may need three clauses: "I know no code, so buttons, please"; the longest clause that
the model of wishes learned from has 20 words."""

OF_ASIDES = Clauses(
    # "Fluorescence? No." is one stretch.
    re.compile(r"[.!;]+(?:\s+|$)|\n+|\s[-–—]\s|[()]|[。！；]|…\s*|\s[/≠]\s"),
    re.compile(rf"\?+(?:\s+|$)|？|{_PAUSES.pattern}"),
    _before(f"{_OF_WISHES}|{_OF_CONTRASTS}"),
    clauses=4,
    words=40,
    whole=True,
)
"""What sets a subject aside begins at a word of contrast, or is a sentence of its own: of 3,806
such parts of requests by 16 authors 3,648 are a stretch."""


def stretches(text: str, cut: Clauses = OF_WISHES) -> Iterator[Span]:
    """Every run of a few clauses of a sentence, no longer than a stretch may be, in order."""
    for start, end in _parts(text, cut.sentences, 0, len(text)):
        pieces = (
            _parts(text, cut.joints, *piece) for piece in _parts(text, cut.pauses, start, end)
        )
        clauses = list(chain.from_iterable(pieces))
        runs = [
            (first, last)
            for first in range(len(clauses))
            for last in range(first, min(first + cut.clauses, len(clauses)))
        ]
        runs += [(0, len(clauses) - 1)] * (cut.whole and len(clauses) > cut.clauses)
        for first, last in sorted(runs):
            span = clauses[first][0], clauses[last][1]
            if len(WORD.findall(text, *span)) <= cut.words:
                yield span


def is_phrased(text: str, spans: Iterable[Span]) -> bool:
    """Whether some stretch has a word that joins others: "deconvolution python" has none.

    Of bare terms in a row the clauses that were learned say nothing. Of 2,206 requests by twelve
    authors one rules something out in such words.
    """
    return any(not _joining().isdisjoint(words_of(text[start:end])) for start, end in spans)


@cache
def _joining() -> frozenset[str]:
    return grammar_words() | grammar().joining


def lies_in(spans: Iterable[Span], place: int) -> bool:
    """Whether a place of a text is in one of its stretches."""
    return any(start <= place < end for start, end in spans)


def _parts(text: str, between: re.Pattern[str], start: int, end: int) -> Iterator[Span]:
    """The parts of a stretch of text between matches, less those without a word."""
    at = start
    for match in between.finditer(text, start, end):
        if WORD.search(text, at, match.start()):
            yield at, match.start()
        at = match.end()
    if WORD.search(text, at, end):
        yield at, end
