"""What a web or literature search finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One hit, as plain text; None and () mean that the source did not say.

    ``sources`` are the services that found it, the first of which filled the fields;
    ``sections`` are the headed parts of a structured abstract, ``text`` is all of it.
    """

    title: str
    url: str
    text: str = ""
    sources: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date: str | None = None
    venue: str | None = None
    citations: int | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv_id: str | None = None
    pdf_url: str | None = None
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def year(self) -> int | None:
        """The year of ``date``, which is written YYYY, YYYY-MM or YYYY-MM-DD."""
        return int(self.date[:4]) if self.date else None
