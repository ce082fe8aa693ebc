"""The formats a catalog may come in; the first that owns a row drafts its record.

Our own shape is the last: it owns every row, and validation names the wrong fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.catalog.importers import biotools, schema_org, sheet
from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.values import CLOSED_FIELDS, LICENCES, Draft, Row, codes, slug


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: whether a row is in it, judged by its content, and the record of a row."""

    name: str
    owns: Callable[[Row], bool]
    draft: Callable[[Mapping[str, Any]], Draft]


def own_draft(entry: Mapping[str, Any]) -> Draft:
    """A record in our own shape: closed codes and licences normalised, a missing id derived.

    Values of a wrong type are left to validation.
    """
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


IMPORTERS = (
    Importer("CSV", sheet.owns, sheet.draft),
    Importer("bio.tools", biotools.owns, biotools.draft),
    Importer("schema.org", schema_org.owns, schema_org.draft),
    Importer("own", lambda row: True, own_draft),
)


def importer_of(row: Row) -> Importer:
    """The importer of a row; the last of the table owns every row."""
    return next(importer for importer in IMPORTERS if importer.owns(row))
