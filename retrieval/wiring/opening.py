"""Opening an engine that is ready, or loads in the background, and keeps up with its files."""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import faiss
from threadpoolctl import threadpool_limits

from retrieval.catalog import Catalog, check_usable, load_catalog
from retrieval.core import Query, RetrievalError
from retrieval.dense import ProcessEnding
from retrieval.engine import Engine, Outline, Setting, Snapshot
from retrieval.llm import Outgoing
from retrieval.settings import Settings, read_settings
from retrieval.wiring.heap import return_free_memory
from retrieval.wiring.index.indexes import HYBRID, folder_of
from retrieval.wiring.language import (
    call_limits,
    language_model_told,
    preview_request,
    query_budget,
)
from retrieval.wiring.modes import NAMES
from retrieval.wiring.parts import Sizes
from retrieval.wiring.preparation import Preparation

logger = logging.getLogger(__name__)

LEAVE_S = 10.0
"""Seconds for which an ending process waits for its loading thread."""

READY_S = 900.0
"""Seconds that opening waits for. Vectors of 10,000 records take 150 s of one processor, token
vectors as long again; on a busy machine both take about three times that."""

LATE = (
    "The engine was not ready after {seconds:g} s (catalog of {tools:,} records; the first start "
    "makes its vectors). Open it again with more seconds, or with background=True, which answers "
    "by words while the rest loads."
)


def sizes_of(settings: Settings) -> Sizes:
    """List lengths, thresholds and time limits of the modes, from the settings."""
    seconds, prompt_tokens = call_limits(settings)
    return Sizes(
        per_list=settings.per_list,
        final=settings.top_k,
        hops=settings.graph_hops,
        nodes=settings.graph_nodes,
        expand_threshold=settings.expand_threshold,
        expand_terms=settings.expand_terms,
        floor=settings.floor,
        llm_seconds=seconds,
        llm_prompt_tokens=prompt_tokens,
        agentic_fusion=settings.agentic_fusion,
    )


def ranking_settings(settings: Settings) -> dict[str, Setting]:
    """What changes ranks beside catalog and encoder, as exports state it.

    Of a model in a folder only the folder's last name appears: a path could name its user.
    """
    reranker = settings.cross_encoder
    if Path(reranker).is_dir():
        reranker = Path(reranker).name
    return {
        "per_list": settings.per_list,
        "top_k": settings.top_k,
        "graph_hops": settings.graph_hops,
        "graph_nodes": settings.graph_nodes,
        "expand_threshold": settings.expand_threshold,
        "expand_terms": settings.expand_terms,
        "floor": settings.floor,
        "agentic_fusion": settings.agentic_fusion,
        "vector_search": settings.vector_search,
        "token_vectors": settings.token_vectors,
        "cross_encoder": reranker or None,
        "language_model": "scripted" if settings.llm_script else settings.llm_model or None,
    }


def open_engine(
    settings: Settings | None = None, *, background: bool = False, seconds: float | None = READY_S
) -> Engine:
    """An engine that is ready: its first query runs through every stage.

    With ``background`` nothing is waited for, as a page wants it: loading begins with
    ``Engine.load`` or the first query, and until its end queries are answered by words. Raises
    BadInput when a setting is wrong or the catalog holds no record, and RetrievalError when
    loading takes longer than ``seconds`` (None: no limit).
    """
    from retrieval.scans import read_scans

    chosen = settings or read_settings()
    source = LiveSnapshots(chosen)
    engine = Engine(
        source,
        reader=read_scans,
        seconds=chosen.query_seconds,
        floor=chosen.floor,
        budget=query_budget(chosen),
        language_model=language_model_told(chosen),
        settings=ranking_settings(chosen),
    )
    if not background and not engine.wait(seconds):
        raise RetrievalError(LATE.format(seconds=seconds, tools=len(engine.catalog)))
    return engine


