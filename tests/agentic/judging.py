"""What tests of agentic retrieval share: answers of a model, and the mode over SMALL."""

from __future__ import annotations

import json
from dataclasses import replace

from msgspec import structs

from retrieval.agentic.config import AgenticConfig
from retrieval.agentic.report import agentic_report
from retrieval.core.stage import finish, progress
from retrieval.core.types import State
from retrieval.query.parse import select
from retrieval.wiring.agentic import AgenticMode
from retrieval.wiring.parts import Sizes
from tests.fakes import make_query, small_parts

ENOUGH = json.dumps({"is_sufficient": True, "reasoning": "all there", "missing_info": []})
MORE = json.dumps(
    {"is_sufficient": False, "reasoning": "no atlas", "missing_info": ["registration", "atlas"]}
)
QUERIES = json.dumps(
    {"queries": ["register images to an atlas", "measure lung volume"], "strategy": "by step"}
)
PARTS = small_parts()


def mode(*, config=None, model_only=True, **parts):
    told = replace(PARTS, **parts)
    return AgenticMode(
        parts=told,
        sizes=Sizes(),
        config=config or AgenticConfig(),
        model_only=model_only,
    ).pipeline()


def asked(text="segment lungs", *, deadline=None, query=None, **how):
    """The result tree and its report."""
    query = query or make_query(text)
    state = State(query=query, selection=select(PARTS.tools.values(), query))
    state = structs.replace(state, deadline=deadline) if deadline else state
    result = finish(progress(mode(**how), state, root=True))
    return result, agentic_report(result)
