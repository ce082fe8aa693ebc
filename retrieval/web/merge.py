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
                if kind != "title" or not _apart(pages[other], page):
                    # The earlier page is the root, so that groups stay in order.
                    one, two = sorted((root(other), root(place)))
                    owner[two] = one
    groups: dict[int, list[int]] = {}
    for place in range(len(pages)):
        groups.setdefault(root(place), []).append(place)
    return list(groups.values())


def _apart(one: Page, two: Page) -> bool:
    """Whether two pages of one title state both another DOI and another first author."""
    pairs = ((one.doi, two.doi), (surname(one), surname(two)))
    return all(first and second and first != second for first, second in pairs)


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
    names = ("url", "title", "authors", "date", "venue", "doi", "pmid", "arxiv_id", "pdf_url")
    stated = {name: [value for page in pages if (value := getattr(page, name))] for name in names}
    fullest = max(pages, key=lambda page: (len(page.sections), len(page.text)))
    return replace(
        pages[0],
        text=fullest.text,
        sections=fullest.sections,
        sources=tuple(dict.fromkeys(source for page in pages for source in page.sources)),
        citations=max((p.citations for p in pages if p.citations is not None), default=None),
        **{name: values[0] for name, values in stated.items() if values},
    )


def name_of(pages: Iterable[Page]) -> str:
    """The key that a work is listed under: the strongest of all its keys.

    Ties (two DOIs of one work) are settled by the alphabet, so that the order of sources does
    not matter.
    """
    names = {key for page in pages for key in keys(page)}
    return min(names, key=lambda key: (ORDER.index(key.split(":", 1)[0]), key))
