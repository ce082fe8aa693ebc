"""A catalog to a snapshot: quick parts first, slow ones step by step in the background."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from retrieval.catalog import Catalog, catalog_terms
from retrieval.core import Encoder, StageUnavailable
from retrieval.dense import (
    FailoverStore,
    Loading,
    Stored,
    TokenStore,
    VectorStore,
    state_name,
)
from retrieval.dialogue import Dialogue, Wordsmith
from retrieval.engine import Snapshot
from retrieval.fit import stated_shares
from retrieval.graph import EntityNames, load_biology
from retrieval.lexical import Bm25Index
from retrieval.net import OutsideCalls
from retrieval.planning import FormatBridge
from retrieval.query import FilterTable, WishReader
from retrieval.settings import Settings, variable
from retrieval.web import OFF as WEB_OFF
from retrieval.wiring.agentic import meaning_of
from retrieval.wiring.concepts import CachedAnnotator, english, lexicon
from retrieval.wiring.explaining import explainers, gap_judge, shortfalls_of
from retrieval.wiring.index.indexes import HYBRID, PLAZA, find_index, term_index, unwritten
from retrieval.wiring.index.making import Making
from retrieval.wiring.index.stores import (
    BIOLOGY,
    Graphs,
    fallback,
    served_by_milvus,
    served_here,
    store_purposes,
    wants_milvus,
)
from retrieval.wiring.index.token_vectors import TokenVectors
from retrieval.wiring.language import language_model, outside_purposes
from retrieval.wiring.models import cross_encoder, loading_encoder, plaza_encoder, usable_device
from retrieval.wiring.modes import modes_with
from retrieval.wiring.parts import Notice, Parts, Sizes, missing
from retrieval.wiring.ranking import ranking_of
from retrieval.wiring.record_sources import RecordSources

logger = logging.getLogger(__name__)

CACHE_SETTING = variable("cache_dir")

OFF = "vector search is switched off by setting"
MAKING = "warming up: the vectors of this catalog are being made"
MADE_AGAIN = "warming up: the vectors of this catalog are made again because {why}"


@dataclass
class Preparation:
    """Builds the snapshot of a catalog, quick parts first, and completes it step by step."""

    settings: Settings
    sizes: Sizes
    publish: Callable[[Snapshot], None] = lambda snapshot: None
    catalog: Catalog = field(init=False)
    parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        purposes = outside_purposes(self.settings) | store_purposes(self.settings)
        self.guard = OutsideCalls(purposes)
        self.encoder: Loading = loading_encoder(self.settings)
        self._other, self._notices = plaza_encoder(self.settings, self.encoder)
        self._lexicon = lexicon()
        self._biology = load_biology(BIOLOGY)
        self._graphs = Graphs(self.settings)
        self._tokens = TokenVectors(self.settings)
        self._model = language_model(self.settings, self.guard)
        self._cross = cross_encoder(self.settings.cross_encoder, self.settings)
        self._plaza_cross = cross_encoder(self.settings.plaza_cross_encoder, self.settings)

    def begin(self, catalog: Catalog) -> Snapshot:
        """The first snapshot, without a model: keyword index, graph, saved vectors if they fit."""
        self.catalog = catalog
        self._instead: dict[str, Notice] = {}
        self._making = Making(self.settings, catalog)
        self._tokens_set = False
        self._gaps = gap_judge(catalog.tools)
        self._filters = FilterTable(catalog.tools)
        self._source = RecordSources(catalog.records)
        tools = {t.id: t for t in catalog.tools}
        names = EntityNames(self._biology, self._lexicon.annotator)
        annotator = CachedAnnotator(names)
        on = self.settings.vector_search
        vectors = find_index(self.settings, catalog, self.encoder, HYBRID) if on else None
        plaza = find_index(self.settings, catalog, self._other, PLAZA) if on else None
        saved = {HYBRID: vectors, PLAZA: plaza}
        self._stored = {name: index.fitting if index else None for name, index in saved.items()}
        self._nearest = {name: index.nearest if index else None for name, index in saved.items()}
        why = vectors.reason if vectors else ""
        self.parts = Parts(
            tools=tools,
            encoder=self.encoder,
            bm25=Bm25Index(catalog.tools),
            graph=self._graphs.at_once(catalog),
            plaza_encoder=self._other,
            bridge=FormatBridge(catalog.tools),
            stated=stated_shares(catalog.tools),
            annotator=annotator,
            english=CachedAnnotator(names.beside(english())),
            labels={**self._lexicon.labels, **{e.id: e.label for e in self._biology}},
            vectors=served_here(self._stored[HYBRID], self.settings),
            plaza_vectors=served_here(self._stored[PLAZA], self.settings),
            terms=term_index(self._stored[HYBRID]),
            cross_encoder=self._cross,
            plaza_cross_encoder=self._plaza_cross,
            language_model=self._model,
            no_vectors=(MADE_AGAIN.format(why=why) if why else MAKING) if on else OFF,
            plaza_notices=self._notices,
            web="" if self.settings.web_search else WEB_OFF,
        )
        hides = self.sizes.final is not None
        self._wishes = WishReader(catalog.tools, self.parts.stated, hides, annotator.concepts)
        return self.snapshot()

    def snapshot(self) -> Snapshot:
        """The modes over the current parts, each with notices of the stores that are replaced."""
        modes = partial(modes_with, self.parts, self.sizes, tuple(self._instead.values()))
        wordsmith = Wordsmith(self._model, self.sizes.llm_seconds) if self._model else None
        return Snapshot(
            tools=self.parts.tools,
            modes=modes({}),
            resized=modes,
            catalog_sha256=self.catalog.sha256,
            indexes={name: state_name(one.meta) for name, one in self._stored.items() if one},
            stages=missing(self.parts, self.encoder),
            gaps=self._gaps,
            **explainers(self.parts, self._gaps.own_words),
            encoder=self.encoder,
            wishes=self._wishes,
            filters=self._filters,
            source=self._source,
            outside=self.guard,
            dialogue=Dialogue(meaning_of(self.parts), self.parts.tools, wordsmith),
        )

    def complete(self) -> None:
        """Load the model, build what is missing, and publish after every step (slow).

        Where a file cannot be written, what is missing then says so instead of "warming up".
        """
        try:
            self._complete()
        except OSError as exc:
            reason = unwritten("what this search needs", exc, CACHE_SETTING)
            logger.warning("%s", reason)
            self._end_waiting(reason)

    def _end_waiting(self, reason: str) -> None:
        """Give the reason to every part that is missing and will not be built."""
        vectors = {} if self.parts.vectors else {"no_vectors": reason}
        tokens = {} if self._tokens_set else {"tokens": _absent(reason)}
        self._change(**vectors, **tokens)

    def _complete(self) -> None:
        device, reason = usable_device(self.settings.device)
        if reason:
            self._instead["device"] = ("device", device, reason)
        if self.settings.vector_search:
            self.encoder.start()  # its files are read and checked beside the steps to come
        self._complete_graph()
        self._gaps.prepare()
        self.parts = replace(self.parts, shortfalls=shortfalls_of(self._gaps))
        annotator = self.parts.annotator or self._lexicon.annotator
        try:
            self._change(ranking=ranking_of(self.catalog.tools, annotator))
        except StageUnavailable as exc:
            self._change(ranking=str(exc))
        if not self.settings.vector_search:
            self._end_waiting(OFF)
            return
        self.encoder.wait()
        if self.encoder.problem:
            self._end_waiting(self.encoder.problem)
            return
        if self.parts.vectors is None:
            self._make(self.encoder, HYBRID, catalog_terms(self.catalog.tools))
        self._late()
        if isinstance(self._other, Loading):
            self._other.wait()
        if self.parts.plaza_vectors is None:
            self._make(self._other, PLAZA, ())
        self._save()
        if wants_milvus(self.settings):
            self._move()
        # Earlier vectors, which may be large, serve only to make the new ones from.
        self._nearest = dict.fromkeys(self._nearest)

    def _complete_graph(self) -> None:
        have = self.parts.graph
        if have is None:
            return
        store = self._graphs.complete(self.catalog, have)
        if store is not have or self._instead:
            self._change(graph=store)

    def _late(self) -> None:
        """Token vectors, or why there are none."""
        self._tokens_set = True
        refusal = self._tokens.refusal(len(self.catalog.records))
        if refusal:
            self._change(tokens=_absent(refusal))
            return
        try:
            tokens = self._tokens.open(
                self.catalog.tools, self.encoder, lambda why: self._change(tokens=_absent(why))
            )
        except OSError as exc:
            reason = unwritten("token vectors", exc, CACHE_SETTING)
            logger.warning("%s", reason)
            self._change(tokens=_absent(reason))
            return
        self._change(tokens=lambda: tokens)

    def _change(self, **parts: object) -> None:
        self.parts = replace(self.parts, **parts)  # type: ignore[arg-type]
        # Each step is shown at once: what is ready answers while the rest is loading.
        self.publish(self.snapshot())

    def _make(self, encoder: Encoder, template: str, terms: tuple[str, ...]) -> None:
        index = self._making.make(self._nearest[template], encoder, template, terms)
        self._stored[template] = index
        served = served_here(index, self.settings)
        if template == HYBRID:
            self._change(vectors=served, terms=term_index(index))
        else:
            self._change(plaza_vectors=served)

    def _save(self) -> None:
        try:
            self._stored.update(self._making.save())
        except OSError as exc:
            reason = unwritten("the index", exc, variable("index_dir"))
            logger.warning("%s", reason)
            self._instead["dense"] = ("dense", "vectors in memory", reason)
            self._change()

    def _move(self) -> None:
        """Switch to Milvus, or note why FAISS stays."""
        for template, part in ((HYBRID, "vectors"), (PLAZA, "plaza_vectors")):
            stored = self._stored[template]
            if stored is None:
                continue
            try:
                served = served_by_milvus(stored, self.settings, self.guard)
            except StageUnavailable as exc:
                self._instead["dense"] = fallback("dense", "FAISS in memory", exc)
                self._change()
                return
            self._change(**{part: FailoverStore(served, self._spare(stored))})
            # Milvus has the vectors now, so those in memory can go.
            self._stored[template] = None

    def _spare(self, stored: Stored) -> Callable[[], VectorStore]:
        """What answers while Milvus does not: the saved index, read again when it is needed.

        An index that could not be saved stays in memory.
        """
        settings, catalog, template = self.settings, self.catalog, stored.meta.template
        served = served_here(stored, settings)
        if "dense" in self._instead and served is not None:
            return lambda: served
        encoder = self.encoder if template == HYBRID else self._other

        def read() -> VectorStore:
            saved = find_index(settings, catalog, encoder, template)
            store = served_here(saved.fitting, settings)
            if store is None:
                raise StageUnavailable(saved.reason or "there is no index; run a sync")
            return store

        return read


def _absent(reason: str) -> Callable[[], TokenStore | None]:
    def refuse() -> None:
        raise StageUnavailable(reason)

    return refuse
