"""Stages that score the candidates that are there and add none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import Column, rounded
from retrieval.core.stage import StageResult
from retrieval.core.types import State


class Scorer(ABC):
    """Gives every candidate a score; ``kind`` is the kind of the reason it adds, empty for none."""

    name: str
    kind = ""

    @abstractmethod
    def values(self, state: State) -> Sequence[float]:
        """One score per candidate, in their order; raises StageUnavailable when it cannot score."""

    def run(self, state: State) -> StageResult:
        """The same candidates as a Column: best first, scores rounded to six decimals."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        column = Column(state.path, state.candidates, rounded(self.values(state)), self.kind)
        return StageResult(name=self.name, state=replace(state, candidates=column))
