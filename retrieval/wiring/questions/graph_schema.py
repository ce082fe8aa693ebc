"""The schema of the catalog's own graph as a file, for engines that write queries by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from retrieval.core import Tool
from retrieval.graph import FactBase, build_graph, catalog_facts, load_biology
from retrieval.graphdb import write_schema_info
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.index.stores import BIOLOGY

FILE = "schema_info.yaml"


def fact_base(tools: Sequence[Tool]) -> FactBase:
    """Everything that the catalog and the concept files state."""
    return catalog_facts(tools, build_graph(tools, lexicon(), load_biology(BIOLOGY)))


def save_schema(tools: Sequence[Tool], folder: Path) -> Path:
    """Write ``schema_info.yaml`` of this catalog's graph into a folder, if it changed; its path."""
    path, fresh = folder / FILE, folder / f"{FILE}.new"
    folder.mkdir(parents=True, exist_ok=True)
    write_schema_info(fact_base(tools), fresh)
    if path.is_file() and path.read_bytes() == fresh.read_bytes():
        fresh.unlink()
    else:
        fresh.replace(path)
    return path
