"""The last order: a model's where one reranks, else, or by ``[NO_RERANK]``, the order so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.core import (
    Candidate,
    Candidates,
    Combinator,
    FirstOf,
    Stage,
    StageResult,
    State,
    list_size,
)

RETRIEVAL = "retrieval"
"""Key of the score a candidate had before reranking."""

NOT_ASKED = "[NO_RERANK]: no re-ranking model was asked"
NONE_TO_LEAVE_OUT = "[NO_RERANK]: there is nothing to leave out, as no re-ranking model is here"


@dataclass(frozen=True)
class KeepOrder:
    """Reranks nothing: the incoming list is cut; order and scores stay."""

    limit: int | None = 15
    name: str = "order so far"
    listed: bool = True

    def run(self, state: State) -> StageResult:
        """The first candidates of the incoming list."""
        cut = tuple(state.candidates)[: list_size(state, self.limit)]
        after = replace(state, candidates=cut)
        note = f"kept the {self.name}"
        return StageResult(name=self.name, state=after, note=note, listed=self.listed)


@dataclass(frozen=True)
class RerankSwitch(Combinator):
    """The first of the ``models`` that can rerank, else ``keep``.

    ``[NO_RERANK]`` leaves out the models and nothing else: ``keep`` gives the list, as it does
    where no model can run. Every candidate is stamped with the score of the ``retrieval`` stage,
    so that it stays known after reranking; with the incoming score where that is left empty.
    """

    models: Sequence[Stage]
    keep: Stage
    retrieval: str = ""
    configured: bool = True
    name: str = "rerank"

    def stream(self, state: State) -> Iterator[StageResult]:
        """The list as it grows; skipped where the query wants no model."""
        own = {c.tool.id: self._own(c) for c in state.candidates}
        firsts = ((c, own[c.tool.id]) for c in state.candidates)
        stamps = {c.tool.id: c.score if first is None else first for c, first in firsts}
        options = [*self.models, self.keep] if state.query.rerank else [self.keep]
        for part in FirstOf(self.name, options).stream(state):
            stamped = _stamped(part, part.state.candidates, stamps)
            if state.query.rerank:
                yield stamped
            else:
                note = NOT_ASKED if self.configured else NONE_TO_LEAVE_OUT
                yield replace(stamped, status="skipped", note=f"{note}; {part.note}".rstrip("; "))

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
