"""The stage that orders tools by whether their records state the conversion that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

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

Standing = Literal["pair", "writes", "silent", "others"]

GAINS: dict[Standing, float] = {"pair": 1.3, "writes": 0.3, "silent": 0.0, "others": -0.3}
"""What a tool gains by what its record states of the conversion, as a part of the list's span of
scores: the pair itself; reading the one format and writing the other, which may be for other data;
nothing of the output, or the output made of other formats; other outputs alone. The first is a
whole span ahead of all others; a third of one leaves the order to words and meanings where records
state less."""

CONVERT = "conversion_stated"
"""Metric: candidates that state the pair."""

APART = frozenset({"image", "label", "contour", "metadata"})
"""What one pair carries and another does not; reads, streamlines and such go by their formats."""


NO_IMAGES = frozenset({codes.Format.DICOM_SEG, codes.Format.RTSTRUCT})
"""Kinds of DICOM files that no image becomes."""

CONVERTS, MAIN_TASKS = "conversion", 2
"""The task of a converter, and how many of its first tasks say what a tool is for."""


@dataclass(frozen=True)
class ConversionStage:
    """Raises tools that state the pair of formats which is asked for, and lowers others.

    Words and meanings are the same in both directions: "write an RTSTRUCT from a NIfTI mask" met
    a tool for the opposite first. ``goal_of`` reads the pair from the text of a query, and from
    its files where the text names their goal alone; the goal where nothing says from what.
    ``written_as`` is the format in which a record states that its tool writes another one, such as
    a DICOM-SEG as DICOM; None where it states none. No tool is added or lost.
    """

    goal_of: Callable[[Query], codes.Conversion | codes.Format | None]
    written_as: Callable[[Tool, codes.Format], codes.Format | None]
    name: str = "conversion"

    def run(self, state: State) -> StageResult:
        """The same candidates; as they came where no format is asked for."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        goal = self.goal_of(state.query)
        if goal is None:
            note = "no conversion is named"
            return StageResult(name=self.name, state=state, note=note, listed=False)
        standings = [self._standing(candidate.tool, goal) for candidate in state.candidates]
        span = spread(state.candidates, self.name)
        moved = [
            _moved(state.path, candidate, goal, standing, span * GAINS[standing])
            for candidate, standing in zip(state.candidates, standings, strict=True)
        ]
        counts = Counter(standings)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked(moved)),
            note=_note(counts, goal),
            metrics={CONVERT: counts["pair"]},
            listed=len(counts) > 1,
        )

    def _standing(self, tool: Tool, goal: codes.Conversion | codes.Format) -> Standing:
        """What a record states of a conversion; other outputs stand against the tool alone.

        A goal alone may belong to another task ("segment the liver, save it as DICOM SEG"): it
        counts against converters, which do nothing else.
        """
        others: Standing = "others" if tool.formats_out or tool.converts else "silent"
        if not isinstance(goal, codes.Conversion):
            is_weighed = CONVERTS in tool.tasks[:MAIN_TASKS] and not self.written_as(tool, goal)
            return others if is_weighed else "silent"
        if states(tool, goal):
            return "pair"
        output = self.written_as(tool, goal.after)
        if output is None or (goal.what == "image" and output in NO_IMAGES):
            return others
        return "writes" if goal.before in tool.formats_in else "silent"


def states(tool: Tool, pair: codes.Conversion) -> bool:
    """Whether a record states a pair of formats for this kind of data."""
    return any(
        (one.before, one.after) == (pair.before, pair.after) and _carries(one.what, pair.what)
        for one in tool.converts
    )


def _carries(stated: str, requested_kind: str) -> bool:
    """Whether what a pair carries is what was asked."""
    return stated == requested_kind or stated not in APART


def _note(counts: Counter[Standing], goal: codes.Conversion | codes.Format) -> str:
    """How many of the list state the pair, write its second format, or others alone."""
    if not isinstance(goal, codes.Conversion):
        return f"converters of the list that state other outputs than {goal}: {counts['others']}"
    notes = [f"{counts['pair'] or 'none'} of the list state {_words(goal)}"]
    if counts["writes"]:
        notes.append(f"{counts['writes']} reading {goal.before} and writing {goal.after}")
    if counts["others"]:
        notes.append(f"{counts['others']} other outputs than {goal.after} alone")
    return ", ".join(notes)


def _moved(
    path: str,
    candidate: Candidate,
    goal: codes.Conversion | codes.Format,
    standing: Standing,
    gain: float,
) -> Candidate:
    """The candidate with what it gains or loses, and why; its score alone where it states none."""
    if standing == "silent":
        return candidate.scored(path, candidate.score)
    text = f"Its record states {_stated(candidate.tool, goal, standing)}"
    why = Why(kind="conversion", stage=path, text=text, value=round(gain, 6))
    return candidate.scored(path, candidate.score + round(gain, 6), why)


def _stated(tool: Tool, goal: codes.Conversion | codes.Format, standing: Standing) -> str:
    """What a record states, in words."""
    if not isinstance(goal, codes.Conversion):
        return f"other outputs than {goal}"
    if standing == "pair":
        return _words(goal)
    if standing == "writes":
        return f"reading {goal.before} and writing {goal.after}, not this conversion"
    is_back = any((c.after, c.before) == (goal.before, goal.after) for c in tool.converts)
    return f"{goal.after} to {goal.before} only" if is_back else f"other outputs than {goal.after}"


def _words(pair: codes.Conversion) -> str:
    what = "" if pair.what == "image" else f" for {pair.what}s"
    return f"{pair.before} to {pair.after}{what}"
