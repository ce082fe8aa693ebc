"""Several queries' lists and the list before them into one."""

from __future__ import annotations

from retrieval.core import Candidate, Combine, Lists, reciprocal_rank_fusion


def merged_to(total: int | None) -> Combine:
    """Reciprocal rank fusion of all lists, each tool once, at most ``total`` of them.

    What the first list holds stays; what only later lists found fills the rest, best first.
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
