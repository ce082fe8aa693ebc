"""Years that a question sets on releases and changes: *in 2026*, *since 2020*, *before 2019*."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from retrieval.ask.cues import Cue, Year

BESIDE = 24
"""Most characters from *released* or *updated* to the words of a year: "released for Linux in"."""
YEAR = r"((?:19|20)\d\d)(?!\d)"
LISTED = re.compile(rf"([^\d.;:?!]{{1,8}}?){YEAR}年?")
"""A further year of a list, after a comma or a joining word: "in 2023 or 2024"."""
DATES = {"date": "last_released", "change": "last_changed"}
"""The relation that leads from a tool to a date, by the kind of the node."""

CHANGED = {"maintained": "dated", "unmaintained": "negative"}
"""Kinds of cues for work on a tool, which a change of its source code shows as a release does, and
what is left of each beside a year."""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What the words before a year say of it, longest words first."""
    text = files("retrieval.ask.stated").joinpath("dates.json").read_text("utf-8")
    rows = [(kind, phrase) for kind, phrases in json.loads(text).items() for phrase in phrases]
    rows.sort(key=lambda row: -len(row[1]))
    return tuple(
        (kind, re.compile(_start(phrase) + re.escape(phrase).replace(r"\{\}", YEAR), re.I))
        for kind, phrase in rows
    )


def _start(phrase: str) -> str:
    """A word of letters with cases begins after no letter; Chinese has no blanks."""
    return r"(?<![^\W\d_])" if phrase[0].isascii() and phrase[0].isalpha() else ""


def dated(text: str, cues: Sequence[Cue], known: Sequence[Year]) -> tuple[Year, ...]:
    """The years of a text: ``known`` ones, and others beside words for a release or a change.

    A year beside other words is that of data or of a challenge, and none of a release.
    """
    years = list(known)
    for kind, pattern in _patterns():
        for match in pattern.finditer(text):
            if any(match.start() < year.end and year.start < match.end() for year in years):
                continue
            if _cue(cues, match.start(), match.end(), ("released", *CHANGED)) is None:
                continue
            year, *others = map(int, match.groups())
            first, last = {
                "since": (year, None),
                "after": (year + 1, None),
                "in": (year, year),
                "before": (None, year - 1),
                "between": (year, *others),
            }[kind]
            years.append(Year(start=match.start(), end=match.end(), first=first, last=last))
    years += _further(text, years, cues)
    return tuple(sorted((_of_change(one, cues) for one in years), key=lambda year: year.start))


def _further(text: str, years: Sequence[Year], cues: Sequence[Cue]) -> Iterator[Year]:
    """The years of a list after its first one; the joining words stay outside of them."""
    for year in (one for one in years if one.first == one.last):
        end = year.end
        while (match := LISTED.match(text, end)) and _joins(match, cues):
            end, number = match.end(), int(match.group(2))
            yield Year(start=match.start(2), end=end, first=number, last=number)


def _joins(match: re.Match[str], cues: Sequence[Cue]) -> bool:
    """Whether commas and a joining word at most stand before a year."""
    word = match.group(1).strip(" ,，、/")
    start, end = match.span(1)
    joined = (c for c in cues if c.kind in ("or", "joins") and start <= c.start and c.end <= end)
    return not word or any(c.end - c.start == len(word) for c in joined)


def _of_change(year: Year, cues: Sequence[Cue]) -> Year:
    """The year with the words for a change before it, which say what it dates."""
    cue = _cue(cues, year.start, year.end, ("released", *CHANGED))
    if cue is None or cue.kind not in CHANGED:
        return year
    # "Not updated" is one cue, of which the negation stays outside the year.
    return replace(year, changed=True)


def without_changes(cues: Sequence[Cue], years: Sequence[Year]) -> Iterator[Cue]:
    """The cues, of which the words for a change that a year dates ask for nothing else.

    What is left of *not updated* is its denial.
    """
    for cue in cues:
        near = any(y.changed and _cue([cue], y.start, y.end, CHANGED) for y in years)
        yield replace(cue, kind=CHANGED[cue.kind]) if near else cue


def _cue(cues: Sequence[Cue], start: int, end: int, kinds: Collection[str]) -> Cue | None:
    """The cue of these kinds that is nearest to a place, within BESIDE; one before it wins."""
    near = [
        (max(0, start - cue.end), cue.start > start, n, cue)
        for n, cue in enumerate(cues)
        if cue.kind in kinds and start - cue.end <= BESIDE and cue.start - end <= BESIDE
    ]
    return min(near, key=lambda row: row[:3])[3] if near else None


def placed(day: str, year: Year) -> int:
    """Whether a day is in the span of a year (0), before (-1) or after it (1)."""
    of_day = int(day[:4])
    if year.first is not None and of_day < year.first:
        return -1
    return int(year.last is not None and of_day > year.last)
