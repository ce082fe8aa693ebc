"""Fusion of ranked lists, as plain functions.

A list is weighed by rank (RRF) or by score (weighted sum). Scores, reasons and fit of one tool in
several lists are merged. Sums are rounded to six decimals; ties stand in the order of ids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
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

    ``candidates`` and ``values`` are parallel, in any order. Scores are stored under ``path``
    (empty: not stored) with a reason of ``kind`` (empty: none). As a tuple: best first, ties by id.
    """

    def __init__(
        self, path: str, candidates: Sequence[Candidate], values: Sequence[float], kind: str = ""
    ) -> None:
        # No method of its own: what refers to itself stays until memory is searched for garbage.
        super().__init__(partial(_column, path, candidates, values, kind))
        self.path, self.kind, self.candidates, self.values = path, kind, candidates, values

    def __len__(self) -> int:
        return len(self.candidates)


def _column(
    path: str, candidates: Sequence[Candidate], values: Sequence[float], kind: str
) -> tuple[Candidate, ...]:
    pairs = zip(candidates, values, strict=True)
    if not path:
        return ranked(replace(c, score=value) for c, value in pairs)
    whys = ([Why(kind=kind, stage=path, text="", value=v)] if kind else [] for v in values)
    return ranked(c.scored(path, v, *why) for (c, v), why in zip(pairs, whys, strict=True))


class _Entry:
    """One tool while lists are merged: a Candidate would copy its scores for every list."""

    __slots__ = ("first", "fit", "others", "score_reasons", "scores", "shares", "total")

    def __init__(self, candidate: Candidate) -> None:
        self.first, self.fit = candidate, candidate.fit
        self.scores: dict[str, float] = dict(candidate.scores)
        self.others: list[Whys] = []
        self.score_reasons: list[tuple[str, str, float]] = []
        self.shares, self.total = list[tuple[str, float]](), 0.0

    def add(self, candidate: Candidate) -> None:
        """Add scores, reasons and fit from another list."""
        self.scores.update(candidate.scores)
        self.others.append(candidate.why)
        if candidate.fit is not None:
            self.fit = candidate.fit

    def _whys(self, stage: str) -> tuple[Why, ...]:
        """Every reason once, the shares in a stage's score last."""
        whys = list(self.first.why)
        scored = (Why(kind=k, stage=s, text="", value=v) for k, s, v in self.score_reasons)
        for why in chain(*self.others, scored):
            if why not in whys:
                whys.append(why)
        shares = (Why(kind="share", stage=stage, text=t, value=value) for t, value in self.shares)
        return (*whys, *shares)

    def merged(self, stage: str | None = None, score: float = 0.0) -> Candidate:
        """The candidate with all that was added: as scored first, or by ``stage``, shares last."""
        if stage is not None:
            self.scores[stage] = score
        elif not (self.others or self.score_reasons):
            return self.first
        return Candidate(
            tool=self.first.tool,
            score=self.first.score if stage is None else score,
            scores=self.scores,
            why=LazyTuple(partial(self._whys, stage or "")),
            fit=self.fit,
        )


def _entries(lists: Lists) -> tuple[dict[str, _Entry], list[list[_Entry]]]:
    """Entries by tool id in the order in which the lists first name them, and those of each list.

    A Column's are in the order of its ``candidates``; columns of the same ones share their row.
    """
    entries: dict[str, _Entry] = {}
    rows: list[list[_Entry]] = []
    known: dict[int, list[_Entry]] = {}
    for _, listed in lists:
        candidates = listed.candidates if isinstance(listed, Column) else listed
        row = known.get(id(candidates))
        if row is None:
            row = known[id(candidates)] = [_entry(entries, c) for c in candidates]
        rows.append(row)
        if isinstance(listed, Column) and listed.path:
            for entry, value in zip(row, listed.values, strict=True):
                # A score that a source gave under this path is the true one and stays.
                entry.scores.setdefault(listed.path, value)
                if listed.kind:
                    entry.score_reasons.append((listed.kind, listed.path, value))
    return entries, rows


