"""Catalogs in other people's formats, brought to the shape of a record."""

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.rows import read_rows
from retrieval.catalog.importers.table import importer_of
from retrieval.catalog.importers.values import LINKS, Draft, Row, shown, slug

__all__ = ["LINKS", "Draft", "Row", "importer_of", "licence_of", "read_rows", "shown", "slug"]
