"""Weights of the score that a tool is shown with: ``python -m benchmarks.score [FILE]``.

Two logistic models (with vectors; by words alone) over the evidence of the first tools for
requests whose right tools are known, written to ``assets/honesty/score.json`` with what they were
fitted on. Folds hold out whole requests. FILE has a request a line: ``query``, ``task_tools``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibrate import logistic
from retrieval import open_engine
from retrieval.explain import EVIDENCE_OF_SCORE
from retrieval.settings import ROOT
from retrieval.wiring import SCORE

DEFAULT = ROOT / "tests" / "data" / "wishes_tuning.jsonl"

FIRST = 10
"""Places of a list that are learned from: those that a visitor sees."""

FOLDS, BINS = 10, 5

Rows = NDArray[np.float64]


def places(path: Path) -> tuple[str, Rows, NDArray[np.bool_], NDArray[np.int64]]:
    """Encoder, evidence (places, EVIDENCE_OF_SCORE), whether the tool was right, the request."""
    engine = open_engine()
    scale = engine.current().scale
    if scale is None:
        raise SystemExit("the engine gives no scores; see the log")
    rows, right, requests = [], [], []
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        request = json.loads(line)
        answer = engine.run(request["query"], "hybrid", top_k=FIRST)
        ids = [c.tool.id for c in answer.candidates[:FIRST]]
        evidence = scale.evidence(answer.query, ids, answer.insight.concepts)
        for tool, row in zip(ids, evidence, strict=True):
            rows.append([row[name] for name in EVIDENCE_OF_SCORE])
            right.append(tool in request["task_tools"])
            requests.append(number)
    return scale.weights.encoder, np.array(rows), np.array(right), np.array(requests)


def model(rows: Rows, right: NDArray[np.bool_], names: Sequence[str]) -> dict[str, float]:
    """The weights and the bias of a logistic model over these columns."""
    columns = [EVIDENCE_OF_SCORE.index(name) for name in names]
    weights, bias = logistic(rows[:, columns], right)
    named = zip((*names, "bias"), (*weights, bias), strict=True)
    return {name: round(float(value), 6) for name, value in named}


def estimates(rows: Rows, weights: Mapping[str, float]) -> Rows:
    """The share of right places that the model expects, per row."""
    columns = [EVIDENCE_OF_SCORE.index(name) for name in weights if name != "bias"]
    factors = np.array([value for name, value in weights.items() if name != "bias"])
    return np.asarray(1 / (1 + np.exp(-weights["bias"] - rows[:, columns] @ factors)))


def held_out(
    rows: Rows, right: NDArray[np.bool_], requests: NDArray[np.int64], names: Sequence[str]
) -> list[tuple[float, float]]:
    """Mean estimate and share of right places in BINS equal parts, of requests held out."""
    expected = np.zeros(len(rows))
    for fold in range(FOLDS):
        out = requests % FOLDS == fold
        expected[out] = estimates(rows[out], model(rows[~out], right[~out], names))
    parts = np.array_split(np.argsort(expected, kind="stable"), BINS)
    return [
        (round(float(expected[part].mean()), 3), round(float(right[part].mean()), 3))
        for part in parts
    ]


def main() -> None:
    """Fit, print how the estimates hold on requests held out, and write the weights."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    encoder, rows, right, requests = places(path)
    data: dict[str, object] = {"encoder": encoder}
    for kind, names in (("with_vectors", EVIDENCE_OF_SCORE), ("words_only", ("concepts", "words"))):
        data[kind] = model(rows, right, names)
        print(kind, data[kind], "expected and right:", held_out(rows, right, requests, names))
    data["fitted_on"] = f"{path.name}: {requests[-1] + 1} requests, {len(rows)} places"
    SCORE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
