"""Weights and threshold of the scope estimate: ``python -m benchmarks.calibrate [--check]``.

A logistic regression over the signals of queries that the catalog serves and of queries that it
does not. Folds hold out whole topics, so that no topic is both trained on and measured.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import load_catalog
from retrieval.core import Query, State
from retrieval.explain import EVERYDAY as TASKS
from retrieval.explain import SERVED, SIGNALS, Calibration, OutOfScopeExamples, ScopeEstimator
from retrieval.query import Read
from retrieval.settings import ROOT, Settings
from retrieval.wiring import (
    CALIBRATION,
    EVERYDAY,
    Preparation,
    around,
    coverage,
    field_evidence,
    sizes_of,
)

DATA = ROOT / "tests" / "data"
FOLDS, SEEDS = 10, 3
RIDGE = 0.1
"""Strength of the L2 penalty on standardised weights."""

ROUNDS = 50
"""Newton steps; a convex loss of a few dimensions needs far fewer."""

FALSE = 0.015
"""Share of the in-scope queries that the threshold may refuse in training."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuery:
    """A query text, the topic it belongs to, and whether the catalog is for such tasks."""

    text: str
    group: str
    fits: bool


def read_queries() -> list[LabelledQuery]:
    """In-scope queries, then the others, in the order of their files."""
    return [
        LabelledQuery(text=row["text"], group=row["group"], fits=fits)
        for name, fits in (("in_scope", True), ("out_of_scope", False))
        for row in map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines())
    ]


def folds(queries: Sequence[LabelledQuery], seed: int) -> Iterator[NDArray[np.bool_]]:
    """One mask per fold of the queries held out, shape (queries,), True where held out.

    Topics are never divided, and every fold has topics of both kinds.
    """
    order = np.random.default_rng(seed).permutation(sorted({(a.fits, a.group) for a in queries}))
    named = [[tuple(row) for row in order if row[0] == kind] for kind in ("True", "False")]
    for fold in range(FOLDS):
        out = {topic for topics in named for topic in topics[fold::FOLDS]}
        yield np.array([(str(a.fits), a.group) in out for a in queries])


def logistic(rows: Rows, fits: NDArray[np.bool_]) -> tuple[Rows, float]:
    """Weights, shape (signals,), and bias of a ridge logistic regression by Newton's method.

    ``rows`` has shape (queries, signals), ``fits`` shape (queries,). Signals are standardised
    inside; the weights returned apply to the raw ones.
    """
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    x = np.c_[(rows - mean) / scale, np.ones(len(rows))]
    penalty = np.diag([*[RIDGE] * rows.shape[1], 0.0])
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-(x @ beta)))
        slope = x.T @ (fits - p) - penalty @ beta
        beta = beta + np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, slope)
    weights = beta[:-1] / scale
    return weights, float(beta[-1] - weights @ mean)


def fitted(rows: Rows, fits: NDArray[np.bool_]) -> tuple[Rows, float]:
    """Weights and bias whose threshold 0 refuses the share FALSE of the in-scope rows given."""
    weights, bias = logistic(rows, fits)
    scores = rows @ weights + bias
    return weights, bias - float(np.quantile(scores[fits], FALSE))


@dataclass
class Measured:
    """The signals of all queries; the contrast with everyday tasks is computed per fold."""

    queries: Sequence[LabelledQuery]
    scope: ScopeEstimator
    read: Read

    def __post_init__(self) -> None:
        self.fits = np.array([a.fits for a in self.queries])
        self.vectors = self.scope.encoder.encode([a.text for a in self.queries])
        self.groups = np.array([f"{a.fits}{a.group}" for a in self.queries])
        served = [self.scope.store.search(v, 1)[0][1] >= SERVED for v in self.vectors]
        self._contrast = ~self.fits & ~np.array(served)
        states = (State(query=Query(raw=a.text, text=a.text)) for a in self.queries)
        read = [self.read.run(state).state.query.reading for state in states]
        readings = [" ".join(r) or a.text for a, r in zip(self.queries, read, strict=True)]
        self._reading_vectors = self.scope.encoder.encode(readings)
        trust = [
            self.scope.trust(a.text) if r else 0.0 for a, r in zip(self.queries, read, strict=True)
        ]
        self._trust = np.array(trust)
        self._rows = np.array(
            [self._signals(a.text, r) for a, r in zip(self.queries, read, strict=True)]
        )
        self.other = np.array([self.scope.unserved(a.text, "modality") for a in self.queries])
        self.in_field = np.array([field_evidence().names_field(a.text) for a in self.queries])

    def _signals(self, text: str, reading: tuple[str, ...]) -> list[float]:
        none = np.zeros((0, self.vectors.shape[1]), dtype=np.float32)
        values = self.scope.signals(text, reading, none)
        return [values[name] for name in SIGNALS]

    def rows(self, mask: NDArray[np.bool_]) -> Rows:
        """All signals, shape (queries, signals), float64, in the order of the queries.

        ``mask`` selects the queries whose everyday tasks serve as contrast; those of a query's own
        topic are left out.
        """
        out = self._rows.copy()
        typed, as_read = (self._everyday(v, mask) for v in (self.vectors, self._reading_vectors))
        out[:, SIGNALS.index("everyday")] = typed + self._trust * (as_read - typed)
        return out

    def _everyday(self, vectors: NDArray[np.float32], mask: NDArray[np.bool_]) -> Rows:
        near = np.where((mask & self._contrast)[None, :], vectors @ self.vectors.T, -1.0)
        near[self.groups[:, None] == self.groups[None, :]] = -1.0
        return np.asarray(np.sort(near, axis=1)[:, -TASKS:].mean(axis=1))


