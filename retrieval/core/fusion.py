"""Ranked lists into one, as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from retrieval.core.types import Candidate, Why, ranked

RRF_K = 60

Lists = Sequence[tuple[str, Sequence[Candidate]]]
"""Ranked lists with the path of the stage each came from."""

Combine = Callable[[str, Lists], tuple[Candidate, ...]]
"""From the fused stage's path and the lists to one list, best first, ties by id."""


def gathered(lists: Lists) -> dict[str, Candidate]:
    """Every candidate of the lists once, with all its scores and reasons."""
    seen: dict[str, Candidate] = {}
    for _, candidates in lists:
        for found in candidates:
            known = seen.get(found.tool.id)
            seen[found.tool.id] = found if known is None else _merged(known, found)
    return seen


def _merged(known: Candidate, found: Candidate) -> Candidate:
    return Candidate(
        tool=known.tool,
        score=known.score,
        scores={**known.scores, **found.scores},
        why=tuple(dict.fromkeys((*known.why, *found.why))),
        fit=known.fit if found.fit is None else found.fit,
    )


def _weighed(stage: str, lists: Lists, shares: Iterable[dict[str, float]]) -> tuple[Candidate, ...]:
    seen = gathered(lists)
    reasons: dict[str, list[Why]] = {key: [] for key in seen}
    for (source, _), share in zip(lists, shares, strict=True):
        for key, value in share.items():
            why = Why(kind="share", stage=stage, text=source, value=round(value, 6))
            reasons[key].append(why)
    totals = {key: sum(w.value or 0.0 for w in whys) for key, whys in reasons.items()}
    return ranked(seen[key].scored(stage, totals[key], *reasons[key]) for key in seen)


def reciprocal_rank_fusion(stage: str, lists: Lists, k: int = RRF_K) -> tuple[Candidate, ...]:
    """Sum of 1 / (k + rank) over the lists (Cormack, Clarke, Buettcher, SIGIR 2009)."""
    shares = (
        {c.tool.id: 1 / (k + rank) for rank, c in enumerate(listed, start=1)} for _, listed in lists
    )
    return _weighed(stage, lists, shares)


def min_max(candidates: Sequence[Candidate]) -> dict[str, float]:
    """Scores of one list stretched onto 0 to 1; equal scores are all 1."""
    if not candidates:
        return {}
    low, high = min(c.score for c in candidates), max(c.score for c in candidates)
    if high <= low:
        return {c.tool.id: 1.0 for c in candidates}
    return {c.tool.id: (c.score - low) / (high - low) for c in candidates}


def weighted(weights: Mapping[str, float]) -> Combine:
    """Min-max weighted sum (Fox and Shaw, CombSUM); weights by the stage's own name.

    A tool that a list does not hold gets 0 from it; the shares add up to the score.
    """

    def combine(stage: str, lists: Lists) -> tuple[Candidate, ...]:
        shares = (
            {key: weights.get(name.rsplit("/", 1)[-1], 0.0) * value for key, value in unit.items()}
            for name, unit in ((name, min_max(listed)) for name, listed in lists)
        )
        return _weighed(stage, lists, shares)

    return combine
