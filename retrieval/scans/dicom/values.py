"""Values of a hostile or sloppy data set as numbers and words, or None."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pydicom.dataset import Dataset
from pydicom.errors import BytesLengthException

_BAD = (
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
    LookupError,
    OverflowError,
    BytesLengthException,
)
_LONGEST = 4096


def _value(values: Dataset, name: str) -> Any:  # noqa: ANN401 - pydicom's values have any type
    try:
        return values.get(name)
    except _BAD:
        return None


def words(values: Dataset, name: str) -> tuple[str, ...]:
    """Each value as upper-case text without padding.

    Empty where the element is missing or pydicom cannot read it; each is cut at 4,096 letters.
    """
    value = _value(values, name)
    parts = [value] if isinstance(value, str) else value if isinstance(value, Iterable) else []
    return tuple(str(part)[:_LONGEST].strip(" \0").upper() for part in parts)


def word(values: Dataset, name: str) -> str:
    """The value as upper-case text; several values are no value."""
    parts = words(values, name)
    return parts[0] if len(parts) == 1 else ""


def numbers(values: Dataset, name: str) -> tuple[float, ...]:
    """Each value as a finite number; nothing when one of them is not.

    A whole tuple or none: half of a position or spacing would be taken for something else.
    """
    value = _value(values, name)
    if value is None or isinstance(value, bytes):
        return ()
    many = isinstance(value, Iterable) and not isinstance(value, str)
    try:
        parsed = tuple(float(part) for part in (value if many else [value]))
    except _BAD:
        return ()
    return parsed if all(math.isfinite(number) for number in parsed) else ()


def number(values: Dataset, name: str) -> float | None:
    """The first of the numbers."""
    parts = numbers(values, name)
    return parts[0] if parts else None


def count(values: Dataset, name: str) -> int | None:
    """A single whole number."""
    parts = numbers(values, name)
    return int(parts[0]) if len(parts) == 1 and parts[0] == int(parts[0]) else None
