"""What ``python -m retrieval ask`` prints."""

from __future__ import annotations

import argparse
import json

from retrieval.build.apis import api_answerers, database_purposes, open_apis
from retrieval.build.ask import Asking, AskParts, GraphParts
from retrieval.build.ask_json import ask_json, ask_text
from retrieval.build.language import language_model, outside_purposes, query_budget
from retrieval.catalog import load_catalog
from retrieval.core.errors import BadInput
from retrieval.core.guard import OutsideCalls
from retrieval.graph import load_biology
from retrieval.graph.neo4j_store import PURPOSE, Neo4jStore
from retrieval.settings import ROOT, Settings

BIOLOGY = ROOT / "assets" / "concepts" / "biology.jsonl"


def open_asking(settings: Settings) -> Asking:
    """*ask* over the configured catalog, with the configured language model if there is one."""
    catalog = load_catalog(settings.catalog)
    if not catalog.records:
        raise BadInput(f"catalog: {settings.catalog.name} holds no usable record")
    purposes = outside_purposes(settings) | _graph_purpose(settings) | database_purposes(settings)
    guard = OutsideCalls(purposes)
    model = language_model(settings, guard)
    apis = open_apis(settings, guard) if settings.databases else {}
    return AskParts(
        GraphParts.of(catalog.tools, load_biology(BIOLOGY), server=_server(settings, guard)),
        model=model,
        budget=query_budget(settings),
        seconds=settings.query_seconds,
        llm_seconds=settings.llm_seconds,
        others=api_answerers(apis, model, seconds=settings.database_seconds),
    ).asking()


def _graph_purpose(settings: Settings) -> frozenset[str]:
    return frozenset([PURPOSE] if settings.graph_uri else [])


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


def ask_printed(args: argparse.Namespace, settings: Settings) -> str:
    """The answer as one line of JSON, or as text. Raises BadInput for an empty question."""
    asked = open_asking(settings).ask(args.question, answerer=args.answerer)
    if args.json:
        return json.dumps(ask_json(asked), ensure_ascii=False)
    return ask_text(asked)
