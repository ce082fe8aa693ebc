"""Opens *ask* over the configured catalog, model, databases and graph server."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.catalog import check_usable, load_catalog
from retrieval.core import Encoder, Tool, Vectors
from retrieval.dense import Loading
from retrieval.graph import load_biology
from retrieval.graphdb import PURPOSE, Neo4jStore
from retrieval.net import OutsideCalls
from retrieval.settings import ROOT, Settings
from retrieval.wiring.databases import api_answerers, database_purposes, open_apis
from retrieval.wiring.language import language_model, outside_purposes, query_budget
from retrieval.wiring.models import loading_encoder
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.routing import Asking, AskParts

MEANINGS = "meanings"
"""Folder in the cache for the vectors of names."""

BIOLOGY = ROOT / "assets" / "concepts" / "biology.jsonl"


class Awaited:
    """An encoder that is loaded at its first text; the call waits until it is ready."""

    def __init__(self, loading: Loading) -> None:
        self._loading = loading
        self.id, self.dim = loading.id, loading.dim

    def encode(self, texts: Sequence[str], batch_size: int = 32) -> Vectors:
        """As the encoder's own; StageUnavailable where there is none."""
        self._loading.wait()
        return self._loading.encode(texts, batch_size)

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """As the encoder's own."""
        self._loading.wait()
        return self._loading.encode_tokens(texts)


def open_asking(
    settings: Settings, tools: Sequence[Tool] | None = None, encoder: Encoder | None = None
) -> Asking:
    """*ask* over the configured catalog, with the configured language model if there is one.

    ``tools`` and ``encoder`` are those of a running engine; without them the catalog is read and
    the encoder loaded when it is first needed.
    """
    graph_server = frozenset([PURPOSE] if settings.graph_uri else [])
    guard = OutsideCalls(outside_purposes(settings) | graph_server | database_purposes(settings))
    used = encoder or Awaited(loading_encoder(settings)) if settings.vector_search else None
    if tools is None:
        catalog = load_catalog(settings.catalog)
        check_usable(catalog, settings.catalog)
        tools = catalog.tools
    model = language_model(settings, guard)
    apis = open_apis(settings, guard) if settings.databases else {}
    return AskParts(
        GraphParts.of(
            tools,
            load_biology(BIOLOGY),
            encoder=used,
            meanings=settings.cache_dir / MEANINGS,
            server=_server(settings, guard),
        ),
        model=model,
        budget=query_budget(settings),
        seconds=settings.query_seconds,
        llm_seconds=settings.llm_seconds,
        others=api_answerers(apis, model, seconds=settings.database_seconds),
    ).asking()


def _server(settings: Settings, guard: OutsideCalls) -> Neo4jStore | None:
    """The graph server that is configured; nothing is connected before the first query."""
    if not settings.graph_uri:
        return None
    return Neo4jStore(
        settings.graph_uri,
        user=settings.graph_user,
        password=settings.graph_password.get_secret_value(),
        guard=guard,
    )
