"""Fusion of ranked lists, as plain functions.

A list is weighed by rank (RRF) or by score (weighted sum). Scores, reasons and fit of one tool in
several lists are merged. Sums are rounded to six decimals; ties stand in the order of ids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from retrieval.core.errors import StageUnavailable
from retrieval.core.lazy import LazyTuple
from retrieval.core.stage import StageResult
from retrieval.core.types import Candidate, State, Why, Whys, ranked

RRF_K = 60
"""The constant of the paper that ``reciprocal_rank_fusion`` cites."""

Lists = Sequence[tuple[str, Sequence[Candidate]]]
"""Ranked lists, each with the path of its stage."""

Combine = Callable[[str, Lists], tuple[Candidate, ...]]
"""From the fused stage's path and the lists to one list, best first, ties by id."""


class Column(LazyTuple[Candidate]):
    """A scorer's numbers for some candidates; all but their number is computed on first access.

    ``candidates`` and ``values`` are parallel, in any order; a candidate whose value is NaN is not
    in the list. Scores are stored under ``path`` (empty: not stored) with a reason of ``kind``
    (empty: none). As a tuple: best first, ties by id.
    """

    def __init__(
        self, path: str, candidates: Sequence[Candidate], values: Sequence[float], kind: str = ""
    ) -> None:
        # No method of its own: what refers to itself stays until memory is searched for garbage.
        super().__init__(partial(_column, path, candidates, values, kind))
        self.path, self.kind, self.candidates, self.values = path, kind, candidates, values

    def __len__(self) -> int:
        return sum(value == value for value in self.values)


def _column(
    path: str, candidates: Sequence[Candidate], values: Sequence[float], kind: str
) -> tuple[Candidate, ...]:
    pairs = ((c, value) for c, value in zip(candidates, values, strict=True) if value == value)
    if not path:
        return ranked(replace(c, score=value) for c, value in pairs)
    return ranked(c.scored(path, v, *([_why(kind, path, v)] if kind else ())) for c, v in pairs)


def _why(kind: str, stage: str, value: float, text: str = "") -> Why:
    return Why(kind=kind, stage=stage, text=text, value=value)


def gathered(lists: Lists) -> dict[str, Candidate]:
    """Every candidate of the lists once, by id as first named; scores, reasons and fit merged."""
    alike: dict[str, list[Candidate]] = {}
    for _, candidates in lists:
        for candidate in candidates:
            alike.setdefault(candidate.tool.id, []).append(candidate)
    return {key: _merged(every) if len(every) > 1 else every[0] for key, every in alike.items()}


def _merged(alike: Sequence[Candidate]) -> Candidate:
    """The first, with the scores and reasons of all and the last fit; later scores win."""
    scores = {path: score for one in alike for path, score in one.scores.items()}
    fits = [one.fit for one in alike if one.fit is not None]
    why = LazyTuple(lambda: tuple(dict.fromkeys(why for one in alike for why in one.why)))
    return replace(alike[0], scores=scores, why=why, fit=fits[-1] if fits else None)


def rounded(values: ArrayLike) -> NDArray[np.float64]:
    """The values to six decimals; one call of numpy for all of them."""
    numbers: NDArray[np.float64] = np.asarray(values, dtype=np.float64).round(6)
    return numbers


def _sum_of(stage: str, lists: Lists, shares: Iterable[ArrayLike]) -> tuple[Candidate, ...]:
    """One list by the sum of the shares that each of ``lists`` gives its candidates."""
    rows = [ranking.candidates if isinstance(ranking, Column) else ranking for _, ranking in lists]
    parts = [rounded(values) for values in shares]
    columns = [ranking for _, ranking in lists if isinstance(ranking, Column) and ranking.path]
    union = rows[0] if rows else ()
    if any(row is not union for row in rows):
        merged = gathered(lists)
        union, columns, place = tuple(merged.values()), [], {key: n for n, key in enumerate(merged)}
        parts = [_placed(place, row, part) for row, part in zip(rows, parts, strict=True)]
    total = np.zeros(len(union))
    for part in parts:
        total += np.where(np.isnan(part), 0.0, part)
    every = _Sum(stage, [name for name, _ in lists], parts, columns)
    return ranked(map(every.scored, range(len(union)), union, rounded(total).tolist()))


