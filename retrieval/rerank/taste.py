"""What a visitor chose and excluded before, as a small and visible weight on the list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    ranked,
    spread,
)

TASTE_MOVED = "taste_moved"
"""The stage's figure: how many ranks it changed."""

WEIGHT = 0.3
"""What a remembered tool wins or loses at most, as a part of the list's span of scores."""

ALIKE = 0.4
"""The part of it that a tool gets for being like the tools that are liked."""

SUITE = 0.5
"""How much of a likeness the same suite is; the rest is the part of tasks that are shared."""


@dataclass(frozen=True)
class Taste:
    """Raises liked tools and, less, those like them; lowers disliked ones; leaves none out.

    A tool like a disliked one loses nothing: one tool that does not suit says little of others.
    Where no rank changes, the list stays as it came, scores and reasons included.
    """

    tools: Mapping[str, Tool]
    weight: float = WEIGHT
    name: str = "taste"

    def run(self, state: State) -> StageResult:
        """The same candidates ranked again; as they came where nothing is remembered."""
        query = state.query
        if self.name in query.off:
            raise StageUnavailable("switched off for this search")
        if not (query.liked or query.disliked):
            return StageResult(name=self.name, state=state, note="no taste is kept", listed=False)
        if not state.candidates:
            raise StageUnavailable("no candidate to weigh")
        weighed = ranked(self._weighed(state))
        pairs = zip(state.candidates, weighed, strict=True)
        moved = sum(before.tool.id != after.tool.id for before, after in pairs)
        remembered = len({*query.liked, *query.disliked})
        return StageResult(
            name=self.name,
            state=replace(state, candidates=weighed) if moved else state,
            note=f"{remembered} remembered, {moved} ranks changed",
            metrics={TASTE_MOVED: moved},
        )

    def _weighed(self, state: State) -> Iterable[Candidate]:
        query, unit = state.query, self.weight * spread(state.candidates, "fit")
        liked = [self.tools[id] for id in query.liked if id in self.tools]
        for candidate in state.candidates:
            text, part = _judged(candidate.tool, query.liked, query.disliked, liked)
            if not part:
                yield candidate.scored(state.path, candidate.score)
                continue
            share = round(unit * part, 6)
            why = Why(kind="taste", stage=state.path, text=text, value=share)
            yield candidate.scored(state.path, candidate.score + share, why)


def _judged(
    tool: Tool, liked: Sequence[str], disliked: Sequence[str], liked_tools: Sequence[Tool]
) -> tuple[str, float]:
    """A reason and a part from -1 to 1; what was disliked is never liked as well."""
    if tool.id in disliked:
        return "You excluded it before", -1.0
    if tool.id in liked:
        return "You chose it before", 1.0
    near = min(liked_tools, key=lambda one: (-likeness(tool, one), one.id), default=tool)
    part = likeness(tool, near) if near is not tool else 0.0
    return (f"Like {near.name}, which you chose before", ALIKE * part) if part else ("", 0.0)


def likeness(tool: Tool, other: Tool) -> float:
    """0 to 1: half for the same suite, half for the tasks of both (Jaccard)."""
    both, any_ = set(tool.tasks) & set(other.tasks), set(tool.tasks) | set(other.tasks)
    suite = SUITE if tool.suite and tool.suite == other.suite else 0.0
    return suite + (1 - SUITE) * (len(both) / len(any_) if any_ else 0.0)
