"""Pages as BibTeX entries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from retrieval.core import Page
from retrieval.web.merge import surname

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "&%$#_"},
}
_SMALL = frozenset({"a", "an", "and", "for", "from", "in", "of", "on", "the", "to", "with"})
_UNFIT = re.compile(r"[{}\\\s%~#^\"]")


def bibtex(pages: Iterable[Page]) -> str:
    """One entry per page in their order, each under a unique key.

    The key is first author, year and first word of the title; pages with the same key get
    -a, -b and so on. All text is escaped, so that no field can end early.
    """
    uses: dict[str, int] = {}
    entries = []
    for page in pages:
        words = re.findall(r"[a-z]+", _ascii(page.title).casefold())
        word = next((w for w in words if w not in _SMALL), "untitled")
        key = f"{_ascii(surname(page)) or 'anonymous'}{page.year or ''}{word}"
        number = uses[key] = uses.get(key, -1) + 1
        letters = ""
        while number:
            # Letters as columns of a spreadsheet have them: z is followed by aa.
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        entries.append(_entry(page, f"{key}-{letters}" if letters else key))
    return "\n".join(entries)


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def _entry(page: Page, key: str) -> str:
    # A preprint that was published has a DOI, which is what should be cited.
    preprint = bool(page.arxiv_id) and not page.doi
    kind = "article" if page.doi or page.pmid else "misc"
    fields = {
        "title": f"{{{_escaped(page.title)}}}" if page.title else "",
        "author": " and ".join(_escaped(_author_name(name)) for name in page.authors),
        "year": str(page.year or ""),
        "journal" if kind == "article" else "howpublished": _escaped(page.venue or ""),
        "doi": _bare(page.doi),
        "pmid": _bare(page.pmid),
        "eprint": _bare(page.arxiv_id) if preprint else "",
        "archiveprefix": "arXiv" if preprint else "",
        "url": _bare(page.url),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def _author_name(author: str) -> str:
    """``Doe J`` as ``Doe, J``, because BibTeX would read J as the family name."""
    first, _, last = author.rpartition(" ")
    return f"{first}, {last}" if first and last.isupper() and len(last) <= 3 else author


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def _bare(text: str | None) -> str:
    """An address or number as it is, with what would end the field written as in an address."""
    return _UNFIT.sub(lambda match: f"%{ord(match[0]):02X}", text or "")
