"""How long ago a tool was last released, as of the last check of its source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

FRESH, AGEING = 18, 48
"""Months since the last release up to which a tool is fresh, and up to which it is ageing."""

CHECKED = 12
"""Months after which a check of the catalog's source says nothing about later releases."""

Mark = Literal["fresh", "ageing", "dormant", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """The mark and the whole months it rests on; None where a date is missing."""

    mark: Mark
    months: int | None
    checked_months: int | None


def freshness(last_release: str | None, checked_on: date | None, today: date) -> Freshness:
    """The mark of a release date (``2024-05`` or ``2024-05-17``) on a given day.

    An old release is unknown where its source was checked long ago: a later one may exist.
    """
    months: int | None = None
    mark: Mark = "unknown"
    if last_release is not None:
        day = last_release if len(last_release) > 7 else f"{last_release}-01"
        months = _months(date.fromisoformat(day), today)
        mark = "fresh" if months <= FRESH else "ageing" if months <= AGEING else "dormant"
    checked = None if checked_on is None else _months(checked_on, today)
    if mark in ("ageing", "dormant") and (checked is None or checked > CHECKED):
        mark = "unknown"
    return Freshness(mark=mark, months=months, checked_months=checked)


def _months(since: date, today: date) -> int:
    """Whole months since a day; 0 for a day in the future."""
    months = (today.year - since.year) * 12 + today.month - since.month
    return max(0, months - (today.day < since.day))
