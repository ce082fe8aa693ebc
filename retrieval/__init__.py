"""ScanScout's library: the front door that the page and scripts use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from retrieval.offline import switch_off

switch_off()

if TYPE_CHECKING:
    from retrieval.agents import Clarification, Option
    from retrieval.build.ask import Asked, Asking
    from retrieval.build.ask_desk import AskDesk
    from retrieval.build.ask_json import ask_json
    from retrieval.build.ask_query import starting_queries
    from retrieval.catalog.name_letters import name_remarks
    from retrieval.catalog.recipes import Recipes, load_recipes
    from retrieval.cohort import Cohort, cohort_json, cohort_of, stream_cohort
    from retrieval.core.errors import BadInput, RetrievalError, StageUnavailable
    from retrieval.core.known import Fact
    from retrieval.core.pages import Page
    from retrieval.core.stage import Edge, Graph, Node, StageResult
    from retrieval.core.types import Candidate, Filters, Fit, Query, ScanInfo, Tool
    from retrieval.core.why import Why
    from retrieval.dense.documents import DocumentFacts
    from retrieval.engine import Answer, Engine
    from retrieval.explain import Explained, Place, contributions
    from retrieval.fit import (
        PURPOSES,
        SYSTEMS,
        Machine,
        Purpose,
        freshness,
        licence_fit,
        machine_fit,
    )
    from retrieval.graph.querying import Rows
    from retrieval.llm import Outgoing
    from retrieval.plan import Plan, PlanStep, plan_of
    from retrieval.plan_export import plan_cwl, plan_json
    from retrieval.query import parse_query
    from retrieval.reasons import explained_json, similar_json, what_if_json
    from retrieval.recipe import Recipe, conversion_first, recipe_json, recipe_of
    from retrieval.replay import Changed, Rank, Replayed, replay_bytes, replay_json
    from retrieval.rerun import Move, WhatIf
    from retrieval.scans import Halt, Partial, Progress, read_cohort, stream_scans, stream_subjects
    from retrieval.serialise import drawn, scan_json, to_json
    from retrieval.settings import Settings, read_settings
    from retrieval.similar import Alike, Difference, Similar, Wanted
    from retrieval.web import Offer, WebAnswer, WebSearch, bibtex, evidence_markdown

__all__ = [
    "PURPOSES",
    "SYSTEMS",
    "Alike",
    "Answer",
    "AskDesk",
    "Asked",
    "Asking",
    "BadInput",
    "Candidate",
    "Changed",
    "Clarification",
    "Cohort",
    "Difference",
    "DocumentFacts",
    "Edge",
    "Engine",
    "Explained",
    "Fact",
    "Filters",
    "Fit",
    "Graph",
    "Halt",
    "Machine",
    "Move",
    "Node",
    "Offer",
    "Option",
    "Outgoing",
    "Page",
    "Partial",
    "Place",
    "Plan",
    "PlanStep",
    "Progress",
    "Purpose",
    "Query",
    "Rank",
    "Recipe",
    "Recipes",
    "Replayed",
    "RetrievalError",
    "Rows",
    "ScanInfo",
    "Settings",
    "Similar",
    "StageResult",
    "StageUnavailable",
    "Tool",
    "Wanted",
    "WebAnswer",
    "WebSearch",
    "WhatIf",
    "Why",
    "ask_json",
    "bibtex",
    "cohort_json",
    "cohort_of",
    "contributions",
    "conversion_first",
    "drawn",
    "evidence_markdown",
    "explained_json",
    "freshness",
    "licence_fit",
    "load_recipes",
    "machine_fit",
    "name_remarks",
    "open_asking",
    "open_engine",
    "open_web",
    "parse_query",
    "plan_cwl",
    "plan_json",
    "plan_of",
    "read_cohort",
    "read_settings",
    "recipe_json",
    "recipe_of",
    "replay_bytes",
    "replay_json",
    "scan_json",
    "similar_json",
    "starting_queries",
    "stream_cohort",
    "stream_scans",
    "stream_subjects",
    "to_json",
    "what_if_json",
]

_PLACES = {
    "retrieval.agents": ("Clarification", "Option"),
    "retrieval.build.ask": ("Asked", "Asking"),
    "retrieval.build.ask_desk": ("AskDesk",),
    "retrieval.build.ask_json": ("ask_json",),
    "retrieval.build.ask_query": ("starting_queries",),
    "retrieval.cohort": ("Cohort", "cohort_json", "cohort_of", "stream_cohort"),
    "retrieval.scans": (
        "Halt",
        "Partial",
        "Progress",
        "read_cohort",
        "stream_scans",
        "stream_subjects",
    ),
    "retrieval.core.errors": ("BadInput", "RetrievalError", "StageUnavailable"),
    "retrieval.core.known": ("Fact",),
    "retrieval.core.pages": ("Page",),
    "retrieval.core.stage": ("Edge", "Graph", "Node", "StageResult"),
    "retrieval.core.types": ("Candidate", "Filters", "Fit", "Query", "ScanInfo", "Tool"),
    "retrieval.core.why": ("Why",),
    "retrieval.dense.documents": ("DocumentFacts",),
    "retrieval.engine": ("Answer", "Engine"),
    "retrieval.explain": ("Explained", "Place", "contributions"),
    "retrieval.replay": ("Changed", "Rank", "Replayed", "replay_bytes", "replay_json"),
    "retrieval.rerun": ("Move", "WhatIf"),
    "retrieval.fit": (
        "PURPOSES",
        "SYSTEMS",
        "Machine",
        "Purpose",
        "freshness",
        "licence_fit",
        "machine_fit",
    ),
    "retrieval.llm": ("Outgoing",),
    "retrieval.query": ("parse_query",),
    "retrieval.graph.querying": ("Rows",),
    "retrieval.plan": ("Plan", "PlanStep", "plan_of"),
    "retrieval.plan_export": ("plan_cwl", "plan_json"),
    "retrieval.catalog.name_letters": ("name_remarks",),
    "retrieval.catalog.recipes": ("Recipes", "load_recipes"),
    "retrieval.recipe": ("Recipe", "conversion_first", "recipe_json", "recipe_of"),
    "retrieval.reasons": ("explained_json", "similar_json", "what_if_json"),
    "retrieval.similar": ("Alike", "Difference", "Similar", "Wanted"),
    "retrieval.serialise": ("drawn", "scan_json", "to_json"),
    "retrieval.settings": ("Settings", "read_settings"),
    "retrieval.web": ("Offer", "WebAnswer", "WebSearch", "bibtex", "evidence_markdown"),
}


def __getattr__(name: str) -> object:
    """Names are looked up when they are first used, so that a reader process starts at once."""
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(place), name)
    raise AttributeError(f"module 'retrieval' has no attribute {name!r}")


def open_engine(settings: Settings | None = None, *, load: bool = True) -> Engine:
    """An engine over the configured catalog; its adapters are imported here, not before.

    Without ``load`` nothing is loaded before ``Engine.load`` or the first query asks for it.
    """
    from retrieval.build import open_engine as opened

    return opened(settings, load=load)


def open_asking(settings: Settings) -> Asking:
    """Questions over the configured catalog's graph; the graph is read here, not before."""
    from retrieval.build.ask_opening import open_asking as opened

    return opened(settings)


def open_web(settings: Settings | None = None) -> WebSearch:
    """Web and literature search over the configured services; nothing is sent until it is run."""
    from retrieval.build.web import open_web as opened

    return opened(settings)
