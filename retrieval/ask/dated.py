"""Years of a question, "released since 2024", as constraints on the last recorded release."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.query import WishReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """A year that a text names as the earliest one, and the place of those words in characters."""

    start: int
    end: int
    first: int


def years_of(text: str) -> tuple[Year, ...]:
    """The years since which something is to be released, as the search box reads them."""
    mentions = (m for m in WishReader().mentions(text) if m.wish.kind == "since")
    return tuple(
        Year(start=m.start, end=m.end, first=int(m.wish.value))
        for m in mentions
        if m.wish.value.isdecimal() and m.wish.strength != "unwanted"
    )
