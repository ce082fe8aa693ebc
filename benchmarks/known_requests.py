"""Vectors and words of the requests that people judged, and the weights of a gap beside them.

``python -m benchmarks.known_requests`` encodes ``assets/honesty/known/requests.jsonl`` and fits the
model on the requests of LABELLED, each compared with those of other writers alone; it prints what
writers whose requests were not fitted on are told. ``--check`` writes nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibrate import logistic
from benchmarks.wishes import ready_engine
from retrieval import Engine
from retrieval.core import Vectors
from retrieval.dense import OnnxEncoder, exported
from retrieval.engine.gap_evidence import evidence_of
from retrieval.explain import GAP_SIGNALS, SharedWords
from retrieval.explain.known.requests import COMPARED, Nearness, side_of
from retrieval.query import asked_part
from retrieval.settings import ROOT, Settings
from retrieval.wiring.shipped.judged import KNOWN

DATA = ROOT / "tests" / "data"
LABELLED = (
    "gaps_writers_tuning",
    "gaps_seventeen_tuning",
    "gaps_nineteen_tuning",
    "gaps_twenty_tuning",
)
"""Requests of writers who had read no rule, with whether some record serves each."""

FALSE = 0.03
"""Share of the served requests of other writers that the threshold may call gaps."""


Signals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A request that somebody judged."""

    text: str
    writer: str
    gap: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """Labelled requests that are judged by evidence, with their signals (requests, GAP_SIGNALS).

    ``unread`` are those of which nothing is told: a refusal, the name of a tool.
    """

    rows: list[Row]
    signals: Signals
    unread: list[Row]


def judged() -> list[Row]:
    """The shipped requests in the order of their file: needs and served ones."""
    lines = (KNOWN / "requests.jsonl").read_text("utf-8").splitlines()
    return [
        Row(row.get("text") or row["need"], row.get("writer", ""), "need" in row)
        for row in map(json.loads, lines)
    ]


def labelled(name: str) -> list[Row]:
    """The requests of one set; those of a set without writers are of one."""
    lines = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [
        Row(row["query"], row.get("writer", name), row["gap"])
        for row in map(json.loads, filter(str.strip, lines))
    ]


def write_index(path: Path, vectors: Vectors) -> None:
    """The vectors as an index of inner products over 8-bit values, of 8 bits."""
    import faiss

    kind = faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    faiss.write_index(index, str(path))


def measured(
    engine: Engine, rows: Sequence[Row], bank: Sequence[Row], vectors: Vectors
) -> Measured:
    """Signals of the rows, their nearness to requests of other writers alone."""
    snapshot = engine.current()
    judge, encoder = snapshot.gaps, snapshot.encoder
    assert judge is not None
    assert encoder is not None
    read, unread, signals = [], [], []
    words, is_gap = SharedWords.of([one.text for one in bank]), np.array([b.gap for b in bank])
    for row in rows:
        answer = engine.run(row.text)
        evidence, confidence = evidence_of(answer, snapshot), answer.insight.confidence
        text = answer.query.text
        is_named = confidence is not None and confidence.named
        if evidence is None or is_named or not judge.reads(text, doubtful=answer.low_confidence):
            unread.append(row)
            continue
        _, cost, _ = judge.lacking(asked_part(text))
        reading = next(
            (n.state.query.reading for n in answer.result.walk() if n.state.query.reading), ()
        )
        asked = " ".join(reading) or asked_part(text)
        cosines = vectors @ encoder.encode([asked])[0]
        others = np.array([one.writer != row.writer for one in bank])
        sides = []
        for side in (is_gap, ~is_gap):
            rest = np.flatnonzero(others & side)
            nearest = rest[np.argsort(-cosines[rest], kind="stable")[:COMPARED]]
            sides.append(
                side_of(cosines[nearest].tolist(), words.likeness(asked, nearest.tolist()))
            )
        near = Nearness(unserved=sides[0], served=sides[1], need="")
        threshold, words_left = judge.costs.threshold, judge.unread(asked_part(text))
        values = replace(evidence, near=near).signals(cost, threshold, words_left)
        signals.append([values[name] for name in GAP_SIGNALS])
        read.append(row)
    return Measured(read, np.array(signals), unread)


def fitted(signals: Signals, gap: NDArray[np.bool_], alarms: float) -> tuple[Signals, float]:
    """Weights and the bias from which so large a share of the served requests is above 0."""
    weights, _ = logistic(signals, gap)
    scores = signals[~gap] @ weights
    return weights, -float(np.quantile(scores, 1 - alarms))


def by_writer(one: Measured) -> list[str]:
    """What each writer's requests are told by a model fitted on the others', as Markdown."""
    gap = np.array([row.gap for row in one.rows])
    writer = np.array([row.writer for row in one.rows])
    scores = np.zeros(len(gap))
    for name in sorted(set(writer)):
        weights, bias = fitted(one.signals[writer != name], gap[writer != name], FALSE)
        scores[writer == name] = one.signals[writer == name] @ weights + bias
    lines = ["| writer | gaps | told | served | told wrongly |", "|---|---|---|---|---|"]
    for name in (*sorted(set(writer)), ""):
        mine = (writer == name) if name else np.ones(len(gap), dtype=bool)
        unread = [row for row in one.unread if row.writer == name or not name]
        gaps = int((gap & mine).sum()) + sum(row.gap for row in unread)
        served = int((~gap & mine).sum()) + sum(not row.gap for row in unread)
        admitted, alarms = (int(((scores > 0) & mine & side).sum()) for side in (gap, ~gap))
        title = name or "all"
        lines.append(
            f"| {title} | {gaps} | {admitted / gaps:.3f} | {served} | {alarms / served:.3f} |"
        )
    return lines


def main() -> None:
    """Encode, fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--vectors", action="store_true", help="write the vectors, fit nothing")
    args = parser.parse_args()
    usual, bank = Settings(_env_file=None), judged()
    encoder = OnnxEncoder.open(exported(usual.encoder, usual.cache_dir))
    vectors = encoder.encode([row.text for row in bank])
    gap = np.array([row.gap for row in bank])
    if not args.check:
        write_index(KNOWN / "unserved.faiss", vectors[gap])
        write_index(KNOWN / "served.faiss", vectors[~gap])
        sides = (*(row for row in bank if row.gap), *(row for row in bank if not row.gap))
        SharedWords.of([row.text for row in sides]).write(KNOWN / "words.npz")
    if args.vectors:
        return
    engine = ready_engine()  # which reads what was written
    rows = [row for name in LABELLED for row in labelled(name)]
    one = measured(engine, rows, bank, vectors)
    print("\n".join(by_writer(one)))
    weights, bias = fitted(one.signals, np.array([row.gap for row in one.rows]), FALSE)
    if not args.check:
        named = {n: round(float(w), 4) for n, w in zip(GAP_SIGNALS, weights, strict=True)}
        model = {"encoder": encoder.id, "weights": named, "bias": round(bias, 4)}
        (KNOWN / "model.json").write_text(json.dumps(model, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
