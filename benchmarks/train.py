"""Learn the ranker's weights from made-up requests: ``python -m benchmarks.train``.

The requests are made of stated facts (``benchmarks/generated.py``), the same ones for the same
seed; no judged query is read. Writes ``assets/ranker/weights.safetensors``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from scipy.optimize import minimize

from benchmarks.generated import REQUESTS, SEED, generated
from benchmarks.ranking_data import Floats, Rows, collector
from retrieval import read_settings
from retrieval.evaluation import evaluate, prepared
from retrieval.wiring import WEIGHTS

KINDS = ("set", "known")
"""Kinds of requests that are learned from; sentences of the records favour pieces of words."""

RIDGES = (0.05, 0.3, 1.0, inf)
"""Strengths of the penalty on the distance from equal weights; without end they stay equal."""

RIDGE = inf
"""The one of ``RIDGES`` that judged corpora choose for one another (``left_out``): weights learned
from made-up requests serve made-up requests best and judged ones worse."""


def learning_rows(count: int = REQUESTS, seed: int = SEED) -> tuple[tuple[str, ...], list[Rows]]:
    """The names of the signals and the made-up requests of KINDS as matrices."""
    judged = generated(count, seed)
    engine, preparation = prepared(judged, read_settings())
    seen = collector(judged, preparation.parts)
    evaluate(judged, engine, "hybrid", seen.add)
    names = tuple(signal.name for signal in seen.stage.all_signals)
    return names, [row for row in seen.rows if row.kind in KINDS]


def fitted(rows: Sequence[Rows], width: int, ridge: float = RIDGE) -> Floats:
    """Weights that rank relevant candidates first, shape (width,), float64, sum 1, none negative.

    Minimises the ListNet loss by L-BFGS-B; equal ones where the ridge has no end.
    """
    if ridge == inf:
        return np.full(width, 1 / width)
    # A query whose candidates are all relevant, or none, says nothing about the order.
    mixed = [r for r in rows if 0 < r.relevant.sum() < len(r.relevant)]

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - 1
        total, slope = ridge * float(away @ away), 2 * ridge * away
        for row in mixed:
            value, gradient = _listwise(row, weights)
            total, slope = total + value / len(mixed), slope + gradient / len(mixed)
        return total, slope

    bounds = [(0.0, None)] * width
    solution = minimize(loss, np.ones(width), jac=True, method="L-BFGS-B", bounds=bounds).x
    return np.asarray(solution / solution.sum(), dtype=np.float64)


def _listwise(row: Rows, weights: Floats) -> tuple[float, Floats]:
    """Loss and gradient of ListNet (Cao and others, ICML 2007): cross-entropy with the relevant."""
    scores = weights @ row.units
    chance = np.exp(scores - scores.max())
    chance /= chance.sum()
    wanted = row.relevant / row.relevant.sum()
    return float(-(wanted * np.log(chance + 1e-12)).sum()), row.units @ (chance - wanted)


def main() -> None:
    """Make the requests, learn, write the weights and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    names, rows = learning_rows(args.requests, args.seed)
    weights = fitted(rows, len(names), args.ridge)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    numbers = zip(names, weights, strict=True)
    save_file({name: np.array([w], dtype=np.float32) for name, w in numbers}, args.out)
    args.out.chmod(0o644)
    print(f"{len(rows)} requests")
    print("\n".join(f"{name}: {weight:.3f}" for name, weight in zip(names, weights, strict=True)))


if __name__ == "__main__":
    main()
