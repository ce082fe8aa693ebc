"""Learn the weights of catalogs that tell how people ask: ``python -m benchmarks.train_asked``.

From the served requests in ``assets/honesty/known`` and from sets of tests/data that are tuned on;
no unseen set and no judged corpus is read. Prints what the requests of records that were left out
and a set kept apart get, and writes ``assets/ranker/asked.safetensors``. ``--check`` writes
nothing. Some ten minutes.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy.optimize import minimize

from retrieval.catalog import load_catalog
from retrieval.core import State
from retrieval.engine import Engine
from retrieval.explain.known.requests import LISTED
from retrieval.rerank import LearnedRank, Shortfall
from retrieval.settings import ROOT, Settings
from retrieval.wiring import Preparation, Sizes
from retrieval.wiring.ranking import ASKED_WEIGHTS, Ranking, later, signals
from retrieval.wiring.shipped.judged import KNOWN

DATA = ROOT / "tests" / "data"
TASKS = ROOT / "benchmarks" / "tasks.jsonl"
TUNING = (
    "hard_seventeen_tuning",
    "hard_seventeen_kept",
    "hard_writers_tuning",
    "wishes_tuning",
    "wishes_fresh_tuning",
    "wishes_late_tuning",
    "wishes_nineteen_tuning",
)
"""Requests that several records serve, all of which are named."""

KEPT = "hard_writers_kept"

SIGNALS = (
    "before",
    "rare phrases",
    "core phrases",
    "core words",
    "concepts",
    "operations",
    "named by results",
    "well known",
    "known words",
    "words of the best",
    "judged requests",
)
"""What backward elimination left: without the other five no set lost more than .01."""

COSTS = 3
"""Further rows of a matrix, as losses: of parts that are lacking, of another organ, other tasks."""

SEVERAL = 0.6
"""Weight of the sets in TUNING; the rest is that of requests written from one record."""

RIDGE = 0.002
"""Penalty on the squared distance from equal weights."""

APART = 400
"""Served requests nearer than so many lines may be of the same hand, and say nothing of a row."""

FOLDS = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A request as the ranker sees it: ``inputs`` (signals and COSTS, candidates), ``right`` by
    candidate.

    ``fold`` is that of its first right record.
    """

    inputs: Floats
    right: NDArray[np.bool_]
    fold: int


@dataclass(frozen=True, slots=True)
class Request:
    """A text with the ids of the records that serve it, and its line among the served ones."""

    text: str
    right: frozenset[str]
    line: int | None = None


