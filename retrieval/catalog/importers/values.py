"""A row as it is read, the draft it becomes, and loose values as plain texts and closed codes."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.catalog.vocabulary import dimension_of, format_of, modality_of
from retrieval.core import BodyPart

MAX_LINE = 1_000_000
"""Bytes of one line or one record; a longer one is skipped and never fully in memory."""

MAX_NOTES = 20
_SEPARATOR = re.compile(r"[,;|()\[\]&]|\bor\b|\band\b")
_GENERIC = re.compile(r"\s+(?:files?|formats?|images?|scans?|series|data)$", re.IGNORECASE)
_INNER = ("@value", "@list", "name", "term", "value", "url", "@id", "identifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The fields of one line, element or sheet row, or the reason why there are none.

    A remark concerns the file as such; no record is lost by it.
    """

    line: int
    fields: Mapping[str, Any] | None = None
    reason: str = ""
    remark: str = ""
    sheet: bool = False


@dataclass(slots=True)
class Draft:
    """A record before validation: its fields, and notes on values that were left out."""

    fields: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Add a remark; after MAX_NOTES of one record further remarks are dropped."""
        if len(self.notes) < MAX_NOTES:
            self.notes.append(text)


@cache
def spellings(kind: str) -> dict[str, str | None]:
    """Spellings beyond those of the scan readers, by kind; keys are case-folded."""
    text = files("retrieval.catalog.importers").joinpath("spellings.json").read_text("utf-8")
    table: dict[str, dict[str, str | None]] = json.loads(text)
    return table[kind]


def texts(value: object, depth: int = 4) -> list[str]:
    """Every text in a value, in order, once; JSON-LD wrappers are opened, blanks left out.

    Numbers are texts, truth values are not. Values nested deeper than ``depth`` are ignored.
    """
    return list(dict.fromkeys(t for t in _flat(value, depth) if t))


def _flat(value: object, depth: int) -> Iterable[str]:
    if isinstance(value, str):
        yield value.replace("\r\n", "\n").strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping) and depth:
        inner = next((value[key] for key in _INNER if value.get(key)), None)
        yield from _flat(inner, depth - 1)
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _flat(item, depth - 1)


def first(value: object) -> str | None:
    """The first text in a value, or None."""
    return next(iter(texts(value)), None)


def listed(value: object) -> list[str]:
    """As ``texts``, but a text is split at commas, semicolons and bars."""
    parts = (p.strip() for text in texts(value) for p in re.split(r"[,;|]", text))
    return list(dict.fromkeys(p for p in parts if p))


def shown(text: str) -> str:
    """A value from outside as it may appear in a message: one printable line of 60 characters."""
    plain = "".join(c if c.isprintable() else " " for c in text[:200])
    return " ".join(plain.split())[:60]


def slug(name: str) -> str:
    """An id of at most 80 characters ``a-z0-9_`` from a name.

    The same name always gives the same id. A name without Latin letters or digits gives ``tool_``
    and the start of its SHA-256.
    """
    plain = unicodedata.normalize("NFKD", name[:500]).encode("ascii", "ignore").decode("ascii")
    words = "_".join(re.findall(r"[a-z0-9]+", plain.casefold()))[:80].strip("_")
    return words or "tool_" + hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:10]


def canonical(kind: str, values: Iterable[str]) -> list[str]:
    """Values in the catalog's spelling where one is known, otherwise unchanged, each once."""
    table = spellings(kind)
    return list(dict.fromkeys(table.get(v.casefold()) or v for v in values))


def codes(draft: Draft, name: str, value: object) -> list[str]:
    """The closed codes that a value names for a field, in order, each once.

    ``name`` is one of CLOSED_FIELDS. Texts that name no code are noted in ``draft``.
    """
    kind, lookup = _CLOSED[name]
    matches: dict[str, None] = {}
    for text in texts(value):
        exact = lookup(text)
        for part in [text] if exact else _SEPARATOR.split(text):
            for code in [exact] if exact else _inside(part, lookup):
                if code:
                    matches[code] = None
                else:
                    draft.note(f"{name}: {shown(part)!r} is no known {kind} and is left out")
    return list(matches)


Lookup = Callable[[str], str | None]


def _inside(part: str, lookup: Lookup) -> list[str | None]:
    """The codes of one item; ``PNG/JPEG`` names two, ``image/tiff`` is a media type."""
    plain = part.strip()
    if not plain:
        return []
    exact = lookup(plain) or lookup(_GENERIC.sub("", plain))
    if exact or "/" not in plain:
        return [exact]
    head, _, tail = plain.rpartition("/")
    if head in {"image", "application", "text", "video", "model"}:
        return [lookup(tail.removeprefix("x-"))]
    return [lookup(p.strip()) for p in plain.split("/") if p.strip()]


def _spelled(kind: str, lookup: Lookup) -> Lookup:
    """The look-up of the scan readers, then the table of this folder."""
    return lambda text: lookup(text) or spellings(kind).get(" ".join(text.casefold().split()))


def _body_part(text: str) -> str | None:
    key = " ".join(text.casefold().replace("_", " ").split())
    return key if key in _BODY_PARTS else spellings("anatomy").get(key)


_BODY_PARTS = frozenset(BodyPart)
_CLOSED: dict[str, tuple[str, Lookup]] = {
    "formats_in": ("format", _spelled("format", format_of)),
    "formats_out": ("format", _spelled("format", format_of)),
    "modalities": ("modality", _spelled("modality", modality_of)),
    "dimensions": ("dimension", _spelled("dimension", dimension_of)),
    "anatomy": ("body part", _body_part),
}
CLOSED_FIELDS = tuple(_CLOSED)
"""Fields of a record that hold closed codes."""

LICENCES = ("license", "license_weights", "license_data", "license_output")

LINKS = ("requires_tool", "compatible_with", "co_used_with")
"""Fields that name other records by id."""
