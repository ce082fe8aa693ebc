"""Judged queries as matrices: what the learned ranker sees, through the ordinary path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval import read_settings
from retrieval.engine import Engine
from retrieval.evaluation import Judged, prepared, read_beir
from retrieval.rerank import LearnedRank
from retrieval.wiring import Preparation, Ranking, later, signals

Floats = NDArray[np.float64]
DISCOUNT = 1 / np.log2(np.arange(2, 12))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """One query: ``units`` has shape (signals, candidates), ``relevant`` shape (candidates,).

    ``total`` counts relevant tools of the whole catalog, also those that are no candidates.
    """

    kind: str
    units: Floats
    relevant: Floats
    total: int
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrices:
    """A judged set; queries that share a relevant tool share a group."""

    name: str
    signals: tuple[str, ...]
    rows: tuple[Rows, ...]


def matrices(folder: Path) -> Matrices:
    """Every judged query of a folder up to the stage before the ranker."""
    judged = read_beir(folder)
    engine, preparation = prepared(judged, read_settings())
    return matrices_of(folder.name, judged, engine, preparation)


def matrices_of(name: str, judged: Judged, engine: Engine, preparation: Preparation) -> Matrices:
    """As ``matrices``, over an engine that is there already."""
    ranking = preparation.parts.ranking
    if not isinstance(ranking, Ranking):
        raise SystemExit(f"{name}: {ranking}")
    stage = LearnedRank(signals(preparation.parts, ranking), {}, later=later(ranking))
    groups = _groups(judged)
    rows = []
    for qid, text in judged.queries.items():
        if qid not in judged.qrels:
            continue
        nodes = engine.run(text, "hybrid").result.walk()
        state = next(node for node in nodes if node.name == "graph").state
        ids = [c.tool.id for c in state.candidates]
        grades = judged.qrels[qid]
        relevant = np.array([float(grades.get(i, 0) > 0) for i in ids])
        total = sum(value > 0 for value in grades.values())
        rows.append(
            Rows(
                kind=judged.types[qid],
                units=stage.units(state),
                relevant=relevant,
                total=total,
                group=groups[qid],
            )
        )
    return Matrices(name=name, signals=tuple(s.name for s in stage.all_signals), rows=tuple(rows))


def _groups(judged: Judged) -> dict[str, int]:
    """Queries joined by a relevant tool, transitively, bear one number."""
    first: dict[str, str] = {}
    joined = {qid: qid for qid in judged.qrels}

    def root(qid: str) -> str:
        while joined[qid] != qid:
            qid = joined[qid]
        return qid

    for qid, grades in judged.qrels.items():
        for tool in grades:
            joined[root(first.setdefault(tool, qid))] = root(qid)
    roots = {qid: root(qid) for qid in joined}
    numbers = {r: n for n, r in enumerate(dict.fromkeys(roots.values()))}
    return {qid: numbers[r] for qid, r in roots.items()}


def folds(rows: Sequence[Rows], count: int) -> list[int]:
    """The fold of each query; groups stay together, the largest go first to the smallest fold."""
    sizes: dict[int, int] = {}
    for row in rows:
        sizes[row.group] = sizes.get(row.group, 0) + 1
    filled, placed = [0] * count, {}
    for group in sorted(sizes, key=lambda g: (-sizes[g], g)):
        placed[group] = filled.index(min(filled))
        filled[placed[group]] += sizes[group]
    return [placed[row.group] for row in rows]


def measured(rows: Sequence[Rows], scores: Sequence[Floats]) -> tuple[Floats, Floats]:
    """nDCG@10 and Recall@50 of every query under these scores, both of shape (queries,).

    ``scores`` has one array per query in the order of its candidates; ties keep that order.
    """
    both = [_one(row, score) for row, score in zip(rows, scores, strict=True)]
    return np.array([n for n, _ in both]), np.array([r for _, r in both])


def _one(row: Rows, scores: Floats) -> tuple[float, float]:
    gains = row.relevant[np.argsort(-scores, kind="stable")]
    ideal = DISCOUNT[: min(10, row.total)].sum()
    top = gains[:10]
    return float((top * DISCOUNT[: len(top)]).sum() / ideal), float(gains[:50].sum() / row.total)


def parts(rows: Sequence[Rows], held_out: Sequence[int], fold: int) -> Iterator[Rows]:
    """The queries that are not in a fold."""
    return (row for row, at in zip(rows, held_out, strict=True) if at != fold)
