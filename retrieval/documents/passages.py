"""A user's documents as passages, each with its place, and what is known of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from importlib import import_module

from retrieval.core import BadInput

SIZE, OVERLAP = 1000, 0
"""Characters of a passage, and how many of them the next one repeats."""

UNKNOWN = "unknown"
EVERYBODY = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What a document says of itself; a field that it leaves out is ``unknown``."""

    id: str
    name: str = UNKNOWN
    author: str = UNKNOWN
    title: str = UNKNOWN
    format: str = UNKNOWN
    subject: str = UNKNOWN
    creator: str = UNKNOWN
    producer: str = UNKNOWN
    creationDate: str = UNKNOWN
    modDate: str = UNKNOWN
    source: str = UNKNOWN
    isDeleted: bool = False
    scope: str = EVERYBODY


TEXT_FIELDS = tuple(f.name for f in fields(DocumentFacts) if f.default == UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document; ``page`` counts from 1, 0 where there are no pages."""

    text: str
    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A passage with its document and how near it is (a cosine)."""

    passage: Passage
    document: DocumentFacts
    score: float
    id: str


def split_text(
    text: str,
    size: int = SIZE,
    overlap: int = OVERLAP,
    separators: Sequence[str] | None = None,
) -> list[str]:
    """Pieces of at most ``size`` characters, at sentences and paragraphs where that is possible.

    With ``separators`` the text is cut at the first of them that helps, and inside a word only
    when none does. Raises BadInput for sizes that make no sense.
    """
    if size < 1 or not 0 <= overlap < size:
        raise BadInput("size: must be 1 or more, and larger than the overlap, which is 0 or more")
    if separators is None:
        try:
            splitter = import_module("semantic_text_splitter").TextSplitter(size, overlap=overlap)
        except ImportError:
            separators = ("\n\n", "\n", " ")
        else:
            return [piece.strip() for piece in splitter.chunks(text) if piece.strip()]
    return [p for p in _joined(_pieces(text, size, tuple(separators)), size, overlap) if p]


def _pieces(text: str, size: int, separators: tuple[str, ...]) -> Iterator[str]:
    """The text in pieces that fit, each with the separator that ended it."""
    if len(text) <= size:
        yield text
        return
    if not separators:
        yield from (text[at : at + size] for at in range(0, len(text), size))
        return
    first, rest = separators[0], separators[1:]
    for part in re.split(f"(?<={re.escape(first)})", text) if first else [text]:
        yield from _pieces(part, size, rest)


def _joined(pieces: Iterator[str], size: int, overlap: int) -> Iterator[str]:
    text = ""
    for piece in pieces:
        if text and len(text) + len(piece) > size:
            yield text.strip()
            tail = min(overlap, size - len(piece))
            text = text[len(text) - tail :] if tail > 0 else ""
        text += piece
    yield text.strip()