class LiveSnapshots:
    """The source of snapshots that follow the catalog file and the index folder.

    The first snapshot is built at the first look: keyword search, graph and saved vectors. The
    rest is loaded behind it in one thread, and shown step by step. Every look after that compares
    files; what changed is prepared behind the snapshot in use and replaces it when complete.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._preparation: Preparation | None = None
        catalog = _records(settings)
        self._first = [catalog]  # cleared once it is used: a catalog may be large
        self.outline: Outline | Snapshot = Outline(
            tools={tool.id: tool for tool in catalog.tools},
            modes=NAMES,
            catalog_sha256=catalog.sha256,
        )
        self._seen: tuple[object, object] = (self._file(), None)
        self._busy, self._once, self._begun = threading.Lock(), threading.Lock(), False
        self._ready = threading.Event()
        self.load_ms = 0.0

    @property
    def ready(self) -> bool:
        """Whether the first loading is over."""
        return self._ready.is_set()

    def wait(self, seconds: float | None) -> bool:
        """Load, and wait for the end of the first loading."""
        self.load()
        return self._ready.wait(seconds)

    def load(self) -> None:
        """Begin the slow part in the background, once."""
        with self._once:
            if not self._begun:
                self._begun = True
                self._start(self._complete)

    def current(self) -> Snapshot:
        """The snapshot in use, after a look at what changed since the last look."""
        self._prepared()
        self.load()
        self._look()
        assert isinstance(self.outline, Snapshot)
        return self.outline

    def preview(
        self, query: Query, mode: str, images: Sequence[bytes], sizes: Mapping[str, int]
    ) -> Outgoing | None:
        """The first request that a query would send to the language model; nothing is sent."""
        preparation = self._prepared()
        return preview_request(
            self._settings,
            preparation.snapshot(),
            preparation.parts,
            preparation.sizes,
            query=query,
            mode=mode,
            images=images,
            changes=sizes,
        )

    def _prepared(self) -> Preparation:
        """The preparation; builds the first snapshot once, while other threads wait for it."""
        with self._once:
            if self._preparation is None:
                one_thread()
                preparation = Preparation(self._settings, sizes_of(self._settings), self._publish)
                # Taken before the index is read: one saved meanwhile is a change to look at.
                self._seen = (self._seen[0], self._signature()[1])
                self.outline = preparation.begin(self._first[0])
                self._preparation = preparation
                self._first.clear()
            return self._preparation

    def _look(self) -> None:
        """Begin to prepare again where the catalog or the index is another than at the last look.

        What changes while a preparation is under way is seen at the first look after it.
        """
        # One query at a time looks, so that one change begins one preparation; others go on.
        if not self._busy.acquire(blocking=False):
            return
        is_changed = False
        try:
            now = self._signature()
            is_changed, self._seen = now != self._seen, now
        finally:
            if not is_changed:
                self._busy.release()
        if is_changed:
            self._run_beside(self._reload)

    def _start(self, work: Callable[[], None]) -> None:
        self._busy.acquire()
        self._run_beside(work)

    def _run_beside(self, work: Callable[[], None]) -> None:
        """Run in a thread of its own, which gives back ``_busy`` at its end."""
        thread = threading.Thread(target=self._run, args=(work,), name="prepare", daemon=True)
        thread.start()
        # Interpreter exit during a library's import aborts the process: wait for the thread.
        weakref.finalize(self, thread.join, LEAVE_S)

    def _run(self, work: Callable[[], None]) -> None:
        start = perf_counter()
        try:
            work()
        except ProcessEnding:
            logger.debug("the process ended while its engine was loading")
        except RetrievalError as exc:
            logger.warning("%s", exc)
        finally:
            # Loaded objects stay for long: a full collection that walks them would delay a query.
            if self.ready:
                # Catalogs that were replaced hold cycles, and what is frozen is never collected.
                gc.unfreeze()
            gc.collect()
            gc.freeze()
            return_free_memory()
            self.load_ms = (perf_counter() - start) * 1000
            self._ready.set()
            self._busy.release()

    def _complete(self) -> None:
        """Complete the preparation; an index that it saves itself is not taken for a change."""
        self._prepared().complete()
        self._seen = (self._seen[0], self._signature()[1])

    def _reload(self) -> None:
        """Prepare again; queries use the previous snapshot until this one is ready."""
        preparation = self._prepared()
        preparation.begin(_records(self._settings))
        try:
            self._complete()
        finally:
            self.outline = preparation.snapshot()

    def _publish(self, snapshot: Snapshot) -> None:
        """Show every step of the first preparation; of a later one only the complete snapshot."""
        if not self.ready:
            self.outline = snapshot

    def _signature(self) -> tuple[object, object]:
        return self._file(), folder_of(self._settings.index_dir, HYBRID).live()

    def _file(self) -> tuple[int, int] | None:
        try:
            stat = self._settings.catalog.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size


def _records(settings: Settings) -> Catalog:
    catalog = load_catalog(settings.catalog)
    check_usable(catalog, settings.catalog)
    return catalog


def one_thread() -> None:
    """One thread a product: queries are small, and threads that wait for each other cost more.

    Several queries still run side by side, and a bulk of texts is encoded in parallel batches.
    """
    threadpool_limits(limits=1, user_api="blas")
    faiss.omp_set_num_threads(1)
