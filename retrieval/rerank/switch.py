"""The last order: a model's where one reranks, else, or by ``[NO_RERANK]``, the order so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
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
        incoming = {c.tool.id: c for c in state.candidates}
        options = [*self.models, self.keep] if state.query.rerank else [self.keep]
        for part in FirstOf(self.name, options).stream(state):
            stamped = self._stamped(part, incoming)
            if state.query.rerank:
                yield stamped
            else:
                note = NOT_ASKED if self.configured else NONE_TO_LEAVE_OUT
                yield replace(stamped, status="skipped", note=f"{note}; {part.note}".rstrip("; "))

    def _stamped(self, part: StageResult, incoming: Mapping[str, Candidate]) -> StageResult:
        """A result whose candidates, few of the incoming ones, have their score from before."""
        stamped = (
            replace(c, scores={**c.scores, RETRIEVAL: self._before(c, incoming)})
            for c in part.state.candidates
        )
        return replace(part, state=replace(part.state, candidates=tuple(stamped)))

    def _before(self, candidate: Candidate, incoming: Mapping[str, Candidate]) -> float:
        """The score of the retrieval stage, or of the option that stood in for it; else its own."""
        one, name = incoming.get(candidate.tool.id), self.retrieval
        if one is None or not name:
            return (one or candidate).score
        if name in one.scores:
            return one.scores[name]
        of_option = (v for path, v in one.scores.items() if path.startswith(f"{name}/"))
        return next(of_option, one.score)
