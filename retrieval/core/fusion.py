"""Ranked lists into one, as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from retrieval.core.lazy import Made
from retrieval.core.types import Candidate, ranked
from retrieval.core.why import Reasons, Why, Whys

RRF_K = 60
ANCHOR, SATURATION = 0.7, 5.0
"""Weight of the vectors in an anchored fusion; the BM25 score that counts as one half."""

Lists = Sequence[tuple[str, Sequence[Candidate]]]
"""Ranked lists with the path of the stage each came from."""

Combine = Callable[[str, Lists], tuple[Candidate, ...]]
"""From the fused stage's path and the lists to one list, best first, ties by id."""


class Column(Made[Candidate]):
    """What a scorer gave each of some candidates, as numbers; scored candidates are made when
    they are looked at.

    ``path`` is the stage the scores are kept under (empty: they are not kept), ``kind`` that of
    the reason each one is (empty: none). Looked at, it is a list: best first, ties by id.
    """

    def __init__(
        self, path: str, candidates: Sequence[Candidate], values: Sequence[float], kind: str = ""
    ) -> None:
        super().__init__(self._ranked)
        self.path, self.kind = path, kind
        self.candidates, self.values = candidates, values

    def _ranked(self) -> tuple[Candidate, ...]:
        """The candidates under their scores."""
        pairs = zip(self.candidates, self.values, strict=True)
        if not self.path:
            return ranked(replace(c, score=value) for c, value in pairs)
        if not self.kind:
            return ranked(c.scored(self.path, value) for c, value in pairs)
        whys = (_given(self.kind, self.path, value) for value in self.values)
        told = zip(pairs, whys, strict=True)
        return ranked(c.scored(self.path, value, why) for (c, value), why in told)

    def __len__(self) -> int:
        return len(self.candidates)


def _given(kind: str, path: str, value: float) -> Why:
    return Why(kind=kind, stage=path, text="", value=value)


class _Held:
    """A candidate that grows while lists are gathered; made into a Candidate once, at the end."""

    __slots__ = ("first", "fit", "given", "others", "scores", "shares")

    def __init__(self, found: Candidate) -> None:
        self.first, self.fit = found, found.fit
        self.scores: dict[str, float] = dict(found.scores)
        self.others: list[Whys] = []
        self.given: list[tuple[str, str, float]] = []
        self.shares: list[tuple[str, float]] = []

    def add(self, found: Candidate) -> None:
        """Take over scores, reasons and fit."""
        self.scores.update(found.scores)
        self.others.append(found.why)
        if found.fit is not None:
            self.fit = found.fit

    def score(self, path: str, value: float, kind: str) -> None:
        """Take over a score where a source gave none under this path, and the reason it is."""
        if kind:
            self.given.append((kind, path, value))
        self.scores.setdefault(path, value)

    def _told(self, stage: str) -> tuple[Why, ...]:
        """Every reason once, the shares in a stage's score last."""
        given = [_given(*one) for one in self.given]
        whys = list(self.first.why)
        for why in chain(*self.others, given):
            if why not in whys:
                whys.append(why)
        shares = (Why(kind="share", stage=stage, text=t, value=value) for t, value in self.shares)
        return (*whys, *shares)

    def made(self) -> Candidate:
        """The candidate as first met, with all that was added."""
        first = self.first
        return self._under(first.score, "") if self.others or self.given else first

    def summed(self, stage: str) -> Candidate:
        """The candidate under the sum of its shares, which stand behind its reasons."""
        score = self.scores[stage] = round(sum([value for _, value in self.shares]), 6)
        return self._under(score, stage)

    def _under(self, score: float, stage: str) -> Candidate:
        return Candidate(
            tool=self.first.tool,
            score=score,
            scores=self.scores,
            why=Reasons(partial(self._told, stage)),
            fit=self.fit,
        )


def _held(lists: Lists) -> dict[str, _Held]:
    seen: dict[str, _Held] = {}
    for _, listed in lists:
        if isinstance(listed, Column):
            for found, value in zip(listed.candidates, listed.values, strict=True):
                held = _met(seen, found)
                if listed.path:
                    held.score(listed.path, value, listed.kind)
        else:
            for found in listed:
                _met(seen, found)
    return seen


def _met(seen: dict[str, _Held], found: Candidate) -> _Held:
    known = seen.get(found.tool.id)
    if known is None:
        known = seen[found.tool.id] = _Held(found)
    elif known.first is not found:
        known.add(found)
    return known


def rounded(values: Sequence[float]) -> list[float]:
    """To six decimals, all at once."""
    told: list[float] = np.round(np.asarray(values, dtype=np.float64), 6).tolist()
    return told


def gathered(lists: Lists) -> dict[str, Candidate]:
    """Every candidate of the lists once, with all its scores and reasons."""
    return {key: held.made() for key, held in _held(lists).items()}


def _weighed(stage: str, lists: Lists, shares: Iterable[dict[str, float]]) -> tuple[Candidate, ...]:
    seen = _held(lists)
    for (source, _), share in zip(lists, shares, strict=True):
        for key, value in zip(share, rounded([*share.values()]), strict=True):
            seen[key].shares.append((source, value))
    return ranked([held.summed(stage) for held in seen.values()])


def reciprocal_rank_fusion(stage: str, lists: Lists, k: int = RRF_K) -> tuple[Candidate, ...]:
    """Sum of 1 / (k + rank) over the lists (Cormack, Clarke, Buettcher, SIGIR 2009)."""
    shares = (
        {c.tool.id: 1 / (k + rank) for rank, c in enumerate(listed, start=1)} for _, listed in lists
    )
    return _weighed(stage, lists, shares)


def min_max(candidates: Sequence[Candidate]) -> dict[str, float]:
    """Scores of one list stretched onto 0 to 1; equal scores are all 1."""
    column = candidates if isinstance(candidates, Column) else None
    values = [c.score for c in candidates] if column is None else column.values
    if not values:
        return {}
    low, high = min(values), max(values)
    ids = [c.tool.id for c in (candidates if column is None else column.candidates)]
    if high <= low:
        return dict.fromkeys(ids, 1.0)
    width = high - low
    return dict(zip(ids, [(value - low) / width for value in values], strict=True))


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
