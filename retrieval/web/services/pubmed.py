"""PubMed by NCBI's E-utilities: numbers by esearch, then full records by efetch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.core import Page
from retrieval.net import Pairs, Reply, Request
from retrieval.web.backend import Send, Service, some
from retrieval.web.identity import doi_of, identifier
from retrieval.web.services.reading import MOST, day, listed, month, part, plain
from retrieval.web.wording import newest_first, topic

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "PubMed"
RECORD = "https://pubmed.ncbi.nlm.nih.gov/{}/"


def search(send: Send, text: str, limit: int, email: str = "") -> tuple[Page, ...]:
    """The records in the order of the search: most relevant first, or newest where asked for.

    Two requests: one for numbers, one for their records.
    """
    paper_id = identifier(text)
    kind = "pmid" if paper_id and paper_id.kind == "pmid" else "doi"
    params = (
        ("term", f"{paper_id.value}[{kind}]" if paper_id else topic(text)),
        ("retmode", "json"),
        ("sort", "pub_date" if newest_first(text) else "relevance"),
        ("retmax", str(limit)),
    )
    pmids = some(numbers(send(_request("esearch", params, email))), limit)
    records = (("id", ",".join(pmids)), ("retmode", "xml"), ("rettype", "abstract"))
    pages = parse(send(_request("efetch", records, email)))
    # efetch need not answer in the order of the search.
    order = {number: place for place, number in enumerate(pmids)}
    matching = [page for page in pages if page.pmid in order]
    return tuple(sorted(matching, key=lambda page: order[page.pmid or ""]))


# NCBI allows three requests a second without a key.
SERVICE = Service(
    name=NAME,
    home="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    search=search,
    pause=0.35,
)


def _request(what: str, params: Pairs, email: str) -> Request:
    return Request(
        url=f"/{what}.fcgi",
        params=(("db", "pubmed"), *params, ("tool", "scanscout")),
        secret_params=(("email", email),) if email else (),
    )


def numbers(reply: Reply) -> tuple[str, ...]:
    """The PMIDs of a search."""
    data = reply.data()
    values = listed(part(data, "esearchresult").get("idlist") if isinstance(data, dict) else None)
    return tuple(n for n in map(plain, values) if n.isascii() and n.isdigit())


def parse(reply: Reply) -> tuple[Page, ...]:
    """The records in their order, with whole abstracts; those without a number are left out."""
    articles = list(reply.tree().iter("PubmedArticle"))[:MOST]
    return tuple(page for page in map(_page, articles) if page is not None)


def _page(article: Element) -> Page | None:
    number = _text(article.find("MedlineCitation/PMID"))
    body = article.find("MedlineCitation/Article")
    if not (number.isascii() and number.isdigit()) or body is None:
        return None
    abstract = [
        (plain(part.get("Label") or ""), _text(part))
        for part in body.findall("Abstract/AbstractText")[:MOST]
    ]
    sections = tuple((head, text) for head, text in abstract if text)
    numbered = (
        *article.findall("MedlineCitation/Article/ELocationID[@EIdType='doi']"),
        *article.findall("PubmedData/ArticleIdList/ArticleId[@IdType='doi']"),
    )
    return Page(
        title=_text(body.find("ArticleTitle")),
        url=RECORD.format(number),
        text="\n".join(f"{head}: {text}" if head else text for head, text in sections),
        sections=sections if len(sections) > 1 else (),
        authors=tuple(filter(None, map(_author, body.findall("AuthorList/Author")[:MOST]))),
        date=_date(body),
        venue=_text(body.find("Journal/Title")) or None,
        doi=next(filter(None, (doi_of(_text(element)) for element in numbered)), None),
        pmid=number,
        sources=(NAME,),
    )


def _text(element: Element | None) -> str:
    return "" if element is None else plain("".join(element.itertext()))


def _author(element: Element) -> str:
    last, first = _text(element.find("LastName")), _text(element.find("ForeName"))
    return f"{first} {last}".strip() or _text(element.find("CollectiveName"))


def _date(body: Element) -> str | None:
    for place in ("ArticleDate", "Journal/JournalIssue/PubDate"):
        element = body.find(place)
        if element is None:
            continue
        year = day(_text(element.find("Year")) or _text(element.find("MedlineDate")))
        # MedlineDate such as "2019 Nov-Dec" has no elements for month and day.
        if year:
            number = _text(element.find("Day"))
            parts = (
                year[:4],
                month(_text(element.find("Month"))),
                number.zfill(2) if number else "",
            )
            return day("-".join(parts if all(parts) else filter(None, parts[:2])))
    return None
