"""``[NO_RERANK]``: the order of retrieval itself, and no time spent on another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.core.combine import Combinator
from retrieval.core.stage import Stage, StageResult
from retrieval.core.types import RETRIEVAL, Candidate, State, ranked
from retrieval.rerank.keep import size


@dataclass(frozen=True)
class RerankSwitch(Combinator):
    """The reranker, unless the query says no; then the list of the ``retrieval`` stage.

    ``retrieval`` is the path of the stage whose scores order the list: candidates without one
    (a tool that only the graph found) are left out, and what later stages did to the order
    does not count (S1-06). Left empty, the incoming order is the order. Every candidate is
    stamped with that score, so that it stays known after reranking.
    """

    reranker: Stage
    retrieval: str
    limit: int | None = 15
    name: str = "rerank"

    def stream(self, state: State) -> Iterator[StageResult]:
        """The reranker's result as it grows, or one skipped result."""
        stamped = tuple(self._stamped(c) for c in state.candidates)
        if state.query.rerank:
            yield from _streamed(self.reranker, replace(state, candidates=stamped))
            return
        held = [c for c in stamped if not self.retrieval or self._own(c) is not None]
        found = ranked(replace(c, score=c.scores[RETRIEVAL]) for c in held)
        kept = replace(state, candidates=found[: size(state, self.limit)])
        note = f"[NO_RERANK]: the order of {self.retrieval or 'retrieval'}"
        yield StageResult(name=self.name, state=kept, status="skipped", note=note)

    def _stamped(self, candidate: Candidate) -> Candidate:
        own = self._own(candidate)
        score = candidate.score if own is None else own
        return Candidate(
            tool=candidate.tool,
            score=candidate.score,
            scores={**candidate.scores, RETRIEVAL: score},
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
