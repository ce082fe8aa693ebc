"""Records in our own shape, with spellings normalised and missing ids derived from names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.row import Row
from retrieval.catalog.importers.values import CLOSED_FIELDS, LICENCES, Draft, codes, slug


def owns(row: Row) -> bool:
    """Always true: the last importer reads every row, and validation names the wrong fields."""
    return True


def draft(entry: Mapping[str, Any]) -> Draft:
    """The record with closed codes and licences normalised; wrong types are left to validation."""
    record = Draft(fields=dict(entry))
    for name in CLOSED_FIELDS:
        if _words(entry.get(name)):
            record.fields[name] = codes(record, name, entry[name])
    for name in LICENCES:
        if entry.get(name) and _words(entry[name]):
            record.fields[name] = licence_of(record, entry[name], name)
    if entry.get("id") is None and isinstance(entry.get("name"), str):
        record.fields["id"] = slug(entry["name"])
    return record


def _words(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(i, str | int) and not isinstance(i, bool) for i in items)
