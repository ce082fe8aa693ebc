"""The same pipeline with uncut lists, or with one stage switched off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import BadInput, Candidate, Query, Stage, State, finish, progress

LEVERS = {"expansion": "expand"}
"""Levers whose stage bears another name in ``Query.off``."""

NAMED_LEVERS = ("tokens", "graph", "fit", "rerank", "expansion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A tool's rank in the final list before and after; None where it is not in it."""

    id: str
    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What one lever does: every tool of either final list, best place first."""

    lever: str
    mode: str
    moves: tuple[Move, ...]

    @property
    def moved(self) -> tuple[Move, ...]:
        """Those whose rank changed, or that came or went."""
        return tuple(m for m in self.moves if m.before != m.after)


def whole_lists(pipeline: Stage, state: State, tools: int) -> dict[str, Sequence[Candidate]]:
    """Every stage's list before it was cut: sources over all tools, the others as they ran.

    The search runs twice: deeper hits of a source are not handed to later stages, so that their
    scores do not change.
    """
    state = replace(state, query=replace(state.query, rerank=False), watched=False)
    uncut = finish(progress(pipeline, replace(state, uncut=True), root=True))
    lists = {node.name: node.state.candidates for node in uncut.stages() if node.ran}
    deeper = finish(progress(pipeline, replace(state, depth=tools), root=True))
    sources = {n.name: n.state.candidates for n in deeper.walk() if n.ran and not n.children}
    return {name: sources.get(name, candidates) for name, candidates in lists.items()}


def without(query: Query, lever: str, stages: Sequence[str] = ()) -> Query:
    """The query with one lever off: one of NAMED_LEVERS or a stage by the end of its name.

    Raises BadInput, naming the levers, for another.
    """
    levers = dict.fromkeys((*NAMED_LEVERS, *(s.rsplit("/", 1)[-1] for s in stages)))
    if lever not in levers:
        raise BadInput(f"lever: unknown lever {lever[:40]!r}; choose one of: {', '.join(levers)}")
    if lever == "rerank":
        return replace(query, rerank=False)
    tokens = () if lever == "tokens" else query.tokens
    return replace(query, tokens=tokens, off=query.off | {LEVERS.get(lever, lever)})


def compared(
    lever: str, mode: str, before: Sequence[Candidate], after: Sequence[Candidate]
) -> WhatIf:
    """The moves from one final list to another."""
    ranks_before = {c.tool.id: n for n, c in enumerate(before, 1)}
    ranks_after = {c.tool.id: n for n, c in enumerate(after, 1)}
    names = {c.tool.id: c.tool.name for c in (*before, *after)}
    moves = [
        Move(id=i, name=n, before=ranks_before.get(i), after=ranks_after.get(i))
        for i, n in names.items()
    ]
    last = len(names) + 1
    order = sorted(moves, key=lambda m: (m.before or last, m.after or last, m.id))
    return WhatIf(lever=lever, mode=mode, moves=tuple(order))
