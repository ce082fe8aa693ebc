"""Numbers out of the text of a header; a text that is not all numbers gives none."""

from __future__ import annotations

import math
import re

_MOST = 64
_INTEGER = re.compile(r"-?[0-9]{1,18}")


def integers(text: str) -> tuple[int, ...]:
    """Counts between spaces."""
    parts = text.split()[:_MOST]
    return tuple(map(int, parts)) if all(map(_INTEGER.fullmatch, parts)) else ()


def decimals(text: str) -> tuple[float, ...]:
    """Finite numbers between spaces or commas."""
    try:
        values = tuple(float(part) for part in text.replace(",", " ").split()[:_MOST])
    except ValueError:
        return ()
    return values if all(math.isfinite(value) for value in values) else ()
