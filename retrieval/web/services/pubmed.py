"""PubMed by NCBI's E-utilities: numbers by esearch, then full records by efetch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from retrieval.core import Page
from retrieval.web.identity import doi_of, identifier
from retrieval.web.services.reading import MOST, day, listed, month, part, plain
from retrieval.web.services.request import Ask, Reply
from retrieval.web.wording import newest_first, topic

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "PubMed"
HOME = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
PAUSE_S = 0.35
"""Three requests a second are allowed without a key."""

RECORD = "https://pubmed.ncbi.nlm.nih.gov/{}/"


def request(base: str, text: str, limit: int, *, email: str = "") -> Ask:
    """The search for numbers, most relevant first, or newest where the text asks for that."""
    named = identifier(text)
    kind = "pmid" if named and named.kind == "pmid" else "doi"
    term = f"{named.value}[{kind}]" if named else topic(text)
    order = "pub_date" if newest_first(text) else "relevance"
    params = (("term", term), ("retmode", "json"), ("sort", order))
    return _ask(base, "esearch", (*params, ("retmax", str(limit))), email)


def fetch(base: str, numbers: Iterable[str], *, email: str = "") -> Ask:
    """The records of these numbers."""
    params = (("id", ",".join(numbers)), ("retmode", "xml"), ("rettype", "abstract"))
    return _ask(base, "efetch", params, email)


def _ask(base: str, what: str, params: tuple[tuple[str, str], ...], email: str) -> Ask:
    return Ask(
        url=f"{base}/{what}.fcgi",
        params=(("db", "pubmed"), *params, ("tool", "scanscout")),
        secret_params=(("email", email),) if email else (),
        pause=PAUSE_S,
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
    if not (number.isascii() and number.isdigit()):
        return None
    body = article.find("MedlineCitation/Article")
    if body is None:
        return None
    sections = _sections(body)
    abstract = "\n".join(f"{head}: {text}" if head else text for head, text in sections)
    return Page(
        title=_text(body.find("ArticleTitle")),
        url=RECORD.format(number),
        text=abstract,
        sections=sections if len(sections) > 1 else (),
        authors=tuple(filter(None, map(_author, body.findall("AuthorList/Author")[:MOST]))),
        date=_date(body),
        venue=_text(body.find("Journal/Title")) or None,
        doi=_doi(article),
        pmid=number,
        sources=(NAME,),
    )


def _text(element: Element | None) -> str:
    return "" if element is None else plain("".join(element.itertext()))


def _sections(body: Element) -> tuple[tuple[str, str], ...]:
    pairs = (
        (plain(e.get("Label") or ""), _text(e))
        for e in body.findall("Abstract/AbstractText")[:MOST]
    )
    return tuple((head, text) for head, text in pairs if text)


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


def _doi(article: Element) -> str | None:
    places = (
        *article.findall("MedlineCitation/Article/ELocationID[@EIdType='doi']"),
        *article.findall("PubmedData/ArticleIdList/ArticleId[@IdType='doi']"),
    )
    return next((doi for doi in (doi_of(_text(place)) for place in places) if doi), None)
