"""A stage that gives every candidate a number of its own and finds none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import Column, rounded
from retrieval.core.stage import Stage, StageResult, finish, progress
from retrieval.core.types import Candidate, State


class Scorer(ABC):
    """Scores the candidates that are there; ``kind`` is that of the reason a score is, if any."""

    name: str
    kind = ""

    @abstractmethod
    def values(self, state: State) -> Sequence[float]:
        """One score a candidate, in their order; raises StageUnavailable when there is none."""

    def column(self, state: State) -> Column:
        """The scores, rounded, of the candidates of a state."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        return Column(state.path, state.candidates, rounded(self.values(state)), self.kind)

    def run(self, state: State) -> StageResult:
        """The same candidates in the order of their scores."""
        made = self.column(state).made
        return StageResult(name=self.name, state=replace(state, candidates=made))


class _Numbers:
    """A scorer that is asked for its column alone."""

    def __init__(self, scorer: Scorer) -> None:
        self.name, self._scorer = scorer.name, scorer
        self.column: Column | None = None

    def run(self, state: State) -> StageResult:
        self.column = self._scorer.column(state)
        return StageResult(name=self.name, state=state)


def asked(scorer: Stage, state: State) -> tuple[StageResult, Sequence[Candidate]]:
    """What became of a scorer, and its list: of a Scorer a column, so that none is made in vain.

    The candidates of the result are those that were there.
    """
    if not isinstance(scorer, Scorer):
        part = finish(progress(scorer, state))
        return part, part.state.candidates
    numbers = _Numbers(scorer)
    part = finish(progress(numbers, state))
    return part, numbers.column or ()
