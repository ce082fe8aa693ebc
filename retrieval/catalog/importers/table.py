"""The formats a catalog may come in; the first that owns a row drafts its record.

Our own shape is the last: it owns every row; validation names wrong values, a note what is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.catalog.importers import biotools, listings, own, schema_org, sheet
from retrieval.catalog.importers.values import Draft, Row


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: whether a row is in it, judged by its content, and the record of a row."""

    name: str
    owns: Callable[[Row], bool]
    draft: Callable[[Mapping[str, Any]], Draft]


IMPORTERS = (
    Importer("CSV", sheet.owns, sheet.draft),
    Importer("bio.tools", biotools.owns, biotools.draft),
    Importer("CITATION.cff", listings.owns_citation, listings.citation),
    Importer("Galaxy", listings.owns_galaxy, listings.galaxy),
    Importer("napari hub", listings.owns_napari, listings.napari),
    Importer("schema.org", schema_org.owns, schema_org.draft),
    Importer("own", lambda row: True, own.draft),
)


def importer_of(row: Row) -> Importer:
    """The importer of a row; the last of the table owns every row."""
    return next(importer for importer in IMPORTERS if importer.owns(row))
