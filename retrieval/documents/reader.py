"""PDF and text files to pages of text, read in a process with limits."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.core import BadInput, StageUnavailable
from retrieval.documents.passages import Passage
from retrieval.processes import killed_after, script_process

WORKER = Path(__file__).with_name("worker.py")
ENDED = "it could not be read within the limits of time and memory; give a smaller file"
REASONS = {
    "neither": "it is neither a PDF nor a text; save it as one of them",
    "locked": "it is locked by a password; save a copy without one",
    "damaged": "it is damaged; save it again from the program that made it",
    "memory": ENDED,
    "missing": "it cannot be read",
    "none": "it holds no text, perhaps pictures of pages; run text recognition over it first",
}
CUT = "only its beginning was read, because it is very long"
BROKEN_PAGE = "a page could not be read and was left out"
BAD_BYTES = "some bytes are of no letter in its encoding and are shown as \N{REPLACEMENT CHARACTER}"
NOTES = {"cut": CUT, "page": BROKEN_PAGE, "bytes": BAD_BYTES}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """The most that one document may take."""

    seconds: float = 30.0
    memory_mb: int = 1024
    megabytes: int = 50
    pages: int = 1000
    characters: int = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """Pages of text, the metadata of the file, and notes to show to the visitor."""

    pages: tuple[Passage, ...]
    facts: Mapping[str, str]
    notes: tuple[str, ...] = ()


def read_document(path: Path | str, limits: ReadingLimits | None = None) -> ReadDocument:
    """The text of a PDF or text file, recognised by its content; the file is not changed.

    Raises BadInput with what is wrong with the file, StageUnavailable without the package.
    """
    bounds, file = limits or ReadingLimits(), Path(path)
    try:
        size = file.stat().st_size
    except OSError:
        raise BadInput(f"document: {REASONS['missing']}") from None
    if size > bounds.megabytes * 1_000_000:
        raise BadInput(f"document: it is larger than {bounds.megabytes} MB; give a smaller file")
    return _parsed(_run(file, bounds))


def _run(file: Path, limits: ReadingLimits) -> bytes:
    """What the reader process wrote until it ended or its time was over."""
    job = {"path": os.fspath(file.absolute()), **asdict(limits)}
    with script_process(WORKER, job) as (process, output), killed_after(limits.seconds, process):
        # JSON writes most characters in up to 6 bytes; a worker that writes more is not read on.
        return output.read(8 * limits.characters + 1_000_000)


def _parsed(output: bytes) -> ReadDocument:
    pages: list[Passage] = []
    facts: dict[str, str] = {}
    notes: dict[str, None] = {}
    ended = False
    for line in output.splitlines():
        message = json.loads(line) if line.endswith(b"}") else {}
        error = message.get("error")
        if error == "package":
            missing = "the package pypdf is missing; pip install 'scanscout[documents]'"
            raise StageUnavailable(missing)
        if error is not None:
            raise BadInput(f"document: {REASONS.get(str(error), REASONS['damaged'])}")
        facts |= message.get("facts", {})
        if "page" in message:
            pages.append(Passage(text=message["text"], page=message["page"]))
        if "note" in message:
            notes[NOTES[message["note"]]] = None
        ended = ended or bool(message.get("end"))
    if not ended:
        raise BadInput(f"document: {ENDED}")
    if not any(page.text.strip() for page in pages):
        raise BadInput(f"document: {REASONS['none']}")
    return ReadDocument(pages=tuple(pages), facts=facts, notes=tuple(notes))
