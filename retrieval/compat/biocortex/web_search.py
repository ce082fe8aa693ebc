"""``search_arxiv`` of BioCortex over the arXiv service of ``retrieval.web``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from retrieval.core import Deadline, StageUnavailable, bounded
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
    active_settings = settings or read_settings()
    papers = Papers()
    try:
        if not active_settings.web_search:
            raise StageUnavailable(OFF)
        http = http_of(active_settings, OutsideCalls(frozenset([PURPOSE])))
        backends = services(http, keys(active_settings), bases(active_settings), categories)
        arxiv = next(one for one in backends if one.name == NAME)
        limit, text = max(1, min(max_results, MOST)), sendable(query)
        # The service itself stops a little before ``bounded`` would cut it off.
        deadline = Deadline.after(active_settings.web_seconds * EARLIER)
        pages = bounded(
            lambda: arxiv.search(text, limit, deadline), active_settings.web_seconds, "the service"
        )
    except StageUnavailable as exc:
        papers.reason = str(exc)
        return papers
    for page in pages:
        papers.append(
            Paper(
                title=page.title,
                authors=list(page.authors),
                abstract=page.text,
                arxiv_id=page.arxiv_id or "",
                pdf_url=page.pdf_url or "",
            )
        )
    return papers
