"""Why, questions back, what-if and likeness as JSON: what serialise adds to an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.dialogue import Clarification, NearMiss, Relaxation, Suggestion
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
    told: dict[str, Json] = {}
    for candidate in answer.candidates:
        found = matched(candidate, answer.insight.concepts)
        told[candidate.tool.id] = {
            "score": candidate.score,
            "contributions": [
                {"stage": s.stage, "value": s.value} for s in contributions(candidate)
            ],
            "matched": {"terms": list(found.terms), "concepts": list(found.concepts)},
            "ranks": places.get(candidate.tool.id, {}),
            "scores": dict(candidate.scores),
            "near_miss": near,
        }
    return told


def clarification_json(asked: Clarification | None) -> Json | None:
    """A question back with its ready queries, whose words they are, and what asking took."""
    if asked is None:
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
        for o in asked.options
    ]
    return {
        "question": asked.question,
        "context": asked.context,
        "options": options,
        "wording": asked.wording,
        "note": asked.note,
        "usage": usage_json(asked.metrics),
    }


def usage_json(metrics: Mapping[str, float]) -> Json | None:
    """Calls, tokens, cost and milliseconds of a language model, or None where none was asked."""
    return {k[4:]: v for k, v in metrics.items() if k.startswith("llm_")} or None


def asked_lines(asked: Clarification | None) -> list[str]:
    """A question back for a terminal: every answer with the text that searches for it."""
    if asked is None:
        return []
    rows = [f"  {o.label:40.40} {o.tools:4} tools  search: {o.query}" for o in asked.options]
    note = [f"  (in its own words: {asked.note})"] if asked.note else []
    return [asked.question, *rows, *note, ""]


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
        "suggestions": [_suggestion(s) for s in insight.suggestions],
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


def _suggestion(one: Suggestion) -> Json:
    return {"task": one.task, "tools": one.tools, "text": one.text, "examples": list(one.examples)}


def explained_json(told: Explained) -> Json:
    """What became of one tool, with its place in every list."""
    return {
        "asked": told.asked,
        "id": told.tool.id if told.tool else None,
        "name": told.tool.name if told.tool else None,
        "fate": told.fate,
        "stage": told.stage,
        "reasons": list(told.reasons),
        "rank": told.rank,
        "places": [_place(p) for p in told.places],
        "did_you_mean": list(told.did_you_mean),
    }


def _place(place: Place) -> Json:
    return {
        "stage": place.stage,
        "rank": place.rank,
        "score": place.score,
        "length": place.length,
        "cut_off": place.cut_off,
    }


def what_if_json(told: WhatIf) -> Json:
    """A lever, the two final lists as ranks, and the tools that moved."""
    return {
        "lever": told.lever,
        "mode": told.mode,
        "before": {m.id: m.before for m in told.moves if m.before is not None},
        "after": {m.id: m.after for m in told.moves if m.after is not None},
        "moved": [_move(m) for m in told.moved],
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


def similar_json(told: Similar) -> Json:
    """A tool and its neighbours, each with what is shared and a table of differences."""
    return {
        "id": told.tool.id,
        "name": told.tool.name,
        "similar": [_alike(n, one) for n, one in enumerate(told.found, start=1)],
        "notes": list(told.notes),
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