def _entry(entries: dict[str, _Entry], candidate: Candidate) -> _Entry:
    entry = entries.get(candidate.tool.id)
    if entry is None:
        entry = entries[candidate.tool.id] = _Entry(candidate)
    elif entry.first is not candidate:
        entry.add(candidate)
    return entry


def rounded(values: ArrayLike) -> list[float]:
    """The values to six decimals; one call of numpy for all of them."""
    numbers: list[float] = np.round(np.asarray(values, dtype=np.float64), 6).tolist()
    return numbers


def gathered(lists: Lists) -> dict[str, Candidate]:
    """Every candidate of the lists once, by id, with all its scores and reasons."""
    return {key: entry.merged() for key, entry in _entries(lists)[0].items()}


def _sum_of(stage: str, lists: Lists, shares: Iterable[ArrayLike]) -> tuple[Candidate, ...]:
    """One list by the sum of the shares that each of ``lists`` gives its candidates."""
    entries, rows = _entries(lists)
    for (source, _), row, values in zip(lists, rows, shares, strict=True):
        for entry, value in zip(row, rounded(values), strict=True):
            entry.shares.append((source, value))
            entry.total += value
    scores = rounded([entry.total for entry in entries.values()])
    return ranked([e.merged(stage, s) for e, s in zip(entries.values(), scores, strict=True)])


def reciprocal_rank_fusion(stage: str, lists: Lists, k: int = RRF_K) -> tuple[Candidate, ...]:
    """Sum of 1 / (k + rank) over the lists (Cormack, Clarke, Buettcher, SIGIR 2009)."""
    lists = [(name, tuple(listed)) for name, listed in lists]
    return _sum_of(stage, lists, ([1 / (k + n) for n, _ in enumerate(c, 1)] for _, c in lists))


def min_max(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Scores of one list scaled to 0 to 1, float64; equal scores are all 1.

    They are in the order of the list, or of a Column's ``candidates``.
    """
    scores = candidates.values if isinstance(candidates, Column) else [c.score for c in candidates]
    values = np.asarray(scores, dtype=np.float64)
    low, width = (values.min(), np.ptp(values)) if len(values) else (0.0, 0.0)
    return (values - low) / width if width > 0 else np.ones(len(values))


def spread(candidates: Sequence[Candidate], stage: str) -> float:
    """From the worst score to the best but a tenth, less what a stage added; 1 where equal.

    A few tools far ahead of the rest, such as one that the text names, do not stretch it.
    """
    every = set[str]().union(*(c.scores for c in candidates))
    own = {path for path in every if path.rsplit("/", 1)[-1] == stage}
    scores = sorted((c.score - _gain(c.scores, own) for c in candidates), reverse=True)
    return (scores[len(scores) // 10] - scores[-1] if scores else 0.0) or 1.0


def _gain(scores: Mapping[str, float], own: Set[str]) -> float:
    before, gain = 0.0, 0.0  # by scores: reasons are joined on first access, which costs
    # Most stages come once: to look for their paths in the scores of each tool took .5 ms.
    for n, (path, score) in enumerate(scores.items() if own else ()):
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
        shares = (w * min_max(listed) for w, (_, listed) in zip(by_list, lists, strict=True))
        return _sum_of(stage, lists, shares)

    return combine


class Scorer(ABC):
    """Gives every candidate a score; ``kind`` is the kind of the reason it adds, empty for none."""

    name: str
    kind = ""

    @abstractmethod
    def values(self, state: State) -> Sequence[float]:
        """One score per candidate, in their order; raises StageUnavailable when it cannot score."""

    def run(self, state: State) -> StageResult:
        """The same candidates as a Column: best first, scores rounded to six decimals."""
        if self.name in state.query.off:
            raise StageUnavailable("switched off for this search")
        column = Column(state.path, state.candidates, rounded(self.values(state)), self.kind)
        return StageResult(name=self.name, state=replace(state, candidates=column))
