"""``[NO_RERANK]``: the order of retrieval itself, and no time spent on another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from retrieval.core import (
    Candidate,
    Candidates,
    Combinator,
    Stage,
    StageResult,
    State,
    list_size,
    ranked,
)

RETRIEVAL = "retrieval"
"""Key of the score a candidate had before reranking."""


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
        before = {c.tool.id: c.score for c in state.candidates}
        if state.query.rerank:
            for part in _streamed(self.reranker, state):
                yield self._with_candidates(part, part.state.candidates, before)
            return
        listed = [c for c in state.candidates if not self.retrieval or self._own(c) is not None]
        ordered = ranked(
            replace(c, score=self._own(c) or 0.0) if self.retrieval else c for c in listed
        )
        note = f"[NO_RERANK]: the order of {self.retrieval or 'retrieval'}"
        part = StageResult(name=self.name, state=state, status="skipped", note=note)
        yield self._with_candidates(part, ordered[: list_size(state, self.limit)], before)

    def _with_candidates(
        self, part: StageResult, candidates: Candidates, before: Mapping[str, float]
    ) -> StageResult:
        """A result with these candidates, each under the score that it had before."""
        stamped = tuple(self._stamped(c, before.get(c.tool.id, c.score)) for c in candidates)
        return replace(part, state=replace(part.state, candidates=stamped))

    def _stamped(self, candidate: Candidate, before: float) -> Candidate:
        own = self._own(candidate)
        return Candidate(
            tool=candidate.tool,
            score=candidate.score,
            scores={**candidate.scores, RETRIEVAL: before if own is None else own},
            why=candidate.why,
            fit=candidate.fit,
        )

    def _own(self, candidate: Candidate) -> float | None:
        """The score of the retrieval stage, or of the option that stood in for it."""
        scores, path = candidate.scores, self.retrieval
        if path in scores:
            return scores[path]
        return next((v for name, v in scores.items() if path and name.startswith(f"{path}/")), None)


def _streamed(stage: Stage, state: State) -> Iterator[StageResult]:
    if isinstance(stage, Combinator):
        yield from stage.stream(state)
    else:
        yield stage.run(state)
