"""Pages of several sources that are one work become one page."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from retrieval.core import Page
from retrieval.web.identity import keys

ORDER = ("doi", "pmid", "arxiv", "title", "url")


def works(pages: Sequence[Page]) -> list[list[int]]:
    """Positions of pages that are one work, by DOI, PMID, arXiv id, then title; in their order.

    A title alone does not join two works that have DOIs and first authors of their own.
    """
    owner = list(range(len(pages)))
    first_with: dict[str, int] = {}

    def root(place: int) -> int:
        while owner[place] != place:
            place = owner[place]
        return place

    for kind in ORDER:
        for place, page in enumerate(pages):
            for key in (k for k in keys(page) if k.startswith(f"{kind}:")):
                other = first_with.setdefault(key, place)
                if kind != "title" or _agree(pages[other], page):
                    # The earlier page is the root, so that groups stay in order.
                    one, two = sorted((root(other), root(place)))
                    owner[two] = one
    groups: dict[int, list[int]] = {}
    for place in range(len(pages)):
        groups.setdefault(root(place), []).append(place)
    return list(groups.values())


def _agree(one: Page, two: Page) -> bool:
    apart = one.doi and two.doi and one.doi != two.doi
    first, second = surname(one), surname(two)
    return not (apart and first and second and first != second)


def surname(page: Page) -> str:
    """The first author's family name, folded; ``Doe J`` and ``Jane Doe`` give the same."""
    if not page.authors or not page.authors[0].split():
        return ""
    first, *_, last = [*page.authors[0].split(), *page.authors[0].split()[-1:]]
    name = first if last.isupper() and len(last) <= 3 else last
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in folded if c.isalnum())


def together(pages: Sequence[Page]) -> Page:
    """One page of several: each field from the first that has it, and the longest abstract.

    An abstract with more sections counts as longer. Citations are the highest count stated.
    """
    first, *rest = pages
    for other in rest:
        fullest = max((first, other), key=lambda page: (len(page.sections), len(page.text)))
        counts = [n for n in (first.citations, other.citations) if n is not None]
        first = replace(
            first,
            url=first.url or other.url,
            title=first.title or other.title,
            text=fullest.text,
            sections=fullest.sections,
            sources=tuple(dict.fromkeys((*first.sources, *other.sources))),
            authors=first.authors or other.authors,
            date=first.date or other.date,
            venue=first.venue or other.venue,
            citations=max(counts, default=None),
            doi=first.doi or other.doi,
            pmid=first.pmid or other.pmid,
            arxiv_id=first.arxiv_id or other.arxiv_id,
            pdf_url=first.pdf_url or other.pdf_url,
        )
    return first


def name_of(pages: Iterable[Page]) -> str:
    """The key that a work is listed under: the strongest of all its keys.

    Ties (two DOIs of one work) are settled by the alphabet, so that the order of sources does
    not matter.
    """
    names = {key for page in pages for key in keys(page)}
    return min(names, key=lambda key: (ORDER.index(key.split(":", 1)[0]), key))
