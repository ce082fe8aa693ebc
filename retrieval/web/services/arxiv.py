"""arXiv: preprints by its Atom feed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.core import Page
from retrieval.net import Reply, Request
from retrieval.web.backend import Send, Service
from retrieval.web.identity import arxiv_of, doi_of, identifier
from retrieval.web.services.reading import MOST, address, day, plain
from retrieval.web.wording import newest_first, topic

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "arXiv"
CATEGORIES = ["q-bio", "cs.AI"]
"""What search_arxiv looks through when nothing else is said."""

MOST_WORDS = 12
ATOM = "{http://www.w3.org/2005/Atom}"
OWN = "{http://arxiv.org/schemas/atom}"


def request(text: str, limit: int, categories: Sequence[str] = ()) -> Request:
    """Preprints that hold every word, of any of the categories; or the one that is named."""
    paper_id = identifier(text)
    paging = (("start", "0"), ("max_results", str(limit)))
    if paper_id is not None and paper_id.kind == "arxiv":
        return Request(url="/query", params=(("id_list", paper_id.value), *paging))
    terms = re.findall(r"[\w./+-]*\w", paper_id.value if paper_id else topic(text))[:MOST_WORDS]
    query = " AND ".join(f'all:"{word}"' for word in terms)
    kinds = " OR ".join(f"cat:{_category(c)}" for c in categories if _category(c))
    # Newest first would bury the matching papers of every other question.
    order = "submittedDate" if newest_first(text) else "relevance"
    params = (
        ("search_query", f"({query}) AND ({kinds})" if kinds else query),
        ("sortBy", order),
        ("sortOrder", "descending"),
    )
    return Request(url="/query", params=(*params, *paging))


def _category(name: str) -> str:
    """``cs.AI`` as it is; a whole archive such as ``q-bio`` with all its parts."""
    good = re.fullmatch(r"[a-z-]+(\.[A-Za-z-]+)?", name)
    return "" if good is None else name if good[1] else f"{name}.*"


def parse(reply: Reply) -> tuple[Page, ...]:
    """The preprints in their order; entries without an id (such as errors) are left out."""
    entries = reply.tree().findall(f"{ATOM}entry")[:MOST]
    return tuple(page for page in map(_page, entries) if page is not None)


def _page(entry: Element) -> Page | None:
    link = _text(entry, f"{ATOM}id")
    id = arxiv_of(link)
    if id is None:
        return None
    links = (link for link in entry.findall(f"{ATOM}link") if link.get("title") == "pdf")
    pdfs = (address(link.get("href")) for link in links)
    authors = (_text(a, f"{ATOM}name") for a in entry.findall(f"{ATOM}author")[:MOST])
    return Page(
        title=_text(entry, f"{ATOM}title"),
        url=f"https://arxiv.org/abs/{id}",
        text=_text(entry, f"{ATOM}summary"),
        authors=tuple(filter(None, authors)),
        date=day(_text(entry, f"{ATOM}published")),
        venue=_text(entry, f"{OWN}journal_ref") or "arXiv",
        doi=doi_of(_text(entry, f"{OWN}doi")),
        arxiv_id=id,
        pdf_url=next(filter(None, pdfs), f"https://arxiv.org/pdf/{id}"),
        sources=(NAME,),
    )


def _text(element: Element, name: str) -> str:
    child = element.find(name)
    return "" if child is None else plain("".join(child.itertext()))


def search(send: Send, text: str, limit: int, categories: Sequence[str] = ()) -> tuple[Page, ...]:
    """The preprints in the order of the feed."""
    return parse(send(request(text, limit, categories)))


# arXiv asks for three seconds between two requests (https://info.arxiv.org/help/api).
SERVICE = Service(name=NAME, home="https://export.arxiv.org/api", search=search, pause=3.0)
