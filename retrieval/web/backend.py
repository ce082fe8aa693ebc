"""The services behind the WebBackend port, each made of its pure functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

from retrieval.core import NO_LIMIT, Deadline, Page, StageUnavailable
from retrieval.web.http import Http
from retrieval.web.services import pubmed
from retrieval.web.services.request import Ask, Reply

NOTHING = "found nothing"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service that answers in one step; ``through``: by way of whom it is asked."""

    name: str
    base: str
    http: Http
    request: Callable[[str, int], Ask]
    parse: Callable[[Reply], tuple[Page, ...]]
    through: str = ""

    @property
    def host(self) -> str:
        """The machine that is asked."""
        return urlsplit(self.base).hostname or self.base

    def search(self, text: str, limit: int, deadline: Deadline = NO_LIMIT) -> tuple[Page, ...]:
        """At most ``limit`` pages in the order of the service.

        Raises StageUnavailable when there is none, or when the service gives none in time.
        """
        return some(self.parse(self.http.send(self.request(text, limit), deadline)), limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class PubMed:
    """PubMed, which is asked twice: for numbers, then for the records."""

    base: str
    http: Http
    request: Callable[[str, int], Ask]
    fetch: Callable[[tuple[str, ...]], Ask]
    name: str = pubmed.NAME
    through: str = ""

    @property
    def host(self) -> str:
        """The machine that is asked."""
        return urlsplit(self.base).hostname or self.base

    def search(self, text: str, limit: int, deadline: Deadline = NO_LIMIT) -> tuple[Page, ...]:
        """At most ``limit`` records in the order of the search, not in that of the second answer.

        Two requests share one deadline. Raises StageUnavailable when there is no record.
        """
        pmids = some(pubmed.numbers(self.http.send(self.request(text, limit), deadline)), limit)
        pages = pubmed.parse(self.http.send(self.fetch(pmids), deadline))
        # efetch need not answer in the order of the search.
        order = {number: place for place, number in enumerate(pmids)}
        matching = [page for page in pages if page.pmid in order]
        return some(tuple(sorted(matching, key=lambda page: order[page.pmid or ""])), limit)


def some(items: tuple[T, ...], limit: int) -> tuple[T, ...]:
    """At most so many; raises StageUnavailable for none."""
    if not items:
        raise StageUnavailable(NOTHING)
    return items[:limit]
