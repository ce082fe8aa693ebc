"""bioRxiv preprints, searched through Europe PMC: bioRxiv offers no search by words itself."""

from __future__ import annotations

import re

from retrieval.core import Page
from retrieval.net import Request
from retrieval.web.backend import Send, Service
from retrieval.web.identity import doi_of, identifier
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
from retrieval.web.wording import newest_first, topic

NAME = "bioRxiv"
ONLY = '(SRC:PPR) AND (PUBLISHER:"bioRxiv")'

_HEADING = re.compile(r"<h[1-6]>([^<>]{1,80})</h[1-6]>")


def search(send: Send, text: str, limit: int) -> tuple[Page, ...]:
    """The preprints whose record holds the words; those without an address are left out."""
    paper_id = identifier(text)
    # These characters are operators of the search language of Europe PMC.
    plain_words = re.sub(r'[()"\[\]{}:\\]', " ", topic(text))
    query = f'DOI:"{paper_id.value}"' if paper_id and paper_id.kind == "doi" else f"({plain_words})"
    order = (("sort", "P_PDATE_D desc"),) if newest_first(text) else ()
    params = (
        ("query", f"{query} AND {ONLY}"),
        ("format", "json"),
        ("resultType", "core"),
        ("pageSize", str(limit)),
        *order,
    )
    results = rows(send(Request(url="/search", params=params)).data(), "resultList", "result")
    return tuple(page for page in map(_page, results) if page.url)


SERVICE = Service(
    name=NAME,
    home="https://www.ebi.ac.uk/europepmc/webservices/rest",
    search=search,
    pause=0.2,
    through="bioRxiv, through Europe PMC's preprint index",
)


def _page(row: Row) -> Page:
    doi = doi_of(words(row, "doi"))
    # The index writes the heads of an abstract as HTML headings; all else stays as it is.
    first, *rest = _HEADING.split(words(row, "abstractText"))
    pairs = (("", first), *zip(rest[::2], rest[1::2], strict=True))
    sections = tuple((head.strip(), text.strip()) for head, text in pairs if text.strip())
    listing = listed(part(row, "authorList").get("author"))
    author_names = (words(author, "fullName") for author in listing if isinstance(author, dict))
    authors, byline = tuple(filter(None, author_names)), words(row, "authorString").rstrip(".")
    return Page(
        title=words(row, "title"),
        url=address(f"https://doi.org/{doi}" if doi else ""),
        text="\n".join(f"{head}: {text}" if head else text for head, text in sections),
        sections=sections if len(sections) > 1 else (),
        authors=authors or tuple(filter(None, map(plain, byline.split(",")))),
        date=day(words(row, "firstPublicationDate", "pubYear")),
        venue=words(part(row, "bookOrReportDetails"), "publisher") or NAME,
        citations=count(row, "citedByCount"),
        doi=doi,
        sources=(NAME,),
    )
