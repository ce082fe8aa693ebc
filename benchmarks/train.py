"""Learn the ranker's weights: ``python -m benchmarks.train FOLDER FOLDER``.

Prints what each set gains under cross-validation by tool and under the weights of the other
set alone, then writes the weights of all to ``assets/ranker/weights.safetensors``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from scipy.optimize import minimize

from benchmarks.ranking_data import Floats, Matrices, Rows, folds, matrices, measured, parts
from retrieval.settings import ROOT
from retrieval.wiring import WEIGHTS

DEFAULT = ROOT.parent / "shared" / "retrieval-dev"
FOLDS = 5
RIDGE = 0.05
"""Strength of the penalty on the distance from equal weights, chosen by transfer between sets."""


def fitted(sets: Sequence[Sequence[Rows]], width: int) -> Floats:
    """Weights that rank relevant candidates first, shape (width,), float64, sum 1, none negative.

    Minimises the ListNet loss by L-BFGS-B. Every set counts the same, whatever its size.
    """
    # A query whose candidates are all relevant, or none, says nothing about the order.
    weighted = [(r, 1 / len(judged) / len(sets)) for judged in sets for r in judged]
    mixed = [(r, share) for r, share in weighted if 0 < r.relevant.sum() < len(r.relevant)]

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - 1
        total, slope = RIDGE * float(away @ away), 2 * RIDGE * away
        for row, part in mixed:
            value, gradient = _listwise(row, weights)
            total, slope = total + part * value, slope + part * gradient
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


def scored(rows: Iterable[Rows], weights: Floats) -> list[Floats]:
    """One array of scores per query, in the order of its candidates, rounded to six decimals."""
    return [np.round(weights @ row.units, 6) for row in rows]


def crossed(sets: Sequence[Matrices], width: int) -> list[list[Floats]]:
    """Scores of every query by weights learned without its fold, from all sets together.

    One list per set, one array per query, in their order.
    """
    places = [folds(judged.rows, FOLDS) for judged in sets]
    scores: list[list[Floats]] = [[np.zeros(0)] * len(judged.rows) for judged in sets]
    for fold in range(FOLDS):
        pairs = zip(sets, places, strict=True)
        weights = fitted([list(parts(judged.rows, at, fold)) for judged, at in pairs], width)
        for mine, judged, at in zip(scores, sets, places, strict=True):
            for n, row in enumerate(judged.rows):
                if at[n] == fold:
                    mine[n] = np.round(weights @ row.units, 6)
    return scores


def line(label: str, judged: Matrices, scores: Sequence[Floats]) -> str:
    """One row of the table."""
    gain, recall = measured(judged.rows, scores)
    return f"| {judged.name} | {label} | {gain.mean():.3f} | {recall.mean():.3f} |"


def report(sets: Sequence[Matrices]) -> list[str]:
    """Before, under folds, from the other sets alone, and less one signal at a time."""
    names = sets[0].signals
    width, before = len(names), names.index("before")
    lines = ["| set | weights | nDCG@10 | Recall@50 |", "|---|---|---|---|"]
    for judged, scores in zip(sets, crossed(sets, width), strict=True):
        others = [other.rows for other in sets if other is not judged]
        lines.append(line("none (the list before)", judged, [r.units[before] for r in judged.rows]))
        lines.append(line(f"{FOLDS} folds by tool", judged, scores))
        lines.append(
            line("the other set alone", judged, scored(judged.rows, fitted(others, width)))
        )
    return lines


def main() -> None:
    """Learn from the folders named, or from the development sets where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[])
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    folders = args.folders or sorted(p for p in DEFAULT.glob("*") if p.is_dir())
    if len(folders) < 2:
        raise SystemExit("two judged sets are needed: one is to carry over to the other")
    sets = [matrices(folder) for folder in folders]
    print("\n".join(report(sets)))
    names = sets[0].signals
    weights = fitted([judged.rows for judged in sets], len(names))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    save_file(
        {n: np.array([w], dtype=np.float32) for n, w in zip(names, weights, strict=True)}, args.out
    )
    args.out.chmod(0o644)
    print("\n".join(f"{name}: {weight:.3f}" for name, weight in zip(names, weights, strict=True)))


if __name__ == "__main__":
    main()
