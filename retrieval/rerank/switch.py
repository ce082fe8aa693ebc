"""The order of retrieval: cut to size where nothing reranks, or asked for by ``[NO_RERANK]``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.core import (
    Candidate,
    Candidates,
    Combinator,
    Stage,
    StageResult,
    State,
    list_size,
    parts_of,
    ranked,
)

RETRIEVAL = "retrieval"
"""Key of the score a candidate had before reranking."""

Order = Callable[[Sequence[Candidate]], Sequence[Candidate]]


@dataclass(frozen=True)
class KeepOrder:
    """Reranks nothing: the incoming list, in ``order`` if there is one, is cut; scores stay."""

    limit: int | None = 15
    order: Order | None = None
    name: str = "fused order"
    listed: bool = True

    def run(self, state: State) -> StageResult:
        """The first candidates of the incoming list."""
        candidates = self.order(state.candidates) if self.order else state.candidates
        after = replace(state, candidates=tuple(candidates)[: list_size(state, self.limit)])
        note = f"kept the {self.name}"
        return StageResult(name=self.name, state=after, note=note, listed=self.listed)


def by_score(name: str) -> Order:
    """An order by the latest score of the stages of a name, best first, ties by id; 0 for none.

    When that stage scored no candidate, because it could not run, the order stays as it is.
    """

    def order(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        if all(c.score_by(name) is None for c in candidates):
            return candidates
        return sorted(candidates, key=lambda c: (-(c.score_by(name) or 0.0), c.tool.id))

    return order


@dataclass(frozen=True)
class RerankSwitch(Combinator):
    """The reranker, unless the query says no; then the list of the ``retrieval`` stage.

    ``retrieval`` is the name of the stage beside this one whose scores order the list: candidates
    without one (a tool that only the graph found) are left out, and what later stages did to
    the order does not count (S1-06). Left empty, the incoming order is the order. Every
    candidate is stamped with that score, so that it stays known after reranking.
    """

    reranker: Stage
    retrieval: str
    limit: int | None = 15
    name: str = "rerank"

    def stream(self, state: State) -> Iterator[StageResult]:
        """The reranker's result as it grows, or one skipped result."""
        stamps: dict[str, float] = {}
        listed: list[Candidate] = []
        for candidate in state.candidates:
            own = self._own(candidate)
            stamps[candidate.tool.id] = candidate.score if own is None else own
            if own is not None:
                listed.append(replace(candidate, score=own))
        if state.query.rerank:
            for part in parts_of(self.reranker, state):
                yield _stamped(part, part.state.candidates, stamps)
            return
        note = f"[NO_RERANK]: the order of {self.retrieval or 'retrieval'}"
        part = StageResult(name=self.name, state=state, status="skipped", note=note)
        yield _stamped(part, ranked(listed)[: list_size(state, self.limit)], stamps)

    def _own(self, candidate: Candidate) -> float | None:
        """The score of the retrieval stage, or of the option that stood in for it."""
        scores, name = candidate.scores, self.retrieval
        if not name or name in scores:
            return scores[name] if name else candidate.score
        return next((v for path, v in scores.items() if path.startswith(f"{name}/")), None)


def _stamped(part: StageResult, candidates: Candidates, stamps: Mapping[str, float]) -> StageResult:
    """A result with these candidates, each with the score that it had before reranking."""
    stamped = (
        replace(c, scores={**c.scores, RETRIEVAL: stamps.get(c.tool.id, c.score)})
        for c in candidates
    )
    return replace(part, state=replace(part.state, candidates=tuple(stamped)))
