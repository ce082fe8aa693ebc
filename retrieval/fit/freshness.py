"""How long ago a tool was last released, as of the last check of its source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from retrieval.core import Tool

FRESH, AGEING = 18, 48
"""Months since the last release up to which a tool is fresh, and up to which it is ageing."""

CHECKED = 12
"""Months after which a check of the catalog's source says nothing about later releases."""

KEPT_UP = 24
"""Months before a check within which a release or commit shows that a tool is looked after."""

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
        months = _months(_day(last_release), today)
        mark = "fresh" if months <= FRESH else "ageing" if months <= AGEING else "dormant"
    checked = None if checked_on is None else _months(checked_on, today)
    if mark in ("ageing", "dormant") and (checked is None or checked > CHECKED):
        mark = "unknown"
    return Freshness(mark=mark, months=months, checked_months=checked)


def is_kept_up(tool: Tool) -> tuple[bool | None, date | None]:
    """Whether a release or commit came within KEPT_UP months of the check, and the latest of them.

    Old ones say nothing: work may go on without releases, and a commit is the newest one in the
    copy of the repository that was read, which may be years old. So the answer is never no.
    """
    released = _day(tool.last_release) if tool.last_release else None
    days = [day for day in (released, tool.last_commit) if day]
    if not days or tool.checked_on is None:
        return None, None
    holds = _months(max(days), tool.checked_on) <= KEPT_UP
    return (True if holds else None), max(days)


def _day(stated: str) -> date:
    """The day of ``2024-05-17``; the first one of ``2024-05``."""
    return date.fromisoformat(stated if len(stated) > 7 else f"{stated}-01")


def _months(since: date, today: date) -> int:
    """Whole months since a day; 0 for a day in the future."""
    months = (today.year - since.year) * 12 + today.month - since.month
    return max(0, months - (today.day < since.day))
