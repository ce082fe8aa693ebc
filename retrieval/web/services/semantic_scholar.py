"""Semantic Scholar: papers of all fields with their citation counts."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from retrieval.core import Page
from retrieval.net import Request
from retrieval.web.backend import Send, Service
from retrieval.web.identity import arxiv_of, doi_of, identifier
from retrieval.web.services.reading import (
    Row,
    address,
    count,
    day,
    listed,
    part,
    plain,
    rows,
    words,
)
from retrieval.web.wording import topic

NAME = "Semantic Scholar"
FIELDS = (
    "title,abstract,authors,year,publicationDate,venue,citationCount,externalIds,url,openAccessPdf"
)
SPELT = {"doi": "DOI", "pmid": "PMID", "arxiv": "ARXIV"}


def request(text: str, limit: int) -> Request:
    """Papers for words, or the one paper that a number names."""
    paper_id = identifier(text)
    fields = ("fields", FIELDS)
    if paper_id is not None:
        one = f"{SPELT[paper_id.kind]}:{quote(paper_id.value, safe='/.')}"
        return Request(url=f"/paper/{one}", params=(fields,))
    # A hyphen stands for "not" in this search.
    query = topic(text).replace("-", " ")
    return Request(url="/paper/search", params=(("query", query), ("limit", str(limit)), fields))


def search(send: Send, text: str, limit: int) -> tuple[Page, ...]:
    """The papers in their order; those without an address are left out."""
    data = send(request(text, limit)).data()
    if isinstance(data, Mapping) and "data" not in data:
        if "title" in data:
            return tuple(page for page in (_page(data),) if page.url)
        if count(data, "total") == 0:
            return ()
    return tuple(page for page in map(_page, rows(data, "data")) if page.url)


SERVICE = Service(
    name=NAME, home="https://api.semanticscholar.org/graph/v1", search=search, pause=1.0
)


def _page(row: Row) -> Page:
    ids = part(row, "externalIds")
    doi, arxiv = doi_of(words(ids, "DOI")), words(ids, "ArXiv")
    pmid = plain(ids.get("PubMed"))
    return Page(
        title=words(row, "title"),
        url=address(row.get("url")) or (f"https://doi.org/{doi}" if doi else ""),
        text=words(row, "abstract"),
        authors=tuple(
            name
            for one in listed(row.get("authors"))
            if isinstance(one, dict) and (name := words(one, "name"))
        ),
        date=day(row.get("publicationDate")) or day(row.get("year")),
        venue=words(row, "venue") or None,
        citations=count(row, "citationCount"),
        doi=doi,
        pmid=pmid if pmid.isascii() and pmid.isdigit() else None,
        arxiv_id=arxiv_of(arxiv),
        pdf_url=address(part(row, "openAccessPdf").get("url")) or None,
        sources=(NAME,),
    )
