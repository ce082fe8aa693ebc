"""Rows in our own shape, in that of the system this one follows, and in our own exports.

The other system nests what a tool reads under ``supporting_data``, and names its home page and
the tools it needs ``homepage`` and ``requires``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.values import (
    CLOSED_FIELDS,
    LICENCES,
    Draft,
    canonical,
    codes,
    first,
    shown,
    slug,
    spellings,
    texts,
)
from retrieval.catalog.record import Record

_NESTED = "supporting_data"
MOST_NAMED = 10
"""Unknown fields that one note names; a row may hold thousands."""


def draft(entry: Mapping[str, Any]) -> Draft:
    """The record of a row: closed codes and licences normalised, a missing id derived.

    Fields that a record does not have are left out and named in one note. Values of a wrong type
    are left to validation.
    """
    record = Draft(fields=_values(entry))
    for name in CLOSED_FIELDS:
        if _words(record.fields.get(name)):
            record.fields[name] = codes(record, name, record.fields[name])
    for name in LICENCES:
        if (stated := record.fields.get(name)) and _words(stated):
            record.fields[name] = licence_of(record, stated, name)
    if record.fields.get("id") is None and isinstance(record.fields.get("name"), str):
        record.fields["id"] = slug(record.fields["name"])
    if unknown := _unknown(entry):
        joined_names = ", ".join(repr(shown(name)) for name in unknown[:MOST_NAMED])
        more = f" and {len(unknown) - MOST_NAMED:,} more" if len(unknown) > MOST_NAMED else ""
        record.note(f"not known and left out: {joined_names}{more}")
    return record


def _values(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record; those under another name where it has none of its own."""
    nested = entry.get(_NESTED)
    fields = {k: v for k, v in entry.items() if k in Record.model_fields}
    for row in (entry, nested if isinstance(nested, Mapping) else {}):
        for key, value in row.items():
            name = _field(key)
            # An export names a fact that it does not have with null, which fills no other.
            if name and value is not None and fields.get(name) is None:
                fields[name] = _plain(name, value) if key != name else value
    return fields


def _plain(name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A value under another name, in the spelling of the field."""
    if name == "requires_tool":
        return [slug(text) for text in texts(value)]
    if name in ("languages", "platforms"):
        return canonical(name.removesuffix("s"), texts(value))
    return value if name in CLOSED_FIELDS or isinstance(value, list) else first(value)


def _field(key: str) -> str:
    """The field that a key fills, empty for an unknown key."""
    if key in Record.model_fields:
        return key
    return "requires_tool" if key == "requires" else spellings("column").get(key) or ""


def _unknown(entry: Mapping[str, Any]) -> list[str]:
    nested = entry.get(_NESTED)
    row = nested if isinstance(nested, Mapping) else {}
    row_key = _NESTED if isinstance(nested, Mapping) else ""
    outer = [key for key in entry if not _field(key) and key != row_key]
    return [*outer, *(f"{_NESTED}.{key}" for key in row if not _field(key))]


def _words(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return value is not None and all(
        isinstance(i, str | int) and not isinstance(i, bool) for i in items
    )
