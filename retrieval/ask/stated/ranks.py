"""Superlatives: the tool with the newest or oldest date, with the most or fewest values of a field.

They rest on what records state: who states nothing is not compared, and equals are named together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from retrieval.ask.stated.conversions import PAIR
from retrieval.ask.stated.joint import CHANGES, DATES
from retrieval.ask.stated.scope import FIELDS

if TYPE_CHECKING:
    from retrieval.ask.marked_text import Marked
    from retrieval.core import Step
    from retrieval.graph import FactBase

Extreme = Literal["newest", "oldest", "most", "fewest"]
EXTREMES: tuple[Extreme, ...] = ("newest", "oldest", "most", "fewest")

COUNTED = {
    cue: FIELDS[cue]
    for cue in ("platform", "language", "interface", "modality", "anatomy", "dimension")
}
"""Fields with lists of values, by the cue that names one; that of formats the verb says."""
OF_FORMATS = {"accepts": "accepts", "produces": "produces", "converts": PAIR}

BESIDE = 2
"""Most characters between *most* and the field: "the most tools" counts no values of a tool."""

FOLLOWING = 4
"""Tools after the first ones that are named with their dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """The extreme that is asked for; the relations lead to dates, or to the values to count."""

    extreme: Extreme
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Tools from the extreme on, each with its date or count; the first ``best`` are equal.

    ``compared`` tools state a value, ``silent`` ones none.
    """

    rows: tuple[tuple[str, str], ...]
    best: int
    compared: tuple[str, ...]
    silent: int


def rank_of(marked: Marked, form: str, limited: bool) -> Rank | None:
    """The superlative of a question that asks for tools; None where no field is to be ranked.

    ``limited``: the tools are those of a constraint, be they called tools or not.
    """
    extremes = [(e, c) for e in EXTREMES for c in marked.cues if c.kind == e]
    if (
        form != "select"
        or len(extremes) != 1
        or marked.years
        or not (limited or marked.has("tools"))
    ):
        return None
    extreme, cue = extremes[0]
    if extreme in ("newest", "oldest"):
        return Rank(extreme=extreme, relations=DATES if marked.has(*CHANGES) else DATES[:1])
    named = {
        kind: r for kind, r in COUNTED.items() if marked.near(kind, cue.start, cue.end, BESIDE)
    }
    if marked.near("formats", cue.start, cue.end, BESIDE):
        named = {kind: r for kind, r in OF_FORMATS.items() if marked.has(kind)}
    return Rank(extreme=extreme, relations=tuple(named.values())) if len(named) == 1 else None


def ranking(base: FactBase, tools: Sequence[str], rank: Rank) -> Ranking:
    """The tools that state a value, best first; equal ones by name."""
    dates = rank.extreme in ("newest", "oldest")
    values: dict[str, tuple[str, int]] = {}
    for tool in tools:
        if steps := steps_of(base, tool, rank):
            latest = max(base.label(step[2]) for step in steps) if dates else ""
            values[tool] = (latest, 0 if dates else len(steps))
    names = sorted(values, key=lambda tool: base.label(tool).casefold())
    names.sort(key=lambda tool: values[tool], reverse=rank.extreme in ("newest", "most"))
    best = sum(values[tool] == values[names[0]] for tool in names)
    shown = names[: best + (FOLLOWING if dates else 0)]
    return Ranking(
        rows=tuple((tool, values[tool][0] or str(values[tool][1])) for tool in shown),
        best=best,
        compared=tuple(names),
        silent=len(tools) - len(names),
    )


def steps_of(base: FactBase, tool: str, rank: Rank) -> list[Step]:
    """What a record states under the relations of a rank."""
    return [(tool, r, node) for r in rank.relations for node in base.tails(tool, r, stated=True)]
