"""What a web search found as JSON, as Markdown and for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from retrieval.core import Page, StageResult
from retrieval.web.search import WebAnswer
from retrieval.web.services.reading import address

LONGEST = 600
_UNSAFE = re.compile(r"[()<>\[\]\\|`\"']")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#+!|~&-])")


def web_json(answer: WebAnswer) -> dict[str, Any]:
    """The answer as plain data; keys may be added later, never renamed or retyped."""
    return {
        "preset": answer.preset,
        "about": answer.about or None,
        "sent": list(answer.sent),
        "asked": [{"name": name, "host": host} for name, host in answer.hosts],
        "used": list(answer.used),
        "failures": [{"name": name, "reason": reason} for name, reason in answer.failures],
        "reason": answer.reason,
        "total_ms": round(answer.total_ms, 3),
        "stages": [_stage(part) for part in answer.result.children],
        "pages": [page_json(page) for page in answer.pages],
    }


def _stage(part: StageResult) -> dict[str, Any]:
    return {
        "name": part.name,
        "status": part.status,
        "note": part.note,
        "elapsed_ms": round(part.metrics.get("answered_ms", part.elapsed_ms), 3),
        "pages": len(part.state.pages) if part.ran else 0,
        "age_s": part.metrics.get("age_s"),
    }


def page_json(page: Page) -> dict[str, Any]:
    """One page; null where its sources do not say."""
    names = ("date", "venue", "citations", "doi", "pmid", "arxiv_id", "pdf_url")
    return {
        "title": page.title,
        "url": page.url,
        "text": page.text,
        "sections": [{"head": head, "text": text} for head, text in page.sections],
        "sources": list(page.sources),
        "authors": list(page.authors),
        "year": page.year,
        **{name: getattr(page, name) for name in names},
    }


def evidence_markdown(pages: Iterable[Page]) -> str:
    """A numbered list: title with its link, authors, year, venue, citations, numbers, abstract."""
    return "\n".join(_item(place, page) for place, page in enumerate(pages, start=1))


def _item(place: int, page: Page) -> str:
    url = address(page.url)
    title = _plain(page.title)
    target = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", url)
    head = f"[{title}]({target})" if url else title
    authors = page.authors if len(page.authors) <= 3 else (f"{page.authors[0]} et al.",)
    facts = [
        _plain(", ".join(authors)),
        str(page.year or ""),
        _plain(page.venue or ""),
        "" if page.citations is None else f"{page.citations} citations",
        f"doi:{_plain(page.doi)}" if page.doi else "",
        f"PMID {page.pmid}" if page.pmid else "",
        f"arXiv:{_plain(page.arxiv_id)}" if page.arxiv_id else "",
        f"found by {', '.join(page.sources)}" if page.sources else "",
    ]
    text = " ".join(page.text.split())
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …"
    body = f"\n   > {_plain(cut)}\n" if cut else ""
    return f"{place}. {head}  \n   {'; '.join(f for f in facts if f)}\n{body}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def web_table(answer: WebAnswer) -> str:
    """The answer for a terminal: pages, then one line a service."""
    lines = [f"sent: {' | '.join(answer.sent)}  [{answer.preset}]", ""]
    for place, page in enumerate(answer.pages, start=1):
        cited = "" if page.citations is None else f", {page.citations} citations"
        lines.append(f"{place:3}. {page.title[:100]}")
        lines.append(f"     {page.date or 'no date'}{cited}; {', '.join(page.sources)}; {page.url}")
    if answer.reason:
        lines.append(f"nothing found: {answer.reason}")
    lines.append("")
    for part in answer.result.children:
        row = _stage(part)
        took = f"{row['pages']:4} {row['elapsed_ms']:8.1f} ms"
        lines.append(f"{part.name:28} {part.status:9} {took}  {part.note}")
    return "\n".join(lines)
