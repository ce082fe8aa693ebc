"""Explanations as JSON: contributions, questions back, what-if, similar tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.dialogue import Clarification, NearMiss, Relaxation
from retrieval.engine import Answer
from retrieval.explain import (
    Alike,
    Explained,
    Move,
    Place,
    Similar,
    WhatIf,
    contributions,
    matched,
    ranks,
)

Json = dict[str, Any]


def reasons_json(answer: Answer) -> dict[str, Json]:
    """Per candidate: contributions that add up to its score, matches, its rank at each stage."""
    places, near = ranks(answer.result), answer.done and answer.low_confidence
    reasons: dict[str, Json] = {}
    for candidate in answer.candidates:
        match = matched(candidate, answer.insight.concepts)
        reasons[candidate.tool.id] = {
            "score": candidate.score,
            "contributions": [
                {"stage": s.stage, "value": s.value} for s in contributions(candidate)
            ],
            "matched": {"terms": list(match.terms), "concepts": list(match.concepts)},
            "ranks": places.get(candidate.tool.id, {}),
            "scores": dict(candidate.scores),
            "near_miss": near,
        }
    return reasons


def clarification_json(clarification: Clarification | None) -> Json | None:
    """A question back with its ready queries, whose wording it has, and the model's usage."""
    if clarification is None:
        return None
    options = [
        {
            "label": o.label,
            "adds": o.adds,
            "tools": o.tools,
            "query": o.query,
            "effect": o.effect,
            "first": o.first,
        }
        for o in clarification.options
    ]
    return {
        "question": clarification.question,
        "context": clarification.context,
        "options": options,
        "wording": clarification.wording,
        "note": clarification.note,
        "usage": usage_json(clarification.metrics),
    }


def usage_json(metrics: Mapping[str, float]) -> Json | None:
    """Calls, tokens, cost and milliseconds of a language model, or None without a call."""
    return {k[4:]: v for k, v in metrics.items() if k.startswith("llm_")} or None


def asked_lines(clarification: Clarification | None) -> list[str]:
    """A question back for a terminal: every answer with the text that searches for it."""
    if clarification is None:
        return []
    rows = [
        f"  {o.label:40.40} {o.tools:4} tools  search: {o.query}" for o in clarification.options
    ]
    note = [f"  (in its own words: {clarification.note})"] if clarification.note else []
    return [clarification.question, *rows, *note, ""]


def insight_json(answer: Answer) -> Json:
    """Confidence, what to relax, near misses and suggestions, each present, null or empty."""
    insight = answer.insight
    judged = insight.confidence
    return {
        "confidence": None
        if judged is None
        else {
            "score": judged.score,
            "abstains": judged.abstains,
            "signals": {"near": judged.near, **judged.signals},
            "named": judged.named,
            "other_data": judged.other_data,
        },
        "relax": [_relaxation(r) for r in insight.relax],
        "near_misses": [_near_miss(m) for m in insight.near_misses],
        "suggestions": [
            {"task": s.task, "tools": s.tools, "text": s.text, "examples": list(s.examples)}
            for s in insight.suggestions
        ],
    }


def _relaxation(one: Relaxation) -> Json:
    return {
        "constraint": one.constraint,
        "field": one.field,
        "value": one.value,
        "frees": one.frees,
        "examples": list(one.examples),
    }


def _near_miss(miss: NearMiss) -> Json:
    blocked = [{"constraint": kind, "field": name} for kind, name in miss.blocked_by]
    relax = blocked[0] if len(blocked) == 1 else None
    return {"id": miss.tool.id, "name": miss.tool.name, "blocked_by": blocked, "relax": relax}


def explained_json(explained: Explained) -> Json:
    """What became of one tool, with its place in every list."""
    return {
        "asked": explained.text,
        "id": explained.tool.id if explained.tool else None,
        "name": explained.tool.name if explained.tool else None,
        "fate": explained.fate,
        "stage": explained.stage,
        "reasons": list(explained.reasons),
        "rank": explained.rank,
        "places": [_place(p) for p in explained.places],
        "did_you_mean": list(explained.did_you_mean),
    }


def _place(place: Place) -> Json:
    return {
        "stage": place.stage,
        "rank": place.rank,
        "score": place.score,
        "length": place.length,
        "cut_off": place.cut_off,
    }


def what_if_json(change: WhatIf) -> Json:
    """A lever, the two final lists as ranks, and the tools that moved."""
    return {
        "lever": change.lever,
        "mode": change.mode,
        "before": {m.id: m.before for m in change.moves if m.before is not None},
        "after": {m.id: m.after for m in change.moves if m.after is not None},
        "moved": [_move(m) for m in change.moved],
    }


def _move(move: Move) -> Json:
    up = move.before - move.after if move.before and move.after else None
    return {
        "id": move.id,
        "name": move.name,
        "before": move.before,
        "after": move.after,
        "change": up,
    }


def similar_json(similar: Similar) -> Json:
    """A tool and its neighbours, each with what is shared and a table of differences."""
    return {
        "id": similar.tool.id,
        "name": similar.tool.name,
        "similar": [_alike(n, one) for n, one in enumerate(similar.neighbours, start=1)],
        "notes": list(similar.notes),
    }


def _alike(rank: int, one: Alike) -> Json:
    candidate = one.candidate
    return {
        "rank": rank,
        "id": candidate.tool.id,
        "name": candidate.tool.name,
        "url": candidate.tool.url or candidate.tool.repo,
        "score": candidate.score,
        "contributions": [{"stage": s.stage, "value": s.value} for s in contributions(candidate)],
        "path": next((w.text for w in candidate.why if w.kind == "path"), None),
        "shared": list(one.shared),
        "same_suite": one.same_suite,
        "differences": [
            {"field": d.field, "this": list(d.this), "other": list(d.other)}
            for d in one.differences
        ],
    }
