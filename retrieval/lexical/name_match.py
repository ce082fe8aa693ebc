"""The stage that puts a tool first whose name was typed, and lifts one named beside a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import Candidate, StageResult, StageUnavailable, State, Tool, Why, ranked
from retrieval.lexical.names import Named, NameIndex

LIFT, STEEP = 0.5, 2.0
"""A tool named beside a task gains this times the share of the words that its name makes, up to
LIFT, of the span of the scores: in a long text a name is rarely what is looked for."""

GAP = 0.01
"""How far a tool whose name is the whole text stands before the rest."""


@dataclass(frozen=True)
class NameMatch:
    """Tools named by the text; the list is as before where it names none.

    Where the text is a name, its tools come first and the rest of the suite behind them.
    """

    index: NameIndex | None
    tools: Mapping[str, Tool]
    name: str = "names"

    def run(self, state: State) -> StageResult:
        """The candidates with what a name gives, tools that were not found before included.

        Tools that were not found before start at the lowest incoming score. Raises StageUnavailable
        where the visitor switched the stage off, and while the names are being read.
        """
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        if self.index is None:
            raise StageUnavailable("the names of this catalog are still being read")
        match = self.index.find(state.query.text) if state.query.text else None
        gains = self._gains(state, match) if match else {}
        if match is None or not gains:
            return StageResult(name=self.name, state=state, note="no name of a tool", listed=False)
        text = f"named {match.name}" + (f" (typed {match.typed})" if match.misspelt else "")
        incoming_ids = {c.tool.id for c in state.candidates}
        low, _ = _span(state.candidates)
        added = [Candidate(tool=self.tools[i], score=low) for i in gains if i not in incoming_ids]
        scored = []
        for one in (*state.candidates, *added):
            gain = gains.get(one.tool.id, 0.0)
            why = Why(kind="name", stage=state.path, text=text, value=round(gain, 6))
            scored.append(one.scored(state.path, one.score + gain, *([why] if gain else [])))
        candidates = ranked(scored)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=candidates),
            note=text,
            metrics={"named": len(gains)},
        )

    def _gains(self, state: State, match: Named) -> dict[str, float]:
        low, high = _span(state.candidates)
        if match.extent == "part":
            lift = min(LIFT, STEEP * match.share) * max(high - low, GAP)
            gains = dict.fromkeys(match.tools, lift)
        else:
            step = high - min(low, 0.0) + GAP
            gains = {**dict.fromkeys(match.suite, step), **dict.fromkeys(match.tools, 2 * step)}
        return {i: g for i, g in gains.items() if i in self.tools and state.selection.admits(i)}


def _span(candidates: Sequence[Candidate]) -> tuple[float, float]:
    scores = [c.score for c in candidates] or [0.0]
    return min(scores), max(scores)
