"""The document reader process: a job on stdin, JSON lines on stdout; imports nothing from here."""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject

HEAD = 1024
PDF = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*%PDF-|"
    rb"\A.*[\0-\x08\x0e-\x1f].*%PDF-|(?:\n|\r)%PDF-\d\.\d\s*[\n\r]",
    re.DOTALL,
)
"""The mark of a PDF: first, after bytes that are no text, or a line of its own.

Anywhere else in the head it is a word of a text about PDF.
"""
REPLACED = "\N{REPLACEMENT CHARACTER}"
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
FACTS = {
    "author": "/Author",
    "title": "/Title",
    "subject": "/Subject",
    "creator": "/Creator",
    "producer": "/Producer",
    "creationDate": "/CreationDate",
    "modDate": "/ModDate",
}
MOST_FACT = 300
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,  # pypdf's, for a filter or an encryption that it lacks
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a reader of PDF raises over files that are not as they should be."""


class Unreadable(Exception):
    """A file that cannot be used; the text is a code of the parent's list."""


def _confine(memory_mb: int, seconds: float) -> None:
    if sys.platform == "win32":
        return
    import resource

    # The page that a visitor looks at goes before the reading of a file.
    os.nice(5)
    memory, cpu = memory_mb << 20, int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    # Neither files nor core dumps: a core would hold the text of the document.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _say(**line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _read_file(path: Path, job: Mapping[str, Any]) -> None:
    with path.open("rb") as handle:
        head = handle.read(HEAD)
    if PDF.search(head):
        _read_pdf(path, job)
        return
    _say(facts={"format": "text"})
    _pages(iter([_text(path.read_bytes())]), job, first=0)


def _text(data: bytes) -> str:
    coding = next((name for mark, name in MARKS if data.startswith(mark)), None)
    if coding is None and b"\0" in data:
        raise Unreadable("neither")
    try:
        return data.decode(coding or "utf-8")
    except UnicodeDecodeError:
        text = data.decode(coding or "utf-8", "replace")
    wrong = text.count(REPLACED)
    # Letters in UTF-8 beyond ASCII do not come about by chance: most of them right, it is UTF-8.
    if coding is None and 2 * wrong > sum(character > "\x7f" for character in text):
        text = data.decode("cp1252", "replace")
    if REPLACED in text:
        _say(note="bytes")
    return text


def _read_pdf(path: Path, job: Mapping[str, Any]) -> None:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise Unreadable("package") from None
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("locked")
        metadata: Mapping[str, object] = reader.metadata or {}
        values = {name: metadata.get(key) for name, key in FACTS.items()}
        facts = {
            name: " ".join(str(value).split())[:MOST_FACT]
            for name, value in values.items()
            if value is not None
        }
        _say(facts={"format": "PDF", **{k: v for k, v in facts.items() if v}})
        _pages((_page(page, (PyPdfError, *BROKEN)) for page in reader.pages), job, first=1)
    except (PyPdfError, *BROKEN) as exc:
        raise Unreadable("damaged") from exc


def _page(page: PageObject, broken: tuple[type[Exception], ...]) -> str:
    """The text of a page; one that is broken is left out, and a note says so."""
    try:
        return str(page.extract_text())
    except broken:
        _say(note="page")
        return ""


def _pages(pages: Iterator[str], job: Mapping[str, Any], first: int) -> None:
    characters_left = int(job["characters"])
    for number, text in enumerate(pages, start=first):
        if number - first >= job["pages"] or characters_left <= 0:
            _say(note="cut")
            break
        clean = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
        _say(page=number, text=clean[:characters_left])
        characters_left -= len(text)
        if characters_left < 0:
            _say(note="cut")
    _say(end=True)


def main() -> None:
    """Read one document."""
    job = json.loads(sys.stdin.read())
    _confine(job["memory_mb"], job["seconds"])
    try:
        _read_file(Path(job["path"]), job)
    except Unreadable as exc:
        _say(error=str(exc))
    except OSError:
        _say(error="missing")
    except MemoryError:
        _say(error="memory")


if __name__ == "__main__":
    main()
