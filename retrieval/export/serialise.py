"""The one place that writes an answer as JSON, for the command line, the API and exports."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, fields
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from retrieval.core import Candidate, Filters, Graph, ScanInfo, StageResult, Tool
from retrieval.engine import Answer
from retrieval.export.reasons import (
    asked_lines,
    clarification_json,
    insight_json,
    reasons_json,
    usage_json,
)
from retrieval.query import IN_PART
from retrieval.rerank import RETRIEVAL, TASTE_MOVED
from retrieval.settings import ROOT

if TYPE_CHECKING:
    from retrieval.scans import Partial, Refusal, Upload

Json = dict[str, Any]


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
    listed = list(enumerate(answer.candidates, start=1))
    data = reasons_json(answer)
    return {
        "query": _query(answer),
        "stages": [_stage(node) for node in answer.result.stages()],
        "candidates": [{**_candidate(n, c), **data[c.tool.id]} for n, c in listed],
        "graph": _graph(drawn(answer.result)),
        "metadata": _metadata(answer),
        "clarification": clarification_json(answer.clarification),
        "refused": [refusal_json(r) for r in answer.refused],
        **insight_json(answer),
    }


def _query(answer: Answer) -> Json:
    query = answer.query
    terms = query.expansion or next(
        (n.state.query.expansion for n in answer.result.walk() if n.state.query.expansion), ()
    )
    taste_moved = any(n.metrics.get(TASTE_MOVED) for n in answer.result.walk())
    return {
        "raw": query.raw.encode("utf-8", "replace").decode("utf-8"),
        "text": query.text,
        "search_text": query.search_text,
        "tokens": list(query.tokens),
        "excluded": list(query.excluded),
        "rerank": query.rerank,
        "refine": query.refine,
        "reading": list(query.reading),
        "expansion": [{"term": t.term, "similarity": t.similarity} for t in terms],
        "filters": {f.name: sorted(getattr(query.filters, f.name)) for f in fields(Filters)},
        "off": sorted(query.off),
        "muted_tokens": sorted(query.muted_tokens),
        "top_k": query.top_k,
        "scans": [
            # Complete enough to search with it again.
            {**_scan(scan), "channels": scan.channels, "units": scan.units}
            for scan in query.scans
        ],
        # The visitor's choices are private: exported only where they changed a rank.
        "liked": list(query.liked) if taste_moved else [],
        "disliked": list(query.disliked) if taste_moved else [],
    }


def _stage(node: StageResult) -> Json:
    listed = node.state.candidates if node.ran else ()
    return {
        "name": node.name,
        "status": node.status,
        "note": node.note,
        "elapsed_ms": round(node.elapsed_ms, 3),
        "usage": usage_json(node.metrics),
        "candidates": [
            {"id": c.tool.id, "name": c.tool.name, "rank": rank, "score": c.score}
            for rank, c in enumerate(listed, start=1)
        ],
    }


def _candidate(rank: int, candidate: Candidate) -> Json:
    tool = candidate.tool
    fits = candidate.fit
    return {
        "rank": rank,
        "id": tool.id,
        "name": tool.name,
        "description": tool.description,
        "url": tool.url or tool.repo,
        "keywords": list(tool.keywords),
        "license": tool.license,
        "supporting_data": supporting_data(tool),
        "retrieval_score": candidate.scores.get(RETRIEVAL, candidate.score),
        "why": [
            {"kind": w.kind, "stage": w.stage, "text": w.text, "value": w.value}
            for w in candidate.why
        ],
        "fit": None
        if fits is None
        else [{"fact": f.fact, "verdict": f.verdict, "scan": f.scan, "tool": f.tool} for f in fits],
    }


def supporting_data(tool: Tool) -> Json:
    """The facts of S1-25; null where nobody stated one."""
    return {
        "modalities": [str(m) for m in tool.modalities] or None,
        "dimensions": [str(d) for d in tool.dimensions] or None,
        "formats": [str(f) for f in tool.formats_in] or None,
        "demo_url": tool.demo_url,
    }


def drawn(result: StageResult) -> Graph:
    """The last graph that a stage of the tree attached, or an empty one."""
    graphs = [node.graph for node in result.walk() if node.graph is not None]
    return graphs[-1] if graphs else Graph()


def _graph(graph: Graph) -> Json:
    return {
        "nodes": [
            {"id": n.id, "label": n.label, "kind": n.kind, "role": n.role} for n in graph.nodes
        ],
        "edges": [
            {"source": e.source, "target": e.target, "kind": e.kind, "weight": e.weight}
            for e in graph.edges
        ],
    }


def _metadata(answer: Answer) -> Json:
    budget = answer.result.state.budget
    return {
        "mode": answer.mode.name,
        "catalog_sha256": answer.catalog_sha256,
        "encoder": answer.mode.encoder,
        "settings": dict(answer.settings),
        "version": version(),
        "total_latency_ms": round(answer.total_ms, 3),
        "load_ms": round(answer.load_ms, 3),
        "fallbacks": _fallbacks(answer),
        "limits": [asdict(one) for one in answer.limits],
        "reason": answer.reason,
        "low_confidence": answer.low_confidence,
        "outside_calls": [{"purpose": p, "host": host} for p, host in answer.outside],
        "metrics": _metrics(answer),
        "usage": budget.used.metrics() if budget else {},
        "agentic": answer.agentic.as_json() if answer.agentic else None,
    }


def _fallbacks(answer: Answer) -> list[Json]:
    """Where something stood in for something else, with the reason."""
    fallbacks: list[Json] = [
        {"stage": stage, "used": used, "reason": reason}
        for stage, used, reason in answer.mode.notices
    ]
    if not answer.result.ran:
        nothing = {"stage": answer.mode.name, "used": "nothing", "reason": answer.result.note}
        fallbacks.append(nothing)
    for node in answer.result.walk():
        if node.status == "fallback":
            ran = [c.name.rsplit("/", 1)[-1] for c in node.children if c.ran]
            used = ", ".join(ran) or "the part that was compared"
            fallbacks.append({"stage": node.name, "used": used, "reason": node.note})
        elif node.status == "failed":
            fallbacks.append({"stage": node.name, "used": "the list before", "reason": node.note})
    clarification = answer.clarification
    if clarification is not None and clarification.note:
        fallbacks.append(
            {"stage": "clarification", "used": "its own words", "reason": clarification.note}
        )
    if not all(scan.complete for scan in answer.query.scans):
        fallbacks.append({"stage": "scan", "used": "the files that were read", "reason": IN_PART})
    return fallbacks


def _metrics(answer: Answer) -> Json:
    """Per-query figures (S1-30): how many, how similar, what reranking and expansion did."""
    candidates = answer.candidates

    def figures(name: str) -> list[float]:
        return [n.metrics[name] for n in answer.result.walk() if name in n.metrics]

    cosines, changes = figures("mean_similarity"), figures("top_score_change")
    terms = figures("expansion_terms")
    return {
        "candidates": len(candidates),
        "few_candidates": len(candidates) < 8,
        "average_similarity": cosines[-1] if cosines else None,
        "rerank_top_score_change": changes[-1] if changes else None,
        "expansion_terms": int(terms[-1]) if terms else 0,
    }


def partial_json(partial: Partial | None) -> Json | None:
    """Where a reading was cut short, in numbers and in words; null where it was not."""
    names = ("read", "of", "cause", "text")
    return {name: getattr(partial, name) for name in names} if partial else None


def refusal_json(refusal: Refusal) -> Json:
    """Which path and file it was, counted from 1, and why."""
    return {"index": refusal.index, "member": refusal.member, "reason": refusal.reason}


def scan_json(upload: Upload) -> Json:
    """What files are: tokens, a series each, what was refused; ``partial`` where cut short."""
    return {
        "tokens": list(upload.tokens),
        "scans": [_scan(scan) for scan in upload.scans],
        "refused": [refusal_json(r) for r in upload.refused],
        **({"partial": partial_json(upload.partial)} if upload.partial else {}),
    }


def _scan(scan: ScanInfo) -> Json:
    return {
        "format": scan.format,
        "modality": scan.modality,
        "dimension": scan.dimension,
        "body_part": scan.body_part,
        "sequence": scan.sequence,
        "shape": list(scan.shape),
        "spacing": None if scan.spacing is None else list(scan.spacing),
        "files": scan.files,
        "notes": list(scan.notes),
    }


def table(answer: Answer) -> str:
    """The answer for a terminal: what to know beforehand, tools, then one line a stage."""
    lines = [f"{answer.query.search_text or '(no text)'}  [{answer.mode.name}]"]
    lines += [*_remarks(answer), ""]
    for rank, c in enumerate(answer.candidates, start=1):
        lines.append(f"{rank:3}. {c.tool.name:32.32} {c.score:8.4f}  {c.tool.license or '-'}")
        lines.append(f"     {c.tool.description[:110]}")
    lines += ["", *asked_lines(answer.clarification)]
    for node in answer.result.stages():
        count = len(node.state.candidates) if node.ran else 0
        lines.append(
            f"{node.name:28} {node.status:9} {count:4} {node.elapsed_ms:8.1f} ms  {node.note}"
        )
    return "\n".join(lines)


def _remarks(answer: Answer) -> list[str]:
    """Files that were not read, by position, limits reached, doubt about the whole answer."""
    remarks = [
        f"not read: file {r.index}{f', part {r.member}' if r.member else ''}: {r.reason}"
        for r in answer.refused
    ]
    remarks += [f"limit: {limit.text}" for limit in answer.limits]
    return [*remarks, f"doubtful: {answer.reason.replace('_', ' ')}"] if answer.reason else remarks
