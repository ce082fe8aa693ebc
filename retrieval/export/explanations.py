"""Explanations as JSON: what became of a tool, a lever that is off, tools like another one."""

from __future__ import annotations

from dataclasses import asdict

from retrieval.explain import Explained, Move, Similar, WhatIf, contributions
from retrieval.export.parts import Json
from retrieval.fit import input_needs
from retrieval.planning import NoRecipe, Recipe


def explained_json(explained: Explained, recipe: Recipe | NoRecipe | None = None) -> Json:
    """What became of one tool, with its place in every list, its recipe or why it has none."""
    tool = explained.tool
    return {
        "asked": explained.text,
        "id": tool.id if tool else None,
        "name": tool.name if tool else None,
        "fate": explained.fate,
        "stage": explained.stage,
        "reasons": list(explained.reasons),
        "rank": explained.rank,
        "places": [asdict(place) for place in explained.places],
        "did_you_mean": list(explained.did_you_mean),
        "input": list(input_needs(tool.needs)) if tool else [],
        "recipe": _recipe(recipe) if isinstance(recipe, Recipe) else None,
        "no_recipe": recipe.reason if isinstance(recipe, NoRecipe) else None,
    }


def _recipe(recipe: Recipe) -> Json:
    """The text to copy and how to get its tool; the day it ran on a sample, or why it did not."""
    return {
        "title": recipe.title,
        "kind": recipe.kind,
        "text": recipe.text,
        "install": recipe.install or None,
        "missing": {one.shown: one.what for one in recipe.missing},
        "outputs": list(recipe.outputs),
        "ran_on": recipe.ran_on.isoformat() if recipe.ran_on else None,
        "not_run": recipe.not_run,
        "sources": list(recipe.sources),
    }


def what_if_json(change: WhatIf) -> Json:
    """A lever, the two final lists as ranks, and the tools that moved; ``change`` is upwards."""

    def up(move: Move) -> int | None:
        return move.before - move.after if move.before and move.after else None

    return {
        "lever": change.lever,
        "mode": change.mode,
        "before": {m.id: m.before for m in change.moves if m.before is not None},
        "after": {m.id: m.after for m in change.moves if m.after is not None},
        "moved": [{**asdict(move), "change": up(move)} for move in change.moved],
    }


def similar_json(similar: Similar) -> Json:
    """A tool and its neighbours, each with what is shared and a table of differences."""
    neighbours = []
    for rank, one in enumerate(similar.neighbours, start=1):
        candidate, tool = one.candidate, one.candidate.tool
        neighbours.append(
            {
                "rank": rank,
                "id": tool.id,
                "name": tool.name,
                "url": tool.url or tool.repo,
                "score": candidate.score,
                "contributions": [asdict(share) for share in contributions(candidate)],
                "path": next((w.text for w in candidate.why if w.kind == "path"), None),
                "shared": list(one.shared),
                "same_suite": one.same_suite,
                "differences": [
                    {"field": d.field, "this": list(d.this), "other": list(d.other)}
                    for d in one.differences
                ],
            }
        )
    return {
        "id": similar.tool.id,
        "name": similar.tool.name,
        "similar": neighbours,
        "notes": list(similar.notes),
    }
