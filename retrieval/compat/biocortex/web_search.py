"""``search_arxiv`` of BioCortex over the arXiv service of ``retrieval.web``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from retrieval.core import Deadline, Page, StageUnavailable, bounded
from retrieval.net import OutsideCalls
from retrieval.settings import Settings, read_settings
from retrieval.web import CATEGORIES, EARLIER, NAME, OFF, PURPOSE, sendable, services
from retrieval.wiring import bases, http_of, keys

MOST = 100


class Paper(TypedDict):
    """One preprint."""

    title: str
    authors: list[str]
    abstract: str
    arxiv_id: str
    pdf_url: str


class Papers(list[Paper]):
    """Preprints, best first; ``reason`` says why there is none."""

    reason: str = ""


def search_arxiv(
    query: str,
    max_results: int = 10,
    categories: Sequence[str] = CATEGORIES,
    *,
    settings: Settings | None = None,
) -> Papers:
    """Preprints of these categories, best first, at most MOST of them.

    Does not raise while web search is off or unavailable: the list is empty and has a ``reason``.
    """
    chosen = settings or read_settings()
    papers = Papers()
    try:
        papers.extend(map(_paper, _pages(query, max_results, categories, chosen)))
    except StageUnavailable as exc:
        papers.reason = str(exc)
    return papers


def _pages(
    query: str, max_results: int, categories: Sequence[str], settings: Settings
) -> tuple[Page, ...]:
    if not settings.web_search:
        raise StageUnavailable(OFF)
    http = http_of(settings, OutsideCalls(frozenset([PURPOSE])))
    backends = services(http, keys(settings), bases(settings), categories)
    backend = next(one for one in backends if one.name == NAME)
    limit, text = max(1, min(max_results, MOST)), sendable(query)
    deadline = Deadline.after(settings.web_seconds * EARLIER)
    return bounded(
        lambda: backend.search(text, limit, deadline), settings.web_seconds, "the service"
    )


def _paper(page: Page) -> Paper:
    return Paper(
        title=page.title,
        authors=list(page.authors),
        abstract=page.text,
        arxiv_id=page.arxiv_id or "",
        pdf_url=page.pdf_url or "",
    )