def cross_validated(measured: Measured, columns: Sequence[int]) -> dict[str, float]:
    """Shares of refused out-of-scope and in-scope queries, over topics unseen in training."""
    refused = np.zeros(len(measured.fits))
    for seed in range(SEEDS):
        for out in folds(measured.queries, seed):
            rows = measured.rows(~out)[:, columns]
            weights, bias = fitted(rows[~out], measured.fits[~out])
            refusals = (rows[out] @ weights + bias < 0) | measured.other[out]
            refused[out] += (refusals & ~measured.in_field[out]) / SEEDS
    return {
        "refused": round(float(refused[~measured.fits].mean()), 4),
        "falsely refused": round(float(refused[measured.fits].mean()), 4),
    }


def measured_on(settings: Settings) -> Measured:
    """The signals over the shipped catalog; takes a minute."""
    preparation = Preparation(settings, sizes_of(settings))
    preparation.begin(load_catalog(settings.catalog))
    preparation.complete()
    parts = preparation.parts
    if parts.vectors is None or parts.terms is None or parts.annotator is None:
        raise SystemExit("the vectors of the catalog could not be made; see the log")
    none = np.zeros((0, parts.encoder.dim), dtype=np.float32)
    scope = ScopeEstimator(
        encoder=parts.encoder,
        store=parts.vectors,
        terms=parts.terms.highest,
        calibration=Calibration(encoder=parts.encoder.id, weights={}, bias=0.0),
        everyday=OutOfScopeExamples(encoder=parts.encoder.id, vectors=none),
        coverage=coverage,
        words=parts.bm25.best_share,
        annotator=parts.annotator,
        graph=parts.graph,
        field_evidence=field_evidence(),
        around=around(),
    )
    read = Read(parts.annotator, parts.english, parts.labels, parts.bm25.knows)
    return Measured(read_queries(), scope, read)


def write(measured: Measured, extra: dict[str, object], folder: Path) -> None:
    """The weights of a model of all queries, and the vectors of the everyday tasks."""
    rows = measured.rows(np.ones(len(measured.fits), dtype=bool))
    weights, bias = fitted(rows, measured.fits)
    data = {
        "encoder": measured.scope.encoder.id,
        "weights": {n: round(float(w), 6) for n, w in zip(SIGNALS, weights, strict=True)},
        "bias": round(bias, 6),
        **extra,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CALIBRATION.name).write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    everyday = measured.vectors[~measured.fits].astype(np.float16)
    np.save(folder / EVERYDAY.name, everyday, allow_pickle=False)


def main() -> None:
    """Print the fold figures of each choice, and write the model unless asked to check only."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="print figures, write nothing")
    check = parser.parse_args().check
    measured = measured_on(Settings(_env_file=None))
    choices = {"nearby alone": [0], **{f"without {n}": [] for n in SIGNALS}, "all": []}
    every = range(len(SIGNALS))
    results: dict[str, dict[str, float]] = {}
    for name, columns in choices.items():
        dropped = name.removeprefix("without ")
        used = columns or [n for n in every if SIGNALS[n] != dropped]
        results[name] = cross_validated(measured, used)
        print(f"{name:20} {results[name]}")
    if not check:
        counts = {"in scope": int(measured.fits.sum()), "out of scope": int((~measured.fits).sum())}
        write(measured, {"queries": counts, "folds": results}, CALIBRATION.parent)


if __name__ == "__main__":
    main()
