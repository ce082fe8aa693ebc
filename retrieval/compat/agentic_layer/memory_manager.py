"""Agentic retrieval as an awaitable call that answers in plain data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from time import perf_counter
from typing import Any

from retrieval.agentic import AgenticConfig, agentic_report
from retrieval.core import (
    BadInput,
    Candidate,
    Query,
    Selection,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    finish,
    progress,
)
from retrieval.export import supporting_data
from retrieval.llm import LanguageModel
from retrieval.query import parse_query, select
from retrieval.settings import read_settings
from retrieval.wiring import CATALOG, FUSION, LIGHT, AgenticMode, Collections, Parts, all_modes

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    query: Query
    group_id: str | None
    parts: Parts
    note: str | None
    days: int | None
    today: date

    def state(self) -> State:
        chosen = select(self.parts.tools.values(), self.query)
        if self.days is not None:
            fresh = _released(self.parts.tools.values(), self.today - timedelta(days=self.days))
            keep = fresh if chosen.keep is None else fresh & chosen.keep
            chosen = Selection(keep=keep, drop=chosen.drop)
        return State(query=self.query, selection=chosen)


class MemoryManager:
    """Retrieval over the catalog or a named collection; nothing is loaded before the first call.

    ``group_id`` names a collection (see Collections). A name that is none searches the catalog,
    and the metadata say so. ``time_range_days`` keeps tools released so many days ago or less;
    a tool whose last release nobody stated is then left out.
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

        Without a provider, after a failure or a time-out, the result is the plain search's.
        ``user_id`` is taken and not used: tools belong to nobody. Raises BadInput for an empty
        query; StageUnavailable where the configuration asks for no fallback.
        """
        config = _sized(agentic_config, top_k)

        def work() -> Json:
            start = perf_counter()
            asked = self._asked(query, group_id, top_k, time_range_days)
            parts = replace(asked.parts, language_model=llm_provider)
            sizes = self._open().sizes
            mode = AgenticMode(
                parts=parts, sizes=sizes, weights=FUSION, config=config, model_only=True
            )
            result = finish(progress(mode.pipeline(), asked.state(), root=True))
            return _answer(asked, result, (perf_counter() - start) * 1000)

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
            asked = self._asked(query, group_id, top_k, time_range_days)
            mode = all_modes(asked.parts, self._open().sizes)[retrieval_mode]
            result = finish(progress(mode.pipeline, asked.state(), root=True))
            told = {"retrieval_mode": retrieval_mode, "final_count": len(result.state.candidates)}
            return _told(asked, result, told, (perf_counter() - start) * 1000)

        return await asyncio.to_thread(work)

    def _open(self) -> Collections:
        if self._collections is None:
            self._collections = Collections(read_settings())
        return self._collections

    def _asked(self, text: str, group_id: str | None, top_k: int, days: int | None) -> _Asked:
        query = parse_query(text, top_k=top_k)
        if not query.text:
            raise BadInput("query: nothing to look for; say what you want to do")
        if days is not None and days < 0:
            raise BadInput(f"time_range_days: {days} is below 0")
        known = self._open().names
        name = group_id if group_id in known else CATALOG
        note = None
        if group_id and group_id != name:
            note = f"no collection is named {group_id[:40]!r}; the catalog was searched"
        parts = self._open().parts(name or CATALOG)
        return _Asked(
            query=query,
            group_id=group_id,
            parts=parts,
            note=note,
            days=days,
            today=self._today(),
        )


def _sized(config: AgenticConfig | None, top_k: int) -> AgenticConfig:
    """The configuration given; else the default one, its lists long enough for ``top_k``."""
    if config is not None:
        return config
    plain = AgenticConfig()
    wanted = max(top_k, plain.final_top_n)
    return replace(plain, final_top_n=wanted, round1_top_n=max(wanted, plain.round1_top_n))


def _answer(asked: _Asked, result: StageResult, total_ms: float) -> Json:
    lost = next((n for n in result.walk() if n.name == "agentic" and not n.ran), None)
    report = agentic_report(result, total_ms)
    if lost is not None or report is None:
        raise StageUnavailable((lost or result).note or "agentic retrieval gave no result")
    return _told(asked, result, report.as_json(), total_ms)


def _told(asked: _Asked, result: StageResult, metadata: Json, total_ms: float) -> Json:
    found = result.state.candidates
    told = {**metadata, "total_latency_ms": round(total_ms, 3), "group_note": asked.note}
    return {
        "memories": [_memory(c, asked.group_id) for c in found],
        "count": len(found),
        "metadata": told,
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


def _released(tools: Iterable[Tool], since: date) -> frozenset[str]:
    """Tools released on that day or later; a release of which only the month is known counts."""
    day = since.isoformat()
    return frozenset(
        t.id for t in tools if t.last_release and t.last_release >= day[: len(t.last_release)]
    )
