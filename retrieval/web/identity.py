"""DOI, PMID, arXiv id and title: what makes two pages the same work."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from retrieval.core import Page

Kind = Literal["doi", "pmid", "arxiv"]

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"'<>]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf)/|[:. ]\s*)|^)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})"
    r"(?:v\d+)?(?![\d.])",
    re.IGNORECASE,
)
_PMID = re.compile(r"(?:\bpmid\b[:\s]*|pubmed\.ncbi\.nlm\.nih\.gov/)(\d{4,9})\b", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")

SHORTEST_TITLE = 20
"""Letters and digits that a title needs to identify a work: "Editorial" has too few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """One work by a number that it was given."""

    kind: Kind
    value: str


def doi_of(text: object) -> str | None:
    """The bare DOI in a text or address, in lower case; None without one.

    Punctuation and closing brackets behind it that belong to the sentence are left out.
    DOIs are case-insensitive (DOI Handbook, 2.4).
    """
    match = _DOI.search(unquote(text)) if isinstance(text, str) else None
    if match is None:
        return None
    doi = match[0].rstrip(".,;:")
    # Old DOIs hold brackets of their own, as in 10.1016/0022-2836(70)90057-4.
    while doi.endswith((")", "]", "}")) and doi.count(doi[-1]) > doi.count(_OPENS[doi[-1]]):
        doi = doi[:-1].rstrip(".,;:")
    return doi.casefold()


_OPENS = {")": "(", "]": "[", "}": "{"}


def arxiv_of(text: object) -> str | None:
    """The arXiv id in a text or address, without its version; None without one.

    Both forms are read: 2301.00001 and, from before April 2007, q-bio/0601001.
    """
    if not isinstance(text, str):
        return None
    from_doi = _ARXIV_DOI.search(text)
    if from_doi:
        return _VERSION.sub("", from_doi[1].rstrip(".,;:"))
    match = _ARXIV.search(text.strip())
    return match[1] if match else None


def pmid_of(text: object) -> str | None:
    """The PubMed number in a text or address."""
    match = _PMID.search(text) if isinstance(text, str) else None
    return match[1].lstrip("0") or None if match else None


def identifier(text: str) -> Identifier | None:
    """The work that a query names by number, if it names one.

    An arXiv id goes before a DOI, because a DOI of arXiv holds one; a DOI goes before a PMID.
    """
    arxiv, doi, pmid = arxiv_of(text), doi_of(text), pmid_of(text)
    if arxiv:
        return Identifier(kind="arxiv", value=arxiv)
    if doi:
        return Identifier(kind="doi", value=doi)
    return Identifier(kind="pmid", value=pmid) if pmid else None


def title_key(title: str) -> str:
    """Letters and digits of a title, folded; empty for one too short to identify a work."""
    folded = unicodedata.normalize("NFKD", title).casefold()
    key = "".join(c for c in folded if c.isalnum())
    return key if len(key) >= SHORTEST_TITLE else ""


def keys(page: Page) -> tuple[str, ...]:
    """All keys of a page, the strongest first: DOI, PMID, arXiv id, title.

    A page without any of them has its address as its only key.
    """
    arxiv = page.arxiv_id or arxiv_of(page.doi)
    names = (
        f"doi:{page.doi.casefold()}" if page.doi else "",
        f"pmid:{page.pmid}" if page.pmid else "",
        f"arxiv:{arxiv.casefold()}" if arxiv else "",
        f"title:{title_key(page.title)}" if title_key(page.title) else "",
    )
    return tuple(key for key in names if key) or (f"url:{page.url}",)
