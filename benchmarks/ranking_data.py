"""Judged queries as matrices: what the ranker sees, through the ordinary path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.engine import Answer
from retrieval.evaluation import Judged
from retrieval.rerank import LearnedRank
from retrieval.wiring import Parts, Ranking, later, signals

Floats = NDArray[np.float64]
DISCOUNT = 1 / np.log2(np.arange(2, 12))
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """One query: ``units`` has shape (signals, candidates), ``relevant`` shape (candidates,).

    ``ids`` are those of the candidates, in the order of the stage before the ranker. ``total``
    counts relevant tools of the whole catalog, also those that are no candidates.
    """

    kind: str
    ids: tuple[str, ...]
    units: Floats
    relevant: Floats
    total: int


@dataclass
class Collector:
    """Takes the answers of a judged run and keeps what the ranker saw of each."""

    judged: Judged
    stage: LearnedRank
    rows: list[Rows] = field(default_factory=list)

    def add(self, answer: Answer) -> None:
        """Add the candidates of the stage before the ranker; of queries in their order."""
        qid = next(q for n, q in enumerate(self.judged.queries) if n == len(self.rows))
        state = next(n for n in answer.result.walk() if n.name == "graph").state
        ids = tuple(c.tool.id for c in state.candidates)
        grades = self.judged.qrels.get(qid, {})
        self.rows.append(
            Rows(
                kind=self.judged.types[qid],
                ids=ids,
                units=self.stage.units(state),
                relevant=np.array([float(grades.get(i, 0) > 0) for i in ids]),
                total=sum(value > 0 for value in grades.values()),
            )
        )


def collector(judged: Judged, parts: Parts) -> Collector:
    """A collector over the signals of some parts. Raises SystemExit where they have no tables."""
    ranking = parts.ranking
    if not isinstance(ranking, Ranking):
        raise SystemExit(f"the ranker has no tables: {ranking}")
    return Collector(judged, LearnedRank(signals(parts, ranking), {}, later=later(ranking)))


def measured(rows: Sequence[Rows], weights: Floats) -> Floats:
    """nDCG@10 of every query under these weights, shape (queries,); ties keep their order."""
    return np.array([_gain(row, np.round(weights @ row.units, 6)) for row in rows if row.total])


def _gain(row: Rows, scores: Floats) -> float:
    gains = row.relevant[np.argsort(-scores, kind="stable")][:10]
    ideal = DISCOUNT[: min(10, row.total)].sum()
    return float((gains * DISCOUNT[: len(gains)]).sum() / ideal)
