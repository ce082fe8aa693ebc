"""Judged runs: a BEIR folder through the ordinary path, with metrics per stage."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import ir_measures
import numpy as np
from ir_measures import RR, R, nDCG

from retrieval.build import Preparation
from retrieval.build.parts import Sizes
from retrieval.catalog import Catalog, Record
from retrieval.core.errors import BadInput
from retrieval.core.stage import StageResult
from retrieval.core.types import Candidate
from retrieval.engine import Answer, Engine
from retrieval.settings import Settings

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
"""What a ladder of queries is measured by: the same tools asked for more and more vaguely."""

PER_LIST = 100
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A benchmark: documents as records with null facts, texts of queries, graded qrels."""

    catalog: Catalog
    queries: dict[str, str]
    types: dict[str, str]
    qrels: dict[str, dict[str, int]]


def read_beir(folder: Path) -> Judged:
    """Read ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/test.tsv``.

    Only ``_id``, ``title`` and ``text`` of a document are read. Raises BadInput naming the file.
    """
    records = (
        Record.model_construct(
            **{
                **_EMPTY,
                "id": row["_id"],
                "name": row.get("title") or row["_id"],
                "description": row.get("text") or "",
            }
        )
        for row in _rows(folder / "corpus.jsonl")
    )
    queries = list(_rows(folder / "queries.jsonl"))
    return Judged(
        catalog=Catalog(records=tuple(sorted(records, key=lambda r: r.id))),
        queries={q["_id"]: q["text"] for q in queries},
        types={q["_id"]: str((q.get("metadata") or {}).get("type", "all")) for q in queries},
        qrels=_qrels(folder / "qrels" / "test.tsv"),
    )


_NOTHING = Record(id="x", name="x", description="x")
_EMPTY = {name: getattr(_NOTHING, name) for name in Record.model_fields}
"""The fields of a record of which nothing is known."""


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as handle:
            for number, line in enumerate(handle, start=1):
                if line.strip():
                    yield _row(path.name, number, line)
    except OSError as exc:
        raise BadInput(f"--beir: {path.name} could not be read ({exc.strerror})") from exc


def _row(name: str, number: int, line: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
    except ValueError as exc:
        raise BadInput(f"--beir: {name}, line {number} is not JSON") from exc
    if "_id" not in row:
        raise BadInput(f"--beir: {name}, line {number} has no _id")
    return row


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            for row in csv.DictReader(handle, delimiter="\t"):
                qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    except (OSError, KeyError, ValueError) as exc:
        raise BadInput(
            f"--beir: {path.name} could not be read as query-id, corpus-id, score"
        ) from exc
    return qrels


def engine_of(judged: Judged, settings: Settings) -> Engine:
    """An engine over the documents, its index and vectors in a cache of their own."""
    return prepared(judged, settings)[0]


def prepared(judged: Judged, settings: Settings) -> tuple[Engine, Preparation]:
    """The engine, and what it was made from."""
    cache = settings.cache_dir / "judged" / judged.catalog.sha256[:16]
    apart = settings.model_copy(update={"index_dir": cache / "index", "cache_dir": cache})
    sizes = Sizes(per_list=PER_LIST, final=None, nodes=2 * PER_LIST, hops=settings.graph_hops)
    preparation = Preparation(apart, sizes)
    engine = Engine(preparation.begin(judged.catalog), reader=_no_files, seconds=float("inf"))
    preparation.publish = lambda snapshot: engine.swap(snapshot, ready=False)
    preparation.complete()
    if settings.vector_search:
        preparation.encoder.remember(judged.queries.values())
    return engine, preparation


def _no_files(*_: object, **__: object) -> NoReturn:
    raise BadInput("judged runs take no files")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Runs of the whole and of every stage that gave candidates, in the order of the tree."""

    final: Run
    stages: dict[str, Run]
    answers: int


def evaluate(
    judged: Judged, engine: Engine, mode: str, each: Callable[[Answer], None] = lambda a: None
) -> Result:
    """Every query through the mode; an empty list stays an empty dict."""
    final: Run = {}
    stages: dict[str, Run] = {}
    for qid, text in judged.queries.items():
        answer = engine.run(text, mode)
        each(answer)
        final[qid] = falling(answer.candidates)
        for node in answer.result.stages():
            if node.ran:
                stages.setdefault(node.name, {})[qid] = _listed(node)
    for run in stages.values():
        for qid in judged.queries:
            run.setdefault(qid, {})
    return Result(final=final, stages=stages, answers=len(final))


def _listed(node: StageResult) -> dict[str, float]:
    return falling(node.state.candidates)


def falling(candidates: Iterable[Candidate]) -> dict[str, float]:
    """Scores that fall strictly with rank, so that every reader sees one order."""
    return {c.tool.id: 1.0 / rank for rank, c in enumerate(candidates, start=1)}


def measure(run: Run, qrels: Qrels, metrics: Metrics = METRICS) -> dict[str, float]:
    """nDCG@10, Recall@50 and MRR@10, or others, over the judged queries, by ir-measures."""
    found = ir_measures.calc_aggregate(metrics.values(), qrels, run)
    return {name: round(float(found[metric]), 6) for name, metric in metrics.items()}


def per_query(run: Run, qrels: Qrels, metrics: Metrics = METRICS) -> dict[str, dict[str, float]]:
    """Per metric the value of every judged query, in ascending order of query id."""
    values: dict[str, dict[str, float]] = {name: {} for name in metrics}
    names = {str(metric): name for name, metric in metrics.items()}
    for value in ir_measures.iter_calc(metrics.values(), qrels, run):
        values[names[str(value.measure)]][value.query_id] = float(value.value)
    return {name: dict(sorted(told.items())) for name, told in values.items()}


def compared(
    run: Run, other: Run, qrels: Qrels, seed: int = 0, metrics: Metrics = METRICS
) -> dict[str, dict[str, float]]:
    """Paired bootstrap of run less other: mean difference and its 95 % interval."""
    ours, theirs = per_query(run, qrels, metrics), per_query(other, qrels, metrics)
    random = np.random.default_rng(seed)
    told: dict[str, dict[str, float]] = {}
    for name in metrics:
        both = sorted(ours[name].keys() & theirs[name].keys())
        gaps = np.array([ours[name][q] - theirs[name][q] for q in both])
        means = gaps[random.integers(0, len(gaps), (RESAMPLES, len(gaps)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        values = {"difference": gaps.mean(), "low": low, "high": high}
        told[name] = {key: round(float(value), 6) for key, value in values.items()}
    return told


def read_run(path: Path) -> Run:
    """A run that was written before. Raises BadInput naming the file."""
    try:
        run: Run = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as exc:
        raise BadInput(f"--against: {path.name} could not be read as a run.json") from exc
    return run


def write_run(run: Run, path: Path) -> None:
    """One run as JSON; the folder is made when it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run), "utf-8")


def write_stages(stages: Mapping[str, Run], folder: Path) -> None:
    """One file a stage, numbered in the order of the tree, ``/`` written as a dot."""
    for number, (name, run) in enumerate(stages.items(), start=1):
        write_run(run, folder / f"{number:02}-{name.replace('/', '.')}.json")