def _placed(
    place: Mapping[str, int], row: Sequence[Candidate], part: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The shares of a list's candidates in their places; NaN for what the list lacks."""
    values = np.full(len(place), np.nan)
    for candidate, value in zip(row, part.tolist(), strict=True):
        if value == value:
            values[place[candidate.tool.id]] = value
    return values


@dataclass(frozen=True)
class _Sum:
    """What a sum adds to its candidates: the scores of columns, and shares as reasons."""

    stage: str
    names: Sequence[str]
    parts: Sequence[NDArray[np.float64]]
    columns: Sequence[Column]

    def scored(self, n: int, candidate: Candidate, score: float) -> Candidate:
        """The candidate in place ``n`` with its sum."""
        scores = dict(candidate.scores)
        for column in self.columns:
            if (value := column.values[n]) == value:
                # A score that a source gave under this path is the true one and stays.
                scores.setdefault(column.path, value)
        scores[self.stage] = score
        why = LazyTuple(partial(self._whys, n, candidate.why))
        return replace(candidate, score=score, scores=scores, why=why)

    def _whys(self, n: int, before: Whys) -> tuple[Why, ...]:
        """Every reason once, the shares in the sum last."""
        own = ((c.kind, c.path, c.values[n]) for c in self.columns if c.kind)
        whys = (_why(*one) for one in own if one[2] == one[2])
        shares = zip(self.names, (float(part[n]) for part in self.parts), strict=True)
        share_whys = (_why("share", self.stage, v, name) for name, v in shares if v == v)
        return (*dict.fromkeys((*before, *whys)), *share_whys)


def reciprocal_rank_fusion(stage: str, lists: Lists, k: int = RRF_K) -> tuple[Candidate, ...]:
    """Sum of 1 / (k + rank) over the lists (Cormack, Clarke, Buettcher, SIGIR 2009)."""
    lists = [(name, tuple(candidates)) for name, candidates in lists]
    return _sum_of(stage, lists, ([1 / (k + n) for n, _ in enumerate(c, 1)] for _, c in lists))


def min_max(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Scores of one list scaled to 0 to 1, float64; equal scores are all 1.

    They are in the order of the list, or of a Column's ``candidates``.
    """
    scores = candidates.values if isinstance(candidates, Column) else [c.score for c in candidates]
    values = np.asarray(scores, dtype=np.float64)
    # Past NaN, which stands for "not in the list".
    low, high = np.fmin.reduce(values, initial=np.inf), np.fmax.reduce(values, initial=-np.inf)
    units: NDArray[np.float64] = (values - low) / (high - low) if high > low else values * 0 + 1
    return units


def spread(candidates: Sequence[Candidate], stage: str) -> float:
    """From the worst score to the best but a tenth, less what a stage added; 1 where equal.

    A few tools far ahead of the rest, such as one that the text names, do not stretch it.
    """
    every = set[str]().union(*[c.scores for c in candidates])
    own = {path for path in every if path.rsplit("/", 1)[-1] == stage}
    # Most stages come once: to look for their paths in the scores of each tool took .5 ms.
    scores = [c.score - _gain(c.scores, own) if own else c.score for c in candidates]
    scores.sort(reverse=True)
    return (scores[len(scores) // 10] - scores[-1] if scores else 0.0) or 1.0


def _gain(scores: Mapping[str, float], own: Set[str]) -> float:
    before, gain = 0.0, 0.0  # by scores: reasons are joined on first access, which costs
    for n, (path, score) in enumerate(scores.items()):
        if n and path in own:
            gain = score - before
        before = score
    return gain


def weighted(weights: Mapping[str, float]) -> Combine:
    """Min-max weighted sum (Fox and Shaw, CombSUM, TREC-2 1993); weights by the stage's own name.

    A list without a weight counts 0, and so does a tool that a list lacks. The shares of a
    candidate add up to its score.
    """

    def combine(stage: str, lists: Lists) -> tuple[Candidate, ...]:
        by_list = [weights.get(name.rsplit("/", 1)[-1], 0.0) for name, _ in lists]
        shares = (w * min_max(ranking) for w, (_, ranking) in zip(by_list, lists, strict=True))
        return _sum_of(stage, lists, shares)

    return combine


class Scorer(ABC):
    """Gives every candidate a score; ``kind`` is the kind of the reason it adds, empty for none."""

    name: str
    kind = ""

    @abstractmethod
    def values(self, state: State) -> ArrayLike:
        """One score per candidate, in their order; raises StageUnavailable when it cannot score."""

    def run(self, state: State) -> StageResult:
        """The same candidates as a Column: best first, scores rounded to six decimals."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        values = rounded(self.values(state)).tolist()
        column = Column(state.path, state.candidates, values, self.kind)
        return StageResult(name=self.name, state=replace(state, candidates=column))
