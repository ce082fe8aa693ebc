"""Merges the lists of several queries with the list of the first round."""

from __future__ import annotations

from retrieval.core import Candidate, Combine, Lists, reciprocal_rank_fusion


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
        fresh = [c.tool.id for c in fused if c.tool.id not in first][:room]
        ids = first.union(fresh)
        return tuple(c for c in fused if c.tool.id in ids)[:total]

    return combine
