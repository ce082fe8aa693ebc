"""Which stores answer: chosen by setting and size, with what is used instead when one cannot."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from retrieval.catalog import Catalog
from retrieval.core import EVERYTHING, Graph, Selection, StageUnavailable
from retrieval.dense import (
    PURPOSE,
    InvertedStore,
    MilvusAddress,
    MilvusStore,
    NumpyStore,
    Stored,
    VectorStore,
    collection_name,
)
from retrieval.graph import (
    ArrayStore,
    GraphArrays,
    GraphFolder,
    GraphStore,
    NetworkxStore,
    Reached,
    build_graph,
    graph_key,
    load_biology,
)
from retrieval.net import OutsideCalls
from retrieval.settings import ROOT, Settings
from retrieval.storage import alone_in
from retrieval.wiring.concepts import CONCEPTS, lexicon
from retrieval.wiring.parts import Notice

if TYPE_CHECKING:
    import networkx as nx

logger = logging.getLogger(__name__)

BIOLOGY = ROOT / "assets" / "concepts" / "biology.jsonl"

SMALL = 5_000
"""Records whose graph is built before the first answer; a larger one is built behind it."""

TOKENS = 20_000
"""Records up to which token vectors are kept unless a setting says otherwise."""


def store_purposes(settings: Settings) -> frozenset[str]:
    """The purposes of outside calls by stores: a Milvus server, when one is set."""
    server = wants_milvus(settings) and not _address(settings).is_file
    return frozenset([PURPOSE]) if server else frozenset()


def wants_milvus(settings: Settings) -> bool:
    """Whether Milvus is to serve: named, or given an address."""
    named = settings.vector_store == "milvus"
    return named or (settings.vector_store == "auto" and bool(settings.milvus_uri))


def _address(settings: Settings) -> MilvusAddress:
    return MilvusAddress(
        uri=settings.milvus_uri,
        token=settings.milvus_token.get_secret_value(),
        user=settings.milvus_user,
        password=settings.milvus_password.get_secret_value(),
        ca_file=settings.milvus_ca_file,
    )


def served_here(stored: Stored | None, settings: Settings) -> VectorStore | None:
    """The store in this process: FAISS as the index file holds it, or the numpy reference."""
    if stored is None:
        return None
    if settings.vector_store == "numpy":
        return NumpyStore(stored.meta.ids, stored.store.vectors)
    return stored.store


def served_by_milvus(stored: Stored, settings: Settings, guard: OutsideCalls) -> VectorStore:
    """The collection of this index, filled first where it is missing.

    Raises StageUnavailable when the package, the address or the server is not there.
    """
    address = _address(settings)
    if not (address.is_file or address.uri.startswith(("http://", "https://"))):
        raise StageUnavailable(
            "SCANSCOUT_MILVUS_URI names no store; give a file that ends in .db, or http(s)://host"
        )
    meta, store = stored.meta, stored.store
    name = collection_name(meta.catalog_sha256, meta.model, meta.template, meta.ids)
    # Cells are tuned once, on the rows in memory; Milvus makes as many of the same rows.
    probes = store.index.nprobe if isinstance(store, InvertedStore) else 0
    return MilvusStore.fill(address, name, meta.ids, store.vectors, guard, probes)


def fallback(stage: str, used: str, error: StageUnavailable) -> Notice:
    """The notice in answers of a store that is not available."""
    logger.warning("%s: %s; %s is used instead", stage, error, used)
    return stage, used, str(error)


class Pending:
    """Placeholder for a graph that is being built."""

    reason = "the graph of this catalog is being built"

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """No neighbourhood yet."""
        raise StageUnavailable(self.reason)

    def having(self, concepts: Sequence[str], selection: Selection) -> dict[str, frozenset[str]]:
        """No tool yet."""
        raise StageUnavailable(self.reason)

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """Nothing to draw yet."""
        raise StageUnavailable(self.reason)

    def words(self, path: Sequence[tuple[str, str, str]]) -> str:
        """No path yet."""
        raise StageUnavailable(self.reason)


class Graphs:
    """The graph of a catalog: read where sync saved it, else built."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.folder = GraphFolder(settings.index_dir / "graph")
        self._damaged = False

    def key(self, catalog: Catalog) -> str:
        """The name of this catalog's graph."""
        return graph_key(catalog.sha256, concept_layer())

    def saved(self, catalog: Catalog) -> GraphArrays | None:
        """The arrays in the index folder, or in the shipped one; None where neither fits."""
        key = self.key(catalog)
        for root in (self.folder.root, self._settings.shipped_index / "graph"):
            folder = GraphFolder(root)
            try:
                return folder.load(key)
            except StageUnavailable as exc:
                if folder.holds(key):
                    logger.warning("%s; it is built again", exc)
                    self._damaged = True
        return None

    def missing(self, catalog: Catalog) -> GraphArrays | None:
        """The arrays that a sync has to save (slow); None where they are saved and complete."""
        try:
            self.folder.load(self.key(catalog))
        except StageUnavailable:
            return built(catalog)
        return None

    @contextmanager
    def replaced(self, catalog: Catalog, arrays: GraphArrays | None) -> Iterator[None]:
        """Save the arrays, if any; those of other catalogs go after what is done meanwhile.

        One process at a time is in here, as none may remove what another is writing. Raises
        OSError.
        """
        self.folder.root.mkdir(parents=True, exist_ok=True)
        with alone_in(self.folder.root):
            if arrays is not None:
                self.folder.save(self.key(catalog), arrays)
            yield
            self.folder.tidy(self.key(catalog))

    def at_once(self, catalog: Catalog) -> GraphStore:
        """A store that can answer now: the reference backend when it is set, else the arrays."""
        if len(catalog.records) > SMALL and self._settings.graph_store == "networkx":
            return Pending()
        if self._settings.graph_store == "networkx":
            return NetworkxStore(_graph(catalog))
        arrays = self.saved(catalog)
        if arrays is None and len(catalog.records) > SMALL:
            return Pending()
        return ArrayStore(arrays or built(catalog))

    def complete(self, catalog: Catalog, have: GraphStore) -> GraphStore:
        """The store of the settings (slow)."""
        if self._damaged and isinstance(have, ArrayStore):
            self._keep(catalog, have.arrays)
            self._damaged = False
        if not isinstance(have, Pending):
            return have
        if self._settings.graph_store == "networkx":
            return NetworkxStore(_graph(catalog))
        arrays = built(catalog)
        self._keep(catalog, arrays)
        return ArrayStore(arrays)

    def _keep(self, catalog: Catalog, arrays: GraphArrays) -> None:
        try:
            with self.replaced(catalog, arrays):
                pass
        except OSError as exc:
            logger.warning("the graph could not be saved (%s)", exc.strerror)


def _graph(catalog: Catalog) -> nx.MultiDiGraph:
    return build_graph(catalog.tools, lexicon(), load_biology(BIOLOGY))


def built(catalog: Catalog) -> GraphArrays:
    """The arrays of a catalog, from its records and the concept files."""
    return GraphArrays.of(_graph(catalog))


@cache
def concept_layer() -> tuple[str, ...]:
    """Hashes of the concept files; the shipped ones never change at run time."""
    return tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in (CONCEPTS, BIOLOGY))
