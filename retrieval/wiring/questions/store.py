"""The catalog's own graph in databases that take queries, and its schema as a file."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from retrieval.core import StageUnavailable, Tool
from retrieval.graph import (
    FactBase,
    QueryStore,
    build_graph,
    catalog_facts,
    load_biology,
    place_stated,
)
from retrieval.graphdb import CypherStore, write_schema_info
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.index.stores import BIOLOGY

logger = logging.getLogger(__name__)

SCHEMA_FILE = "schema_info.yaml"

Fill = Callable[[FactBase, Path], QueryStore]
"""Writes a base of facts to a path that is not there yet."""


def fact_base(tools: Sequence[Tool]) -> FactBase:
    """Everything that the catalog and the concept files state."""
    graph = build_graph(tools, lexicon(), load_biology(BIOLOGY))
    place_stated(graph, lexicon())
    return catalog_facts(tools, graph)


def save_schema(tools: Sequence[Tool], folder: Path) -> Path:
    """Write ``schema_info.yaml`` of this catalog's graph into a folder, if it changed; its path."""
    return write_schema_info(fact_base(tools), folder / SCHEMA_FILE)


class FilledStore:
    """An embedded store over a base of facts; its temporary folder is removed with it."""

    def __init__(self, base: FactBase, fill: Fill = CypherStore.fill) -> None:
        self._base, self._fill = base, fill
        self._lock = threading.Lock()
        self._store: QueryStore | None = None

    def required(self) -> QueryStore:
        """The store, filled on first use. Raises StageUnavailable where its package is missing."""
        with self._lock:
            if self._store is None:
                folder = TemporaryDirectory(prefix="scanscout-graph-", ignore_cleanup_errors=True)
                self._store = self._fill(self._base, Path(folder.name) / "graph")
                # Each query opens the folder again, so it stays as long as anyone holds the store.
                weakref.finalize(self._store, folder.cleanup)
            return self._store


def available(required: Callable[[], QueryStore]) -> QueryStore | None:
    """What ``required`` returns, or None, with a warning in the log, where it is unavailable."""
    try:
        return required()
    except StageUnavailable as exc:
        logger.warning("%s", exc)
        return None
