"""The graph database behind *ask*, filled at the first query."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from retrieval.core import StageUnavailable
from retrieval.graph import FactBase, QueryStore
from retrieval.graphdb import CypherStore, SparqlStore

logger = logging.getLogger(__name__)

Fill = Callable[[FactBase, Path], QueryStore]
"""Writes a base of facts to a path that is not there yet."""


def cypher(base: FactBase, path: Path) -> QueryStore:
    """A store that answers Cypher."""
    return CypherStore.fill(base, path)


def sparql(base: FactBase, path: Path) -> QueryStore:
    """A store that answers SPARQL."""
    return SparqlStore.fill(base, path)


class Store(Protocol):
    """Where the queries of *ask* run."""

    def available(self) -> QueryStore | None:
        """The store, or None where it is unavailable."""
        ...

    def required(self) -> QueryStore:
        """The store. Raises StageUnavailable with the remedy."""
        ...


class FilledStore:
    """An embedded store over a base of facts; its temporary folder is removed with it."""

    def __init__(self, base: FactBase, folder: Path | None = None, fill: Fill = cypher) -> None:
        self._base, self._folder, self._fill = base, folder, fill
        self._lock = threading.Lock()
        self._store: QueryStore | None = None

    def available(self) -> QueryStore | None:
        """The store, or None where its package is missing."""
        try:
            return self.required()
        except StageUnavailable as exc:
            logger.warning("%s", exc)
            return None

    def required(self) -> QueryStore:
        """The store, filled on first use. Raises StageUnavailable."""
        with self._lock:
            if self._store is None:
                self._store = self._filled()
            return self._store

    def _filled(self) -> QueryStore:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        folder = TemporaryDirectory(
            prefix="scanscout-graph-", dir=self._folder, ignore_cleanup_errors=True
        )
        store = self._fill(self._base, Path(folder.name) / "graph")
        # Each query opens the folder again, so it stays as long as anyone holds the store.
        weakref.finalize(store, folder.cleanup)
        return store


@dataclass(frozen=True)
class GivenStore:
    """A store that needs no filling, such as a server."""

    store: QueryStore

    def available(self) -> QueryStore | None:
        """The store."""
        return self.store

    def required(self) -> QueryStore:
        """The store."""
        return self.store
