"""Agentic retrieval as an awaitable call that returns plain data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from time import perf_counter
from typing import Any

from retrieval.agentic import AgenticConfig, JudgePrompts, agentic_report
from retrieval.compat.agentic_layer import agentic_utils
from retrieval.core import (
    BadInput,
    Candidate,
    Selection,
    StageResult,
    StageUnavailable,
    State,
    finish,
    progress,
)
from retrieval.export import supporting_data
from retrieval.llm import LanguageModel
from retrieval.query import parse_query, select
from retrieval.settings import read_settings
from retrieval.wiring import CATALOG, LIGHT, AgenticMode, Collections, Parts, all_modes

Json = dict[str, Any]


class MemoryManager:
    """Retrieval over the catalog or a named collection; nothing is loaded before the first call.

    ``group_id`` names a collection (see Collections). A name that is none searches the catalog,
    and the metadata say so. ``time_range_days`` keeps tools released so many days ago or less;
    a tool without a stated release is then left out.
    """

    def __init__(
        self,
        collections: Collections | None = None,
        *,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._collections, self._today = collections, today

    async def retrieve_agentic(
        self,
        query: str,
        group_id: str | None = None,
        llm_provider: LanguageModel | None = None,
        top_k: int = 20,
        agentic_config: AgenticConfig | None = None,
        *,
        time_range_days: int | None = None,
        user_id: str | None = None,
    ) -> Json:
        """``memories, count, metadata`` of one to two rounds (S4-02).

        Without a provider, and after a failure or a time-out, the result is that of the plain
        search. ``user_id`` is accepted and not used: tools have no owner. Runs in a thread.
        At most ``top_k`` memories, and at most ``final_top_n`` of a configuration that is given,
        with a reranker or without one.
        The prompts of ``agentic_utils`` at the time of the call are used.
        Raises BadInput for an empty query or a prompt that cannot be filled in, and
        StageUnavailable for a failure when the configuration has no fallback.
        """
        config = agentic_config or AgenticConfig()
        if agentic_config is None:
            # The default lists are lengthened so that they can hold ``top_k`` tools.
            longest = max(top_k, config.final_top_n)
            first_round = max(longest, config.round1_top_n)
            config = replace(config, final_top_n=longest, round1_top_n=first_round)

        prompts = JudgePrompts(judge=agentic_utils.JUDGE_PROMPT, refine=agentic_utils.REFINE_PROMPT)

        def work() -> Json:
            start = perf_counter()
            length = min(top_k, config.final_top_n)
            state, parts, note = self._prepared(query, group_id, length, time_range_days)
            parts, sizes = replace(parts, language_model=llm_provider), self._open().sizes
            mode = AgenticMode(
                parts=parts, sizes=sizes, config=config, model_only=True, prompts=prompts
            )
            result = finish(progress(mode.pipeline(), state, root=True))
            total_ms = (perf_counter() - start) * 1000
            lost = next((n for n in result.walk() if n.name == "agentic" and not n.ran), None)
            report = agentic_report(result, total_ms)
            if lost is not None or report is None:
                raise StageUnavailable((lost or result).note or "agentic retrieval gave no result")
            return _reply(result, group_id, {**report.as_json(), "group_note": note}, total_ms)

        return await asyncio.to_thread(work)

    async def retrieve_lightweight(
        self,
        query: str,
        group_id: str | None = None,
        top_k: int = 20,
        retrieval_mode: str = "rrf",
        *,
        time_range_days: int | None = None,
        user_id: str | None = None,
    ) -> Json:
        """``memories, count, metadata`` of one search without a language model (S4-14)."""
        if retrieval_mode not in LIGHT:
            raise BadInput(
                f"retrieval_mode: unknown {retrieval_mode[:40]!r}; choose one of: "
                f"{', '.join(LIGHT)}"
            )

        def work() -> Json:
            start = perf_counter()
            state, parts, note = self._prepared(query, group_id, top_k, time_range_days)
            pipeline = all_modes(parts, self._open().sizes)[retrieval_mode].pipeline
            result = finish(progress(pipeline, state, root=True))
            metadata = {
                "retrieval_mode": retrieval_mode,
                "final_count": len(result.state.candidates),
                "group_note": note,
            }
            return _reply(result, group_id, metadata, (perf_counter() - start) * 1000)

        return await asyncio.to_thread(work)

    def _open(self) -> Collections:
        if self._collections is None:
            self._collections = Collections(read_settings())
        return self._collections

    def _prepared(
        self, text: str, group_id: str | None, top_k: int, days: int | None
    ) -> tuple[State, Parts, str | None]:
        """The state to start from, the parts of the collection, and a note on an unknown group."""
        query = parse_query(text, top_k=top_k)
        if not query.text:
            raise BadInput("query: nothing to look for; say what you want to do")
        if days is not None and days < 0:
            raise BadInput(f"time_range_days: {days} is below 0")
        name, note = group_id or CATALOG, None
        if name not in self._open().names:
            note = f"no collection is named {name[:40]!r}; the catalog was searched"
            name = CATALOG
        parts = self._open().parts(name)
        selection = select(parts.tools.values(), query)
        if days is not None:
            day = (self._today() - timedelta(days=days)).isoformat()
            # A release of which only the month is known counts when the day lies in that month.
            releases = ((t.id, t.last_release) for t in parts.tools.values())
            fresh = frozenset(id for id, last in releases if last and last >= day[: len(last)])
            keep = fresh if selection.keep is None else fresh & selection.keep
            selection = Selection(keep=keep, drop=selection.drop)
        return State(query=query, selection=selection), parts, note


def _reply(result: StageResult, group_id: str | None, metadata: Json, total_ms: float) -> Json:
    candidates = result.state.candidates
    return {
        "memories": [_memory(c, group_id) for c in candidates],
        "count": len(candidates),
        "metadata": {**metadata, "total_latency_ms": round(total_ms, 3)},
    }


def _memory(candidate: Candidate, group_id: str | None) -> Json:
    """The eight keys of S4-06, and the facts of the tool; ``timestamp`` is its last release."""
    tool = candidate.tool
    return {
        "event_id": tool.id,
        "user_id": None,
        "group_id": group_id,
        "timestamp": tool.last_release or "",
        "episode": tool.description,
        "summary": tool.name,
        "subject": ", ".join(tool.tasks) or tool.domain,
        "score": candidate.score,
        "tool": {
            "name": tool.name,
            "url": tool.url or tool.repo,
            "license": tool.license,
            "keywords": list(tool.keywords),
            "supporting_data": supporting_data(tool),
        },
    }
