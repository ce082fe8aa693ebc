"""Merges the lists of several queries, and the scores of several scorers, into one list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from retrieval.core import (
    Candidate,
    Combinator,
    Combine,
    Lists,
    Stage,
    StageResult,
    State,
    Status,
    finish,
    lists_of,
    none_ran,
    progress,
    reciprocal_rank_fusion,
)


def merged_to(total: int | None) -> Combine:
    """Reciprocal rank fusion of all lists, each tool once, at most ``total`` of them.

    Every tool of the first list stays; the best of the other tools fill the remaining places.
    """

    def combine(stage: str, lists: Lists) -> tuple[Candidate, ...]:
        fused = reciprocal_rank_fusion(stage, lists)
        if total is None:
            return fused
        first = {c.tool.id for c in lists[0][1]}
        room = max(0, total - len(first))
        ids = first.union([c.tool.id for c in fused if c.tool.id not in first][:room])
        return tuple(c for c in fused if c.tool.id in ids)[:total]

    return combine


@dataclass(frozen=True)
class Rescore(Combinator):
    """A reranker without a model of its own: every scorer scores every candidate for the query.

    Lists of a first stage hold only its best candidates; here no candidate lacks a score.
    ``combine`` merges the lists of the scorers into one, cut to ``limit``.
    """

    name: str
    scorers: Sequence[Stage]
    combine: Combine
    limit: int | None = None

    def stream(self, state: State) -> Iterator[StageResult]:
        """One list when every scorer is done; skipped when none could run."""
        parts = tuple(finish(progress(scorer, state)) for scorer in self.scorers)
        if not any(part.ran for part in parts):
            yield none_ran(self.name, state, parts)
            return
        combined = self.combine(state.path, lists_of(parts))
        status: Status = "ok" if all(part.ran for part in parts) else "fallback"
        evidence = state.evidence.merged(part.state.evidence for part in parts if part.ran)
        after = replace(state, candidates=combined[: self.limit], evidence=evidence)
        note = "; ".join(part.note for part in parts if not part.ran)
        children = tuple(replace(part, listed=False) for part in parts)
        yield StageResult(name=self.name, state=after, status=status, note=note, children=children)
