"""An answer as JSON and as a table, for the command line, the API and exports."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from retrieval.core import Filters, Graph, StageResult, Tool
from retrieval.engine import Answer
from retrieval.explain import contributions, matched, ranks
from retrieval.export.parts import Json, ScanPart
from retrieval.export.schema import (
    CandidatePart,
    ConfidencePart,
    FilterPart,
    Listed,
    MetadataPart,
    NearMissPart,
    QueryPart,
    QuestionPart,
    RefusalPart,
    SearchJson,
    StagePart,
    TermPart,
)
from retrieval.fit import summary_of
from retrieval.graph import with_stated_links
from retrieval.query import IN_PART, LEARNED
from retrieval.rerank import RETRIEVAL, TASTE_MOVED
from retrieval.settings import ROOT

if TYPE_CHECKING:
    from retrieval.dialogue import Clarification, NearMiss

FEW_CANDIDATES = 8
"""Candidates below which a search covers its request poorly, as source 001 has it."""


@cache
def version() -> str | None:
    """The version of this library, as installed or as its folder says; None where neither does."""
    try:
        return metadata.version("scanscout")
    except metadata.PackageNotFoundError:
        path = ROOT / "pyproject.toml"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        stated = tomllib.loads(text).get("project", {}).get("version")
        return None if stated is None else str(stated)


def to_json(answer: Answer) -> Json:
    """The answer as plain data; keys may be added later, never renamed or retyped."""
    return search_json(answer).json_data()


def search_json(answer: Answer) -> SearchJson:
    """The answer in the schema of its JSON."""
    judged = answer.insight.confidence
    clarification, graph = answer.clarification, drawn(answer.result)
    return SearchJson.of(
        answer.insight,
        query=_query(answer),
        stages=tuple(map(_stage, answer.result.stages())),
        candidates=tuple(_candidates(answer)),
        # Plain rows: a graph that is computed on first access holds them elsewhere.
        graph=Graph(nodes=graph.nodes, edges=graph.edges),
        metadata=_metadata(answer, clarification),
        clarification=clarification
        and QuestionPart.of(clarification, usage=_usage(clarification.metrics)),
        refused=tuple(map(RefusalPart.of, answer.refused)),
        confidence=judged
        and ConfidencePart.of(judged, signals={"near": judged.near, **judged.signals}),
        near_misses=list(map(_near_miss, answer.insight.near_misses)),
    )


def _query(answer: Answer) -> QueryPart:
    query = answer.query
    # Later stages append to the terms of earlier ones, so the longest list holds all.
    terms = max((n.state.query.expansion for n in answer.result.walk()), key=len, default=())
    filters = {f.name: tuple(sorted(getattr(query.filters, f.name))) for f in fields(Filters)}
    # The visitor's choices are private: exported only where they changed ranks or the search.
    used = (n.metrics.get(name) for n in answer.result.walk() for name in (TASTE_MOVED, LEARNED))
    taste_moved = any(used)
    return QueryPart.of(
        query,
        raw=query.raw.encode("utf-8", "replace").decode("utf-8"),
        expansion=tuple(map(TermPart.of, terms)),
        filters=FilterPart.of(None, **filters),
        unmatched=dict(answer.unmatched),
        off=tuple(sorted(query.off)),
        muted_tokens=tuple(sorted(query.muted_tokens)),
        scans=tuple(map(ScanPart.of, query.scans)),
        liked=query.liked if taste_moved else (),
        disliked=query.disliked if taste_moved else (),
        understood=(*query.wishes, *answer.insight.parts),
    )


def _stage(node: StageResult) -> StagePart:
    candidates = node.state.candidates if node.ran else ()
    return StagePart.of(
        node,
        elapsed_ms=round(node.elapsed_ms, 3),
        usage=_usage(node.metrics),
        candidates=tuple(
            Listed(id=c.tool.id, name=c.tool.name, rank=rank, score=c.score)
            for rank, c in enumerate(candidates, start=1)
        ),
    )


def _usage(metrics: Mapping[str, float]) -> dict[str, float] | None:
    """Calls, tokens, cost and milliseconds of a language model, or None without a call."""
    return {k[4:]: v for k, v in metrics.items() if k.startswith("llm_")} or None


def _candidates(answer: Answer) -> Iterator[CandidatePart]:
    """The list with contributions that add up to each score, and the ranks at every stage."""
    tool_ids = {candidate.tool.id for candidate in answer.candidates}
    places, gap = ranks(answer.result, tool_ids), answer.insight.gap
    near_miss = answer.done and (answer.low_confidence or bool(gap.parts))
    for rank, (candidate, score) in enumerate(
        zip(answer.candidates, answer.shown_scores, strict=True), 1
    ):
        tool = candidate.tool
        yield CandidatePart.of(
            candidate,
            rank=rank,
            id=tool.id,
            name=tool.name,
            description=tool.description,
            url=tool.url or tool.repo,
            keywords=tool.keywords,
            license=tool.license,
            supporting_data=supporting_data(tool),
            score=score,
            retrieval_score=score,
            fused_score=candidate.scores.get(RETRIEVAL, candidate.score),
            contributions=contributions(candidate, score),
            matched=matched(candidate, answer.insight.concepts),
            ranks=places.get(tool.id, {}),
            scores=dict(candidate.scores),
            near_miss=near_miss,
            lacks=gap.lacks(tool.id),
            verdict=summary_of(candidate.fit),
            why=tuple(candidate.why),
        )


def supporting_data(tool: Tool) -> Json:
    """The facts of S1-25; null where nobody stated one."""
    return {
        "modalities": [str(m) for m in tool.modalities] or None,
        "dimensions": [str(d) for d in tool.dimensions] or None,
        "formats": [str(f) for f in tool.formats_in] or None,
        "demo_url": tool.demo_url,
    }


def drawn(result: StageResult) -> Graph:
    """The last graph that a stage of the tree attached, or an empty one.

    With every link that the records of the answer's tools state among its nodes.
    """
    graphs = [node.graph for node in result.walk() if node.graph is not None]
    tools = (candidate.tool for candidate in result.state.candidates)
    return with_stated_links(graphs[-1], tools) if graphs else Graph()


def _near_miss(miss: NearMiss) -> NearMissPart:
    blocked = [{"constraint": kind, "field": name} for kind, name in miss.blocked_by]
    relax = blocked[0] if len(blocked) == 1 else None
    return NearMissPart.of(miss.tool, blocked_by=blocked, relax=relax)


def _metadata(answer: Answer, clarification: Clarification | None) -> MetadataPart:
    budget = answer.result.state.budget
    return MetadataPart.of(
        answer,
        mode=answer.mode.name,
        encoder=answer.mode.encoder,
        settings=dict(answer.settings),
        sizes=dict(answer.sizes),
        version=version(),
        total_latency_ms=round(answer.total_ms, 3),
        load_ms=round(answer.load_ms, 3),
        fallbacks=list(_fallbacks(answer, clarification)),
        outside_calls=[{"purpose": purpose, "host": host} for purpose, host in answer.outside],
        wishes=_wishes(answer),
        metrics=_metrics(answer),
        ledger=[asdict(reading) for reading in answer.ledger],
        usage=budget.used.metrics() if budget else {},
        notes=(*answer.insight.notes, *filter(None, (answer.insight.filtered_out,))),
        unmet=answer.insight.gap.unmet,
        gap=answer.gap_words or None,
        agentic=answer.agentic.as_json() if answer.agentic else None,
    )


def _wishes(answer: Answer) -> Json | None:
    """How many tools the wishes hide and how many state nothing, and those left aside."""
    effect = answer.wishes
    if effect is None:
        return None
    counts = {"hidden": effect.hidden, "unstated": effect.unstated}
    return {**counts, "contradicting": [wish.value for wish in effect.aside]}


def _fallbacks(answer: Answer, clarification: Clarification | None) -> Iterator[dict[str, str]]:
    """Where something stood in for something else, with the reason."""
    for stage, used, reason in answer.mode.notices:
        yield _fallback(stage, used, reason)
    if not answer.result.ran:
        yield _fallback(answer.mode.name, "nothing", answer.result.note)
    for node in answer.result.walk():
        if node.status == "fallback":
            ran = [c.name.rsplit("/", 1)[-1] for c in node.children if c.ran]
            used = ", ".join(ran) or "the part that was compared"
            yield _fallback(node.name, used, node.note)
        elif node.status == "failed":
            yield _fallback(node.name, "the list before", node.note)
    yield from (_fallback(f.part, "nothing", f.reason) for f in answer.insight.faults)
    if clarification is not None and clarification.note:
        yield _fallback("clarification", "its own words", clarification.note)
    if not all(scan.complete for scan in answer.query.scans):
        yield _fallback("scan", "the files that were read", IN_PART)


def _fallback(stage: str, used: str, reason: str) -> dict[str, str]:
    return {"stage": stage, "used": used, "reason": reason}


def _metrics(answer: Answer) -> Json:
    """Per-query figures (S1-30): how many, how similar, what reranking and expansion did.

    The similarity is the mean cosine of what the request itself found, not a broader try. A list
    that the query cut below FEW_CANDIDATES by its own number is not few.
    """

    def figures(name: str) -> list[float]:
        return [n.metrics[name] for n in answer.result.walk() if name in n.metrics]

    cosines, changes = figures("mean_similarity"), figures("top_score_change")
    terms = figures("expansion_terms")
    few = min(FEW_CANDIDATES, answer.query.top_k or FEW_CANDIDATES)
    return {
        "candidates": len(answer.candidates),
        "few_candidates": len(answer.candidates) < few,
        "average_similarity": cosines[0] if cosines else None,
        "rerank_top_score_change": changes[-1] if changes else None,
        "expansion_terms": int(terms[-1]) if terms else 0,
    }
