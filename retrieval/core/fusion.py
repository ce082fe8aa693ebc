"""Ranked lists into one, as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from retrieval.core.types import Candidate, Why, ranked

RRF_K = 60
ANCHOR, SATURATION = 0.7, 5.0
"""Weight of the vectors in an anchored fusion; the BM25 score that counts as one half."""

Lists = Sequence[tuple[str, Sequence[Candidate]]]
"""Ranked lists with the path of the stage each came from."""

Combine = Callable[[str, Lists], tuple[Candidate, ...]]
"""From the fused stage's path and the lists to one list, best first, ties by id."""


class _Held:
    """A candidate that grows while lists are gathered; made into a Candidate once, at the end."""

    __slots__ = ("first", "fit", "scores", "why")

    def __init__(self, found: Candidate) -> None:
        self.first, self.fit = found, found.fit
        self.scores: dict[str, float] = dict(found.scores)
        self.why: list[Why] = list(found.why)

    def add(self, found: Candidate) -> None:
        """Take over scores and reasons; those that lists have in common are not compared one by
        one."""
        self.scores.update(found.scores)
        had = self.first.why
        shared = len(had) if found.why[: len(had)] == had else 0
        for why in found.why[shared:]:
            if why not in self.why:
                self.why.append(why)
        if found.fit is not None:
            self.fit = found.fit

    def made(self) -> Candidate:
        """The candidate as first met, with all that was added."""
        first = self.first
        return Candidate(
            tool=first.tool,
            score=first.score,
            scores=self.scores,
            why=tuple(self.why),
            fit=self.fit,
        )

    def summed(self, stage: str, whys: Sequence[Why]) -> Candidate:
        """The candidate under the sum of its shares, which stand behind its reasons."""
        score = round(sum(why.value or 0.0 for why in whys), 6)
        return Candidate(
            tool=self.first.tool,
            score=score,
            scores={**self.scores, stage: score},
            why=(*self.why, *whys),
            fit=self.fit,
        )


def _held(lists: Lists) -> dict[str, _Held]:
    seen: dict[str, _Held] = {}
    for _, candidates in lists:
        for found in candidates:
            known = seen.get(found.tool.id)
            if known is None:
                seen[found.tool.id] = _Held(found)
            else:
                known.add(found)
    return seen


def gathered(lists: Lists) -> dict[str, Candidate]:
    """Every candidate of the lists once, with all its scores and reasons."""
    return {key: held.made() for key, held in _held(lists).items()}


def _weighed(stage: str, lists: Lists, shares: Iterable[dict[str, float]]) -> tuple[Candidate, ...]:
    seen = _held(lists)
    reasons: dict[str, list[Why]] = {key: [] for key in seen}
    for (source, _), share in zip(lists, shares, strict=True):
        for key, value in share.items():
            why = Why(kind="share", stage=stage, text=source, value=round(value, 6))
            reasons[key].append(why)
    return ranked(held.summed(stage, reasons[key]) for key, held in seen.items())


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
        shares = (_weighted(weights, name, listed) for name, listed in lists)
        return _weighed(stage, lists, shares)

    return combine


def _weighted(
    weights: Mapping[str, float], name: str, listed: Sequence[Candidate]
) -> dict[str, float]:
    weight = weights.get(name.rsplit("/", 1)[-1], 0.0)
    return {key: weight * value for key, value in min_max(listed).items()}


def anchored_shares(
    vectors: Mapping[str, float],
    words: Mapping[str, float],
    alpha: float = ANCHOR,
    saturation: float = SATURATION,
) -> tuple[dict[str, float], dict[str, float]]:
    """What similarity and words give each key: alpha * cosine, (1 - alpha) * b / (b + saturation).

    A key that one side did not find gets that side's lowest value: not found is not irrelevant.
    """
    full = {key: max(b, 0.0) / (max(b, 0.0) + saturation) for key, b in words.items()}
    keys = dict.fromkeys((*vectors, *full))
    low, few = min(vectors.values(), default=0.0), min(full.values(), default=0.0)
    return (
        {key: alpha * vectors.get(key, low) for key in keys},
        {key: (1 - alpha) * full.get(key, few) for key in keys},
    )


def vector_anchored(alpha: float = ANCHOR, saturation: float = SATURATION) -> Combine:
    """Fusion of two lists, cosines first and raw BM25 scores second, by ``anchored_shares``.

    Where one of them is missing, by rank.
    """

    def combine(stage: str, lists: Lists) -> tuple[Candidate, ...]:
        if len(lists) != 2:
            return reciprocal_rank_fusion(stage, lists)
        vectors, words = ({c.tool.id: c.score for c in listed} for _, listed in lists)
        return _weighed(stage, lists, anchored_shares(vectors, words, alpha, saturation))

    return combine
