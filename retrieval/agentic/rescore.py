"""A reranker without a model of its own: the retrieval scorers, applied to all candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.core import (
    Combinator,
    Combine,
    Stage,
    StageResult,
    State,
    Status,
    finish,
    lists_of,
    none_ran,
    progress,
)


@dataclass(frozen=True)
class Rescore(Combinator):
    """Every candidate gets the score of every scorer for the original query.

    Lists of a first stage hold only its best candidates; here no candidate lacks a score.
    ``combine`` merges the lists of the scorers into one, cut to ``limit``.
    """

    name: str
    scorers: Sequence[Stage]
    combine: Combine
    limit: int | None = None

    def stream(self, state: State) -> Iterator[StageResult]:
        """One list when every scorer is done; skipped when none could run."""
        done = tuple(finish(progress(scorer, state)) for scorer in self.scorers)
        if not any(part.ran for part in done):
            yield none_ran(self.name, state, done)
            return
        combined = self.combine(state.path, lists_of(done))
        status: Status = "ok" if all(part.ran for part in done) else "fallback"
        evidence = state.evidence.merged(part.state.evidence for part in done if part.ran)
        after = replace(state, candidates=combined[: self.limit], evidence=evidence)
        note = "; ".join(part.note for part in done if not part.ran)
        children = tuple(replace(part, listed=False) for part in done)
        yield StageResult(name=self.name, state=after, status=status, note=note, children=children)
