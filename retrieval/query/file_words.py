"""Formats and dimensions that a text names, with the words for them as typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.catalog import dimension_of, format_of
from retrieval.core import Wish
from retrieval.query.rewording.denied import is_denied

_WORD = re.compile(r"\.?\w[\w.+-]*\w|\.?\w")

AMBIGUOUS = frozenset({"text", "sam", "volume", "volumes"})
"""Spellings of the closed vocabularies that mean something else in most requests: a model is called
SAM, and the volume of an organ is a measure."""


def file_words(text: str) -> tuple[Wish, ...]:
    """The formats and dimensions that a text names, once each, in its order.

    One that the text sets aside ("DICOM instead of NIfTI") is unwanted.
    """
    return tuple({(w.kind, w.value): w for w in reversed([*_named(text)])}.values())[::-1]


def _named(text: str) -> Iterator[Wish]:
    spans = [match.span() for match in _WORD.finditer(text)]
    after = 0
    for n, (start, end) in enumerate(spans):
        # "OME TIFF" and "time series" are two words.
        ends = (spans[n + 1][1], end) if n + 1 < len(spans) else (end,)
        for stop in ends if start >= after else ():
            typed = text[start:stop]
            code = dimension_of(typed) or format_of(typed) or format_of(typed.replace(" ", "-"))
            if code is None or typed.casefold() in AMBIGUOUS:
                continue
            after = stop
            yield Wish(
                kind="dimension" if dimension_of(typed) else "format",
                value=str(code),
                text=typed,
                strength="unwanted" if is_denied(text[:start]) else "wanted",
            )
            break
