"""Opening an engine: what is quick at once, what is slow behind the page's back."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from retrieval.build.concepts import english, lexicon
from retrieval.build.indexes import HYBRID, PLAZA, find_index, folder_of
from retrieval.build.models import (
    cross_encoder,
    language_model,
    loading_encoder,
    plaza_encoder,
)
from retrieval.build.modes import all_modes
from retrieval.build.parts import Parts, Sizes
from retrieval.build.threads import one_thread
from retrieval.catalog import Catalog, catalog_terms, load_catalog
from retrieval.core.errors import BadInput, RetrievalError
from retrieval.core.guard import OutsideCalls
from retrieval.core.ports import Encoder
from retrieval.dense import (
    Loading,
    Stored,
    TokenFile,
    refreshed,
    template_text,
    token_file,
)
from retrieval.engine import Engine, Snapshot
from retrieval.graph import (
    ArrayStore,
    EntityNames,
    FormatBridge,
    GraphArrays,
    build_graph,
    load_biology,
)
from retrieval.lexical import Bm25Index
from retrieval.query import TermIndex
from retrieval.settings import ROOT, Settings, quiet_libraries, read_settings

logger = logging.getLogger(__name__)

BIOLOGY = ROOT / "assets" / "concepts" / "biology.jsonl"

OFF = "vector search is switched off by setting"


def sizes_of(settings: Settings) -> Sizes:
    """The numbers of the modes, as set."""
    return Sizes(
        per_list=settings.per_list,
        final=settings.top_k,
        hops=settings.graph_hops,
        nodes=settings.graph_nodes,
        expand_threshold=settings.expand_threshold,
        expand_terms=settings.expand_terms,
        floor=settings.floor,
        llm_seconds=settings.llm_seconds,
    )


@dataclass
class Preparation:
    """Brings a catalog to a snapshot, quick parts first, and completes it step by step."""

    settings: Settings
    sizes: Sizes
    publish: Callable[[Snapshot], None] = lambda snapshot: None
    catalog: Catalog = field(init=False)
    parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        self.guard = OutsideCalls(
            frozenset(["language model"] if self.settings.llm_base_url else [])
        )
        self.encoder: Loading = loading_encoder(self.settings)
        self._other, self._notices = plaza_encoder(self.settings, self.encoder)
        self._lexicon = lexicon()
        self._biology = load_biology(BIOLOGY)
        self._model = language_model(self.settings, self.guard)
        self._cross = cross_encoder(self.settings.cross_encoder, self.settings)
        self._plaza_cross = cross_encoder(self.settings.plaza_cross_encoder, self.settings)

    def begin(self, catalog: Catalog) -> Snapshot:
        """All that needs no model: keyword index, graph, saved vectors if they fit."""
        self.catalog = catalog
        tools = {t.id: t for t in catalog.tools}
        on = self.settings.vector_search
        vectors = find_index(self.settings, catalog, self.encoder, HYBRID) if on else None
        plaza = find_index(self.settings, catalog, self._other, PLAZA) if on else None
        self._nearest = {
            HYBRID: vectors.nearest if vectors else None,
            PLAZA: plaza.nearest if plaza else None,
        }
        why = f" ({vectors.reason})" if vectors and vectors.reason else ""
        self.parts = Parts(
            tools=tools,
            encoder=self.encoder,
            bm25=Bm25Index(catalog.tools),
            graph=ArrayStore(
                GraphArrays.of(build_graph(catalog.tools, self._lexicon, self._biology))
            ),
            plaza_encoder=self._other,
            bridge=FormatBridge(catalog.tools),
            annotator=EntityNames(self._biology, self._lexicon.annotator),
            english=EntityNames(self._biology, english()),
            labels={**self._lexicon.labels, **{e.id: e.label for e in self._biology}},
            vectors=vectors.fitting if vectors else None,
            plaza_vectors=plaza.fitting if plaza else None,
            terms=_terms(vectors.fitting if vectors else None),
            cross_encoder=self._cross,
            plaza_cross_encoder=self._plaza_cross,
            language_model=self._model,
            no_vectors=f"the vectors of this catalog are being made{why}" if on else OFF,
            plaza_notices=self._notices,
        )
        return self.snapshot()

    def snapshot(self) -> Snapshot:
        """The modes over the parts as they are now."""
        return Snapshot(
            tools=self.parts.tools,
            modes=all_modes(self.parts, self.sizes),
            catalog_sha256=self.catalog.sha256,
            refused_lines=len(self.catalog.refused),
        )

    def complete(self) -> None:
        """Load the model, make what is missing, and publish after every step (slow)."""
        if not self.settings.vector_search:
            return
        self.encoder.wait()
        if self.encoder.problem:
            self._change(no_vectors=self.encoder.problem)
            return
        if self.parts.vectors is None:
            made = self._make(self.encoder, HYBRID, catalog_terms(self.catalog.tools))
            self._change(vectors=made, terms=_terms(made))
        texts = {t.id: template_text(HYBRID, t) for t in self.catalog.tools}
        tokens = self._tokens(texts)
        self._change(tokens=lambda: tokens)
        if isinstance(self._other, Loading):
            self._other.wait()
        if self.parts.plaza_vectors is None:
            self._change(plaza_vectors=self._make(self._other, PLAZA, ()))

    def _tokens(self, texts: dict[str, str]) -> TokenFile:
        try:
            return token_file(self.settings.cache_dir / "tokens", self.encoder, texts)
        except OSError as exc:
            logger.warning("the cache folder cannot be written (%s)", exc.strerror)
            self._spare = TemporaryDirectory(prefix="scanscout-tokens-")
            return token_file(Path(self._spare.name), self.encoder, texts)

    def _change(self, **parts: object) -> None:
        self.parts = replace(self.parts, **parts)  # type: ignore[arg-type]
        self.publish(self.snapshot())

    def _make(self, encoder: Encoder, template: str, terms: tuple[str, ...]) -> Stored:
        made = refreshed(
            self._nearest[template],
            self.catalog.tools,
            encoder,
            template,
            catalog_sha256=self.catalog.sha256,
            fingerprints=self.catalog.fingerprints,
            terms=terms,
        )
        try:
            return folder_of(self.settings.index_dir, template).save(made)
        except OSError as exc:
            logger.warning("the index could not be saved (%s); it is kept in memory", exc.strerror)
            return made


def _terms(stored: Stored | None) -> TermIndex | None:
    if stored is None or not stored.terms:
        return None
    return TermIndex(stored.terms, stored.term_vectors)


def open_engine(settings: Settings | None = None) -> Engine:
    """An engine that answers by keyword at once and by everything when it is ready.

    Raises BadInput when a setting is wrong or the catalog holds no record.
    """
    from retrieval.scans import read_scans

    quiet_libraries()
    one_thread()
    chosen = settings or read_settings()
    opened = Opened(chosen)
    engine = Engine(
        opened.first, reader=read_scans, seconds=chosen.query_seconds, floor=chosen.floor
    )
    opened.follow(engine)
    return engine


class Opened:
    """Keeps one engine up to date with the catalog file and the index folder."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._preparation = Preparation(settings, sizes_of(settings))
        self._seen = self._signature()
        self._busy = threading.Lock()
        self.first = self._preparation.begin(_records(settings))

    def follow(self, engine: Engine) -> None:
        """Complete the first snapshot in the background, then watch for changes."""
        self._engine = engine
        engine.outside = self._preparation.guard.made
        self._preparation.publish = lambda snapshot: engine.swap(snapshot, ready=False)
        engine.watch(self._look)
        self._start(self._preparation.complete)

    def _start(self, work: Callable[[], None]) -> None:
        self._busy.acquire()
        threading.Thread(target=self._run, args=(work,), name="prepare", daemon=True).start()

    def _run(self, work: Callable[[], None]) -> None:
        start = perf_counter()
        try:
            work()
        except RetrievalError as exc:
            logger.warning("%s", exc)
        finally:
            # What was loaded stays; a collection that walks it all would hold up a query.
            gc.collect()
            gc.freeze()
            self._engine.load_ms = (perf_counter() - start) * 1000
            self._engine.settle()
            self._busy.release()

    def _signature(self) -> tuple[object, ...]:
        try:
            stat = self._settings.catalog.stat()
            file: tuple[int, int] | None = (stat.st_mtime_ns, stat.st_size)
        except OSError:
            file = None
        return file, folder_of(self._settings.index_dir, HYBRID).live()

    def _look(self) -> None:
        if self._busy.locked():
            return
        now = self._signature()
        if now != self._seen:
            self._seen = now
            self._start(self._reload)

    def _reload(self) -> None:
        self._preparation.begin(_records(self._settings))
        self._preparation.publish(self._preparation.snapshot())
        self._preparation.complete()
        self._seen = self._signature()


def _records(settings: Settings) -> Catalog:
    catalog = load_catalog(settings.catalog)
    if not catalog.records:
        told = (
            f"; line {catalog.refused[0].line}: {catalog.refused[0].reason}"
            if catalog.refused
            else ""
        )
        raise BadInput(f"catalog: {settings.catalog.name} holds no usable record{told}")
    return catalog
