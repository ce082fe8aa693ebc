"""Judged runs: a BEIR folder through the ordinary path, with metrics per stage."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import ir_measures
import numpy as np
from ir_measures import RR, R, nDCG
from pydantic import FiniteFloat, TypeAdapter, ValidationError

from retrieval.core import BadInput, Candidate
from retrieval.engine import Answer, Engine
from retrieval.evaluation.beir import Judged, first_error
from retrieval.settings import Settings
from retrieval.wiring import Preparation, Sizes

Run = dict[str, dict[str, float]]
"""Per query the scores of its documents, strictly falling with rank."""

Qrels = dict[str, dict[str, int]]
"""Per query the grades of its documents; what is not judged is not relevant."""

Metrics = Mapping[str, ir_measures.measures.Measure]

METRICS = {"nDCG@10": nDCG @ 10, "Recall@50": R @ 50, "MRR@10": RR @ 10}
LADDER = {
    "nDCG@10": nDCG @ 10,
    **{f"recall@{k}": R @ k for k in (1, 5, 10)},
    "MRR": RR,
}
"""Measures of a ladder of queries, which describe the same tools ever more vaguely."""

# Recall@50 needs lists that are longer than those of a search on the page.
PER_LIST = 100
RESAMPLES = 10_000


def engine_of(judged: Judged, settings: Settings) -> Engine:
    """An engine over the documents, its index and vectors in a cache of their own."""
    return prepared(judged, settings)[0]


def prepared(judged: Judged, settings: Settings) -> tuple[Engine, Preparation]:
    """The engine and its preparation."""
    cache = settings.cache_dir / "judged" / judged.catalog.sha256[:16]
    apart = settings.model_copy(update={"index_dir": cache / "index", "cache_dir": cache})
    sizes = Sizes(per_list=PER_LIST, final=None, nodes=2 * PER_LIST, hops=settings.graph_hops)
    preparation = Preparation(apart, sizes)
    preparation.begin(judged.catalog)
    preparation.complete()
    engine = Engine(preparation.snapshot(), seconds=float("inf"))
    if settings.vector_search:
        preparation.encoder.remember(judged.queries.values())
    return engine, preparation


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The final run and one per stage that gave candidates, in the order of the tree."""

    final: Run
    stages: dict[str, Run]
    answers: int


def evaluate(
    judged: Judged, engine: Engine, mode: str, each: Callable[[Answer], None] = lambda a: None
) -> Result:
    """Every query through the mode; an empty list stays an empty dict.

    Runs hold 1 / rank per tool id. A stage that did not run for a query has an empty list for it.
    ``each`` gets every answer. Raises BadInput naming the query that the engine refuses.
    """
    final: Run = {}
    stages: dict[str, Run] = {}
    for qid, text in judged.queries.items():
        try:
            answer = engine.run(text, mode)
        except BadInput as exc:
            raise BadInput(f"query {qid!r:.80}: {exc}") from exc
        each(answer)
        final[qid] = falling(answer.candidates)
        for node in answer.result.stages():
            if node.ran:
                stages.setdefault(node.name, {})[qid] = falling(node.state.candidates)
    # A stage that did not run for a query found nothing for it.
    for run in stages.values():
        for qid in judged.queries:
            run.setdefault(qid, {})
    return Result(final=final, stages=stages, answers=len(final))


def falling(candidates: Iterable[Candidate]) -> dict[str, float]:
    """1 / rank per tool id: strictly falling, so that every reader of a run sees one order."""
    return {c.tool.id: 1.0 / rank for rank, c in enumerate(candidates, start=1)}


def measure(run: Run, qrels: Qrels, metrics: Metrics = METRICS) -> dict[str, float]:
    """nDCG@10, Recall@50 and MRR@10, or others, over the judged queries, by ir-measures.

    Raises BadInput where nothing is judged: there is no mean of nothing.
    """
    if not qrels:
        raise BadInput("the qrels hold no grade; give at least one query-id, corpus-id and score")
    values = ir_measures.calc_aggregate(metrics.values(), qrels, run)
    return {name: round(float(values[metric]), 6) for name, metric in metrics.items()}


def per_query(run: Run, qrels: Qrels, metrics: Metrics = METRICS) -> dict[str, dict[str, float]]:
    """Per metric the value of every judged query, in ascending order of query id.

    Values are not rounded, unlike the means of ``measure``.
    """
    values: dict[str, dict[str, float]] = {name: {} for name in metrics}
    names = {str(metric): name for name, metric in metrics.items()}
    for value in ir_measures.iter_calc(metrics.values(), qrels, run):
        values[names[str(value.measure)]][value.query_id] = float(value.value)
    return {name: dict(sorted(row.items())) for name, row in values.items()}


def compared(
    run: Run, other: Run, qrels: Qrels, seed: int = 0, metrics: Metrics = METRICS
) -> dict[str, dict[str, float]]:
    """Paired bootstrap of run less other: mean difference and its 95 % percentile interval.

    Resamples the queries that both runs have, RESAMPLES times; the seed fixes the interval
    (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13).
    """
    first, second = per_query(run, qrels, metrics), per_query(other, qrels, metrics)
    random = np.random.default_rng(seed)
    report: dict[str, dict[str, float]] = {}
    for name in metrics:
        both = sorted(first[name].keys() & second[name].keys())
        if not both:
            raise BadInput("--against: the two runs have no judged query in common")
        gaps = np.array([first[name][q] - second[name][q] for q in both])
        means = gaps[random.integers(0, len(gaps), (RESAMPLES, len(gaps)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        values = {"difference": gaps.mean(), "low": low, "high": high}
        report[name] = {key: round(float(value), 6) for key, value in values.items()}
    return report


_RUN: TypeAdapter[Run] = TypeAdapter(dict[str, dict[str, FiniteFloat]])


def read_run(path: Path, queries: Collection[str] = ()) -> Run:
    """A run that was written before, with at least one of ``queries`` where some are given.

    Raises BadInput naming the file and what is wrong in it.
    """
    place = f"--against: {path.name}"
    try:
        run = _RUN.validate_python(json.loads(path.read_text("utf-8-sig")))
    except OSError as exc:
        raise BadInput(f"{place} could not be read ({exc.strerror}) as a run.json") from exc
    except ValidationError as exc:
        raise BadInput(f"{place}: {first_error(exc)}; name a file written with --out") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{place} is not JSON and could not be read as a run.json") from None
    if not run:
        raise BadInput(f"{place} holds no query; name a file written with --out")
    if queries and run.keys().isdisjoint(queries):
        raise BadInput(f"{place} holds none of the judged queries; name a run of the same queries")
    return run


def write_run(run: Run, path: Path) -> None:
    """One run as JSON; the folder is made when it is missing, an earlier file is overwritten.

    Raises BadInput naming the file and the reason where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(run), "utf-8")
    except OSError as exc:
        reason = f"{path.name} could not be written ({exc.strerror})"
        raise BadInput(f"--out, --stages: {reason}; choose another place") from exc


def write_stages(stages: Mapping[str, Run], folder: Path) -> None:
    """One file per stage, numbered in the order of the tree, ``/`` written as a dot.

    Names such as ``02-hybrid.bm25.json``. Files of earlier runs stay. Raises BadInput naming the
    file that cannot be written.
    """
    for number, (name, run) in enumerate(stages.items(), start=1):
        write_run(run, folder / f"{number:02}-{name.replace('/', '.')}.json")
