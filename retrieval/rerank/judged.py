"""A re-ranking model over the best candidates, and the verdicts of the scan after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Combinator,
    Stage,
    StageResult,
    State,
    finish,
    list_size,
    parts_of,
    progress,
)

READ = 30
"""Candidates that a model reads. A pair costs about 17 ms of one processor, so 30 take half a
second; what stands below is not shown in a list of 15 unless a model turns the list around."""

ABOVE, BELOW = 0.5, 0.49
"""What the model put in order scores from ABOVE to 1, the rest from 0 to BELOW."""


@dataclass(frozen=True)
class ThenVerdicts(Combinator):
    """The model orders the first ``read`` candidates; the others follow in their order.

    After it the ``verdicts`` have the last word: what cannot work on the scan sinks, however well
    a model reads its description. Scores are 0 to 1. ``name`` is the model's.
    """

    name: str
    model: Stage
    verdicts: Stage
    limit: int | None = 15
    read: int = READ

    def stream(self, state: State) -> Iterator[StageResult]:
        """The list after model and verdicts; the model's own result where it did not run."""
        model_input = replace(state, candidates=tuple(state.candidates)[: self.read])
        result = finish(parts_of(self.model, model_input))
        if not result.ran:
            yield replace(result, state=state)
            return
        after = replace(state, candidates=_in_order(state, result.state.candidates))
        part = finish(progress(self.verdicts, after))
        cut = part.state.candidates[: list_size(state, self.limit)]
        children = (*result.children, part) if part.ran else result.children
        yield replace(result, state=replace(state, candidates=cut), children=children)


@dataclass(frozen=True)
class ThenWishes(Combinator):
    """The model orders the candidates as it will; after it scan and wishes have the last word.

    Where there is neither the model's own result stands. ``name`` is the model's.
    """

    name: str
    model: Stage
    wishes: Stage

    def stream(self, state: State) -> Iterator[StageResult]:
        """The list after model, scan and wishes."""
        result = finish(parts_of(self.model, state))
        if not result.ran or not (state.query.wishes or state.query.scans):
            yield result
            return
        part = finish(progress(self.wishes, result.state))
        yield replace(result, state=part.state, children=(*result.children, part))


def _in_order(state: State, model_order: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """What the model put in order, then the rest, with scores that never rise."""
    ids = {c.tool.id for c in model_order}
    rest = [c for c in state.candidates if c.tool.id not in ids]
    above = [ABOVE + (1 - ABOVE) * share for share in _shares(model_order)]
    scores = [*above, *(BELOW * share for share in _shares(rest))]
    pairs = zip((*model_order, *rest), scores, strict=True)
    return tuple(candidate.scored(state.path, score) for candidate, score in pairs)


def _shares(candidates: Sequence[Candidate]) -> list[float]:
    """The scores of a list from 0 to 1; all 1 where they are equal."""
    scores = [c.score for c in candidates]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]
