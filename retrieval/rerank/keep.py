"""The order that retrieval gave, cut to size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from retrieval.core import Candidate, StageResult, State, list_size


def _as_they_are(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    return candidates


@dataclass(frozen=True)
class KeepOrder:
    """Reranks nothing: the incoming list, in ``order``, is cut; no score changes."""

    limit: int | None = 15
    order: Callable[[Sequence[Candidate]], Sequence[Candidate]] = _as_they_are
    name: str = "fused order"
    listed: bool = True

    def run(self, state: State) -> StageResult:
        """The first candidates of the incoming list."""
        shown = tuple(self.order(state.candidates))[: list_size(state, self.limit)]
        after = replace(state, candidates=shown)
        note = f"kept the {self.name}"
        return StageResult(name=self.name, state=after, note=note, listed=self.listed)


def by_score(name: str) -> Callable[[Sequence[Candidate]], Sequence[Candidate]]:
    """An order by the latest score of the stages of a name, best first, ties by id; 0 for none.

    When that stage scored no candidate, because it could not run, the order stays as it is.
    """

    def order(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if all(c.score_by(name) is None for c in candidates):
            return candidates
        return sorted(candidates, key=lambda c: (-(c.score_by(name) or 0.0), c.tool.id))

    return order
