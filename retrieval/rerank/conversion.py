"""The stage that puts tools first whose records state the conversion that a request names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Query,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    codes,
    ranked,
    spread,
)

RAISED = 1.0
"""What a tool gains whose record states the pair, as a part of the list's span of scores."""

LOWERED = 0.3
"""What a tool loses whose record states pairs, and not this one: the other way round, or of other
data. One that states no pair is not moved: its record says nothing of directions."""

CONVERT = "conversion_stated"
"""Metric: candidates that state the pair."""

APART = frozenset({"image", "label", "contour", "metadata"})
"""What one pair carries and another does not; reads, streamlines and such go by their formats."""


@dataclass(frozen=True)
class ConversionStage:
    """Raises tools that state the pair of formats which is asked for, and lowers others.

    Words and meanings are the same in both directions: "write an RTSTRUCT from a NIfTI mask" met
    a tool for the opposite first. ``asked`` reads the pair from the text of a query, and from its
    files where the text names their goal alone. No tool is added or lost.
    """

    asked: Callable[[Query], codes.Conversion | None]
    name: str = "conversion"

    def run(self, state: State) -> StageResult:
        """The same candidates; as they came where no pair is named or no record states one."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        pair = self.asked(state.query)
        stated = [c.tool.id for c in state.candidates if pair and states(c.tool, pair)]
        if pair is None or not stated:
            note = f"no record found states {_words(pair)}" if pair else "no conversion is named"
            return StageResult(name=self.name, state=state, note=note, listed=False)
        span = spread(state.candidates, self.name)
        moved = [_moved(state.path, c, pair, span) for c in state.candidates]
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked(moved)),
            note=f"{len(stated)} state {_words(pair)}",
            metrics={CONVERT: len(stated)},
        )


def states(tool: Tool, pair: codes.Conversion) -> bool:
    """Whether a record states a pair of formats for this kind of data."""
    return any(
        (one.before, one.after) == (pair.before, pair.after) and _carries(one.what, pair.what)
        for one in tool.converts
    )


def _carries(stated: str, requested_kind: str) -> bool:
    """Whether what a pair carries is what was asked."""
    return stated == requested_kind or stated not in APART


def _moved(path: str, candidate: Candidate, pair: codes.Conversion, span: float) -> Candidate:
    """The candidate with what it gains or loses, and why; its score alone where it states none."""
    pairs = candidate.tool.converts
    if not pairs:
        return candidate.scored(path, candidate.score)
    stated = states(candidate.tool, pair)
    gain = round(span * (RAISED if stated else -LOWERED), 6)
    back = any((one.after, one.before) == (pair.before, pair.after) for one in pairs)
    other = (
        f"{pair.after} to {pair.before} only" if back else f"other conversions than {_words(pair)}"
    )
    text = f"Its record states {_words(pair) if stated else other}"
    why = Why(kind="conversion", stage=path, text=text, value=gain)
    return candidate.scored(path, candidate.score + gain, why)


def _words(pair: codes.Conversion) -> str:
    what = "" if pair.what == "image" else f" for {pair.what}s"
    return f"{pair.before} to {pair.after}{what}"
