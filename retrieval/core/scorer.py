"""Stages that score the candidates that are there and add none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import Column, rounded
from retrieval.core.stage import Stage, StageResult, finish, progress
from retrieval.core.types import Candidate, State


class Scorer(ABC):
    """Gives every candidate a score; ``kind`` is the kind of the reason it adds, empty for none."""

    name: str
    kind = ""

    @abstractmethod
    def values(self, state: State) -> Sequence[float]:
        """One score per candidate, in their order; raises StageUnavailable when it cannot score."""

    def column(self, state: State) -> Column:
        """The scores of a state's candidates, rounded to six decimals."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        return Column(state.path, state.candidates, rounded(self.values(state)), self.kind)

    def run(self, state: State) -> StageResult:
        """The same candidates in the order of their scores."""
        scored = self.column(state).value
        return StageResult(name=self.name, state=replace(state, candidates=scored))


class _ColumnOnly:
    """Runs a scorer for its column, so that no scored candidate is built."""

    def __init__(self, scorer: Scorer) -> None:
        self.name, self._scorer = scorer.name, scorer
        self.column: Column | None = None

    def run(self, state: State) -> StageResult:
        self.column = self._scorer.column(state)
        return StageResult(name=self.name, state=state)


def score_list(scorer: Stage, state: State) -> tuple[StageResult, Sequence[Candidate]]:
    """A scorer's result and its list; the list of a Scorer is a Column, empty if it did not run.

    For a Scorer, the candidates of the result are the incoming ones.
    """
    if not isinstance(scorer, Scorer):
        part = finish(progress(scorer, state))
        return part, part.state.candidates
    column_only = _ColumnOnly(scorer)
    part = finish(progress(column_only, state))
    return part, column_only.column or ()
