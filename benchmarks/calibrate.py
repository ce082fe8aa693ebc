"""Weights and threshold of the scope estimate: ``python -m benchmarks.calibrate [--check]``.

Logistic regressions over the signals of queries that the catalog serves and of queries that it
does not: one of English queries, one of those that are read word by word. Folds hold out whole
topics, so that no topic is both trained on and measured.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.catalog import load_catalog
from retrieval.core import Query, Stage, State
from retrieval.explain import EVERYDAY as TASKS
from retrieval.explain import (
    SERVED,
    SIGNALS,
    Calibration,
    OutOfScopeExamples,
    ScopeEstimator,
    ScopeModel,
)
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
from retrieval.wiring.searching import read

DATA = ROOT / "tests" / "data"
FOLDS, SEEDS = 10, 3
RIDGE = 0.1
"""Strength of the L2 penalty on standardised weights."""

ROUNDS = 50
"""Newton steps; a convex loss of a few dimensions needs far fewer."""

FALSE = 0.015
"""Share of the in-scope queries that the threshold may refuse in training."""

NONE = ScopeModel(weights={}, bias=0.0)
"""Stands for a model where only signals are wanted."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuery:
    """A query text, the topic it belongs to, and whether the catalog is for such tasks.

    ``translated`` marks one of the set in other languages: where none of its words is known, it
    teaches nothing of English ones.
    """

    text: str
    group: str
    fits: bool
    translated: bool = False


def read_queries() -> list[LabelledQuery]:
    """In-scope queries, the others, and those in other languages, in the order of their files."""
    english = [
        LabelledQuery(text=row["text"], group=row["group"], fits=fits)
        for name, fits in (("in_scope", True), ("out_of_scope", False))
        for row in _rows(name)
    ]
    judged = [r for r in _rows("refusals_tuning") if r["half"] == "tuning" and r["expect"] != "gap"]
    labelled = [(row["query"], row["expect"] == "served", row.get("lang", "en")) for row in judged]
    labelled += [(row["text"], row["fits"], row["lang"]) for row in _rows("foreign_scope_tuning")]
    return english + [
        LabelledQuery(text=text, group=text, fits=fits, translated=language != "en")
        for text, fits, language in labelled
    ]


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


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
    """The signals of all queries; the contrast with everyday tasks is computed per fold.

    ``is_foreign`` marks the queries that are read word by word, ``is_english`` those of the sets
    that are in English but for some: without these it refuses misspelt ones. Everyday tasks are of
    the latter.
    """

    queries: Sequence[LabelledQuery]
    scope: ScopeEstimator
    read: Stage

    def __post_init__(self) -> None:
        texts = [query.text for query in self.queries]
        states = (State(query=Query(raw=text, text=text)) for text in texts)
        readings = [self.read.run(state).state.query.reading for state in states]
        self.fits = np.array([query.fits for query in self.queries])
        self.is_foreign = np.array([bool(reading) for reading in readings])
        self.is_english = ~np.array([query.translated for query in self.queries])
        pairs = list(zip(texts, readings, strict=True))
        self.vectors = self.scope.encoder.encode([" ".join(r) or text for text, r in pairs])
        self.groups = np.array([f"{query.fits}{query.group}" for query in self.queries])
        served = [self.scope.store.search(v, 1)[0][1] >= SERVED for v in self.vectors]
        self.everyday = ~self.fits & self.is_english
        self._contrast = self.everyday & ~np.array(served)
        self._rows = np.array([self._signals(text, reading) for text, reading in pairs])
        self.other = np.array([self.scope.unserved(text, "modality") for text in texts])
        self.in_field = np.array([field_evidence().names_field(text) for text in texts])

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
        near = np.where((mask & self._contrast)[None, :], self.vectors @ self.vectors.T, -1.0)
        near[self.groups[:, None] == self.groups[None, :]] = -1.0
        out[:, SIGNALS.index("everyday")] = np.sort(near, axis=1)[:, -TASKS:].mean(axis=1)
        return out


def cross_validated(
    measured: Measured, columns: Sequence[int], *, foreign: bool = False
) -> dict[str, float]:
    """Shares of refused out-of-scope and in-scope queries, over topics unseen in training.

    Of English queries, or of those that are read word by word.
    """
    refused = np.zeros(len(measured.fits))
    here = measured.is_foreign if foreign else measured.is_english
    for seed in range(SEEDS):
        for out in folds(measured.queries, seed):
            rows, learned, asked = measured.rows(~out)[:, columns], here & ~out, here & out
            weights, bias = fitted(rows[learned], measured.fits[learned])
            refusals = (rows[asked] @ weights + bias < 0) | measured.other[asked]
            refused[asked] += (refusals & ~measured.in_field[asked]) / SEEDS
    return {
        "refused": round(float(refused[here & ~measured.fits].mean()), 4),
        "falsely refused": round(float(refused[here & measured.fits].mean()), 4),
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
        calibration=Calibration(encoder=parts.encoder.id, english=NONE, foreign=NONE),
        everyday=OutOfScopeExamples(encoder=parts.encoder.id, vectors=none),
        coverage=coverage,
        words=parts.bm25.best_share,
        annotator=parts.annotator,
        graph=parts.graph,
        field_evidence=field_evidence(),
        around=around(),
    )
    return Measured(read_queries(), scope, read(parts))


def write(measured: Measured, extra: dict[str, object], folder: Path) -> None:
    """The weights of models of all queries, and the vectors of the everyday tasks."""
    rows = measured.rows(np.ones(len(measured.fits), dtype=bool))
    models = {}
    for name, here in (("english", measured.is_english), ("foreign", measured.is_foreign)):
        weights, bias = fitted(rows[here], measured.fits[here])
        models[name] = {
            "weights": {n: round(float(w), 6) for n, w in zip(SIGNALS, weights, strict=True)},
            "bias": round(bias, 6),
        }
    data = {"encoder": measured.scope.encoder.id, **models, **extra}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CALIBRATION.name).write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    everyday = measured.vectors[measured.everyday].astype(np.float16)
    np.save(folder / EVERYDAY.name, everyday, allow_pickle=False)


def main() -> None:
    """Print the fold figures of each choice, and write the models unless asked to check only."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="print figures, write nothing")
    check = parser.parse_args().check
    measured = measured_on(Settings(_env_file=None))
    every = range(len(SIGNALS))
    choices = {
        "nearby alone": [0],
        **{f"without {n}": [at for at in every if SIGNALS[at] != n] for n in SIGNALS},
        "all": list(every),
    }
    results = {name: cross_validated(measured, used) for name, used in choices.items()}
    results["foreign"] = cross_validated(measured, every, foreign=True)
    for name, shares in results.items():
        print(f"{name:20} {shares}")
    if not check:
        fits, is_foreign, is_english = measured.fits, measured.is_foreign, measured.is_english
        counts = {
            "in scope": int((fits & is_english).sum()),
            "out of scope": int((~fits & is_english).sum()),
            "foreign, in scope": int((fits & is_foreign).sum()),
            "foreign, out of scope": int((~fits & is_foreign).sum()),
        }
        write(measured, {"queries": counts, "folds": results}, CALIBRATION.parent)


if __name__ == "__main__":
    main()