def served() -> list[Request]:
    """The judged requests that records serve, in the order of their vectors."""
    lines = (KNOWN / "requests.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if "served" in row]
    return [Request(row["text"], frozenset(row["served"]), n) for n, row in enumerate(rows)]


def several() -> list[Request]:
    """The requests of TUNING and of the tasks."""
    tasks = [json.loads(line) for line in TASKS.read_text("utf-8").splitlines()]
    rows = [Request(task["text"], frozenset(task["tools"])) for task in tasks if task["tools"]]
    return [*rows, *(request for name in TUNING for request in labelled(name))]


def labelled(name: str) -> list[Request]:
    """The requests of one set of tests/data whose right tools are named."""
    rows = map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [
        Request(row["query"], frozenset(right))
        for row in rows
        if (right := row.get("right") or row.get("task_tools"))
    ]


class Reader:
    """Reads requests as rows, by the stages of an engine."""

    def __init__(self) -> None:
        settings = Settings(_env_file=None)
        preparation = Preparation(settings, Sizes())
        preparation.begin(load_catalog(settings.catalog))
        preparation.complete()
        self._engine = Engine(preparation.snapshot(), seconds=math.inf)
        self._parts, ranking = preparation.parts, preparation.parts.ranking
        assert isinstance(ranking, Ranking)
        self._stage = LearnedRank(signals(self._parts, ranking), {}, later=later(ranking))
        self._served = served()
        self._vectors = self._parts.encoder.encode([request.text for request in self._served])

    def rows(self, requests: Sequence[Request]) -> Iterator[Row]:
        """The rows of those of which a right record is a candidate, and a wrong one too."""
        for request in requests:
            nodes = self._engine.run(request.text).result.walk()
            state = next((node.state for node in nodes if node.name == "graph"), None)
            if state is None:
                continue
            ids = [candidate.tool.id for candidate in state.candidates]
            right = np.array([tool_id in request.right for tool_id in ids])
            if 0 < right.sum() < len(right):
                first = min(request.right)
                fold = int(md5(first.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS
                yield Row(self._inputs(state, ids, request), right, fold)

    def _inputs(self, state: State, ids: Sequence[str], request: Request) -> Floats:
        names = (signal.name for signal in self._stage.all_signals)
        units = dict(zip(names, self._stage.units(state), strict=True))
        if request.line is not None:
            units["judged requests"] = self._alike(ids, request.line)
        lacking = self._parts.shortfalls
        assert not isinstance(lacking, str)
        short = lacking(state.query.text, ids) or [Shortfall()] * len(ids)
        costs = [(-s.cost, -float(bool(s.elsewhere)), -float(s.other_tasks)) for s in short]
        return np.concatenate([[units[name] for name in SIGNALS], np.array(costs).T])

    def _alike(self, ids: Sequence[str], line: int) -> Floats:
        """The signal of judged requests, less those of the same hand as one of them."""
        cosines = (self._vectors @ self._vectors[line]).astype(np.float64)
        cosines[max(0, line - APART + 1) : line + APART] = -1.0
        nearest = np.argsort(-cosines)[:LISTED]
        best: dict[str, float] = {}
        for n in nearest:
            for tool_id in self._served[n].right:
                best.setdefault(tool_id, cosines[n])
        values = np.array([best.get(tool_id, cosines[nearest[-1]]) for tool_id in ids])
        return np.asarray((values - values.min()) / max(float(np.ptp(values)), 1e-9))


def fitted(groups: Sequence[tuple[Sequence[Row], float]]) -> Floats:
    """Weights (signals and COSTS,), none negative, under which a right record comes first.

    Minimises the mean over each group of -log of the chance, by softmax, that the first record is
    right (the listwise loss of Cao and others, ICML 2007, for one place), each group by its weight.
    """
    centre = np.concatenate([np.ones(len(SIGNALS)), np.zeros(COSTS)])
    weighed = [(row, share / len(rows)) for rows, share in groups for row in rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - centre
        total, slope = RIDGE * float(away @ away), 2 * RIDGE * away
        for row, share in weighed:
            scores = weights @ row.inputs
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            hit = chance[row.right].sum() + 1e-12
            total -= share * float(np.log(hit))
            slope += share * (row.inputs @ (chance - np.where(row.right, chance / hit, 0.0)))
        return total, slope

    bounds = [(0.0, None)] * len(centre)
    often = {"maxiter": 40}  # a hundred change no weight by more than .01
    solution = minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds, options=often).x
    return np.asarray(solution, dtype=np.float64)


def learned(from_one: Sequence[Row], from_several: Sequence[Row]) -> Floats:
    """The weights of requests of both kinds."""
    return fitted([(from_one, 1 - SEVERAL), (from_several, SEVERAL)])


def places(rows: Sequence[Row], weights: Floats) -> list[int]:
    """The place, from 0, of the first right record of each row; ties in the order they came."""
    orders = (np.argsort(-(weights @ row.inputs), kind="stable") for row in rows)
    return [int(np.argmax(row.right[order])) for row, order in zip(rows, orders, strict=True)]


def shares(found: Sequence[int]) -> str:
    """The shares of first places and of the first three."""
    at = np.array(found)
    return f"first {np.mean(at < 1):.3f}, first three {np.mean(at < 3):.3f} of {len(at)}"


def spans(rows: Sequence[Row], weights: Floats) -> float:
    """The median span of scores, as the stage ``parts`` reads it; the weights add up to 1."""
    scores = (np.sort(weights @ row.inputs[: len(SIGNALS)])[::-1] for row in rows)
    return float(np.median([s[len(s) // 10] - s[-1] for s in scores]))


def main() -> None:
    """Read the requests, learn, print and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args()
    reader = Reader()
    one, many = list(reader.rows(served())), list(reader.rows(several()))
    apart: list[int] = []
    for fold in range(FOLDS):
        rest = learned([row for row in one if row.fold != fold], many)
        apart += places([row for row in one if row.fold == fold], rest)
    weights = learned(one, many)
    print(f"served, records left out: {shares(apart)}")
    for name, rows in (("several", many), (KEPT, list(reader.rows(labelled(KEPT))))):
        print(f"{name}: {shares(places(rows, weights))}")
    whole = weights[: len(SIGNALS)].sum()
    values: dict[str, Any] = dict(zip(SIGNALS, weights / whole, strict=False))
    print("\n".join(f"{name}: {value:.3f}" for name, value in values.items()))
    lost = weights[len(SIGNALS) :] / whole / spans(many, weights[: len(SIGNALS)] / whole)
    print(f"parts lacking, other organ, other tasks, as parts of the span: {np.round(lost, 3)}")
    if not args.check:
        tensors = {name: np.array([w], dtype=np.float32) for name, w in values.items() if w > 0}
        save_file(tensors, ASKED_WEIGHTS)
        ASKED_WEIGHTS.chmod(0o644)


if __name__ == "__main__":
    main()
