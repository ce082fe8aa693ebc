"""Values out of answers whose every part may be missing, huge, or of another type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from retrieval.core import StageUnavailable

LONGEST = 20_000
"""Characters of one text."""

MOST = 100
"""Rows of one answer."""

Row = Mapping[str, object]
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_DATE = re.compile(
    r"(?<!\d)(1[5-9]\d\d|20\d\d)(?:[-/](0[1-9]|1[0-2])(?:[-/](0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
_WORDED = re.compile(r"\b([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (20\d\d|19\d\d)\b")
_TURNED = re.compile(r"\b(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (20\d\d|19\d\d)\b")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def plain(value: object) -> str:
    """A text on one line without what the eye cannot see; empty for anything else."""
    if not isinstance(value, str):
        return ""
    return " ".join(_UNSEEN.sub(" ", value[: 2 * LONGEST]).split())[:LONGEST]


def rows(data: object, *path: str) -> list[Row]:
    """The objects of the list at a path; raises StageUnavailable where no list is."""
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(data, list):
        raise StageUnavailable("sent an answer of an unexpected shape")
    return [row for row in data[:MOST] if isinstance(row, Mapping)]


def part(row: Row, name: str) -> Row:
    """The object under a name, or an empty one."""
    value = row.get(name)
    return value if isinstance(value, Mapping) else {}


def words(row: Row, *names: str) -> str:
    """The first text among these names."""
    return next((text for text in (plain(row.get(name)) for name in names) if text), "")


def count(row: Row, name: str) -> int | None:
    """A count below 10**9, or None for anything else, such as true."""
    value = row.get(name)
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
    return value if good and isinstance(value, int) else None


def address(value: object) -> str:
    """An http(s) address of at most 2,000 characters, or an empty text for anything else.

    One with a user name is refused, because such an address can hide its true host.
    """
    if not isinstance(value, str) or len(value) > 2000 or _UNSEEN.search(value) or " " in value:
        return ""
    try:
        parts = urlsplit(value)
    except ValueError:
        return ""
    good = parts.scheme.lower() in {"http", "https"} and parts.hostname and not parts.username
    return value if good else ""


def day(value: object) -> str | None:
    """A date as YYYY, YYYY-MM or YYYY-MM-DD, also of ``Mar 3, 2025`` and ``3 Mar 2025``."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else plain(value)
    # Day first becomes month first, so that one pattern reads both.
    text = _TURNED.sub(r"\2 \1, \3", text)
    worded = _WORDED.search(text)
    if worded and worded[1] in _MONTHS and 1 <= int(worded[2]) <= 31:
        return f"{worded[3]}-{_MONTHS.index(worded[1]) + 1:02}-{int(worded[2]):02}"
    match = _DATE.search(text)
    return "-".join(filter(None, match.groups())) if match else None


def month(text: str) -> str:
    """``03`` of ``Mar`` or ``3``; empty for anything else."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 12:
        return f"{int(text):02}"
    return f"{_MONTHS.index(text[:3]) + 1:02}" if text[:3] in _MONTHS else ""


def listed(value: object) -> Iterator[object]:
    """The items of a list, bounded; nothing for anything else."""
    return iter(value[:MOST] if isinstance(value, list) else ())
