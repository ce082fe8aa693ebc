"""Rows of a general web search as pages; the services differ in the names of the fields alone."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.core import Page
from retrieval.web.services.reading import Row, address, day, words


def hits(
    results: Iterable[Row],
    source: str,
    *,
    link: str = "link",
    text: str = "snippet",
    date: str = "date",
) -> tuple[Page, ...]:
    """The rows with a web address in their order; one without a title has its address for one."""
    return tuple(
        Page(
            title=words(row, "title") or url,
            url=url,
            text=words(row, text),
            date=day(row.get(date)),
            sources=(source,),
        )
        for row in results
        if (url := address(row.get(link)))
    )
