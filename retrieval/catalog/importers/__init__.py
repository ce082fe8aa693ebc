"""Catalogs in other people's formats, brought to the shape of a record."""

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.row import MAX_LINE, Row
from retrieval.catalog.importers.rows import read_rows
from retrieval.catalog.importers.table import IMPORTERS, Importer, importer_of
from retrieval.catalog.importers.values import Draft

__all__ = [
    "IMPORTERS",
    "MAX_LINE",
    "Draft",
    "Importer",
    "Row",
    "importer_of",
    "licence_of",
    "read_rows",
]
