"""Records, validation, importers, vocabulary, annotation."""

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import load_concepts
from retrieval.catalog.load import Catalog, RefusedLine, check_usable, load_catalog
from retrieval.catalog.record import Record
from retrieval.catalog.vocabulary import catalog_terms

__all__ = [
    "Catalog",
    "ConceptAnnotator",
    "Record",
    "RefusedLine",
    "catalog_terms",
    "check_usable",
    "load_catalog",
    "load_concepts",
]
