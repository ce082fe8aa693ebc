"""Agentic rounds within a time limit, with the plain search as fallback."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Combinator,
    Deadline,
    Stage,
    StageResult,
    StageUnavailable,
    State,
    Status,
    finish,
    progress,
)

logger = logging.getLogger("retriever.agentic")

GRACE = 5.0
"""Seconds for the plain search after the time limit of the rounds has passed."""

NO_CANDIDATES = "no candidates were found"
KEPT = "the list of the first round stands unjudged"
SEARCHED_AGAIN = "the request itself was searched again"
TIMEOUT, FAILURE = "LLM API timeout", "LLM API call failed"
_LATE = ("no answer within", "was used up", "timed out", "timeout")


@dataclass(frozen=True)
class Agentic(Combinator):
    """The rounds within a time limit; the list of the plain search when they fail.

    ``light`` is the plain search; where a stage of its name ran in the first round, its list is
    used and nothing is computed again. ``missing`` is a reason not to start the rounds at all.
    Raises StageUnavailable with the reason of a failure when ``fallback`` is off.
    """

    rounds: Stage
    light: Stage
    seconds: float = 60.0
    limit: int | None = 20
    fallback: bool = True
    missing: str = ""
    name: str = "agentic"

    def stream(self, state: State) -> Iterator[StageResult]:
        """Partial results of the rounds, then the final list, or the plain list with the reason."""
        if self.missing:
            yield self._lightened(state, (), self.missing)
            return
        limited = Deadline(min(Deadline.after(self.seconds).at, state.deadline.at))
        query = replace(state.query, top_k=None)
        inner = replace(state, query=query, deadline=limited, path=state.path.rpartition("/")[0])
        last = StageResult(name=self.name, state=state)
        for part in progress(self.rounds, inner):
            outer = replace(part.state, query=state.query, deadline=state.deadline, path=state.path)
            last = replace(part, state=outer, listed=False)
            yield StageResult(name=self.name, state=outer, children=(last,))
        reason = _reason(last)
        if reason:
            yield self._lightened(state, (last,), reason)
        else:
            note = _unusable_replies(last)
            status: Status = "fallback" if note else "ok"
            yield replace(self._cut(last.state, (last,)), status=status, note=note)

    def _cut(self, state: State, parts: tuple[StageResult, ...]) -> StageResult:
        size = state.query.top_k if state.query.top_k is not None else self.limit
        shortened = replace(state, candidates=state.candidates[:size])
        return StageResult(name=self.name, state=shortened, children=parts)

    def _lightened(self, state: State, parts: tuple[StageResult, ...], reason: str) -> StageResult:
        logger.warning("The plain search answers instead of the rounds: %s", reason)
        if not self.fallback:
            raise StageUnavailable(reason)
        suffix = f"/{self.light.name}"
        # The plain search's list of the first round, if the rounds came so far.
        nodes = (node for part in parts for node in part.walk() if node.name.endswith(suffix))
        plain = next((node for node in nodes if node.ran and node.state.candidates), None)
        if plain is None:
            late = replace(state, deadline=Deadline.after(GRACE))
            plain = finish(progress(self.light, late))
            parts = (*parts, plain)
        if not plain.ran:
            return replace(self._cut(state, parts), status=plain.status, note=plain.note)
        light = replace(state, candidates=plain.state.candidates, evidence=plain.state.evidence)
        return replace(self._cut(light, parts), status="fallback", note=reason)


def _unusable_replies(last: StageResult) -> str:
    """Which replies of the judge's model could not be used and what stands instead, or nothing."""
    instead = {"judge": KEPT, "refine": SEARCHED_AGAIN}
    names = ((node.name.rsplit("/", 1)[-1], node) for node in last.walk())
    unusable = ((name, node.note) for name, node in names if node.status == "fallback")
    return "; ".join(f"{note}; {instead[name]}" for name, note in unusable if name in instead)


def _reason(last: StageResult) -> str:
    """Why the rounds did not end well, in words; empty when they did."""
    if last.status == "ok" or not last.ran:
        return last.note if not last.ran else ("" if last.state.candidates else NO_CANDIDATES)
    if not last.state.candidates:
        return NO_CANDIDATES
    if not any(n.name.endswith("/judge") and not n.ran for n in last.walk()):
        return last.note
    kind = TIMEOUT if any(word in last.note for word in _LATE) else FAILURE
    return f"{kind}: {last.note}"
