"""Learning of linear models of clauses, and how they are stored."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.clause_features import Features, Floats, words_of
from retrieval import read_settings
from retrieval.dense import packaged_weights
from retrieval.query.clauses.model import BUCKETS, ClauseModel
from retrieval.wiring.models import loading_encoder

INVERSE_PENALTY = 100.0
"""Of the regression: 10 and 30 read fewer wishes of authors that were left out."""

STEPS = 127
"""Largest value of an 8-bit weight."""

Example = tuple[str, str]
"""A clause and the name of its class."""


def learned(examples: Sequence[Example], vocabulary: Sequence[str], vectors: Floats) -> ClauseModel:
    """The model of clauses; ``vectors``: (words, width), the meaning of each word."""
    features = Features([clause for clause, _ in examples], vocabulary, vectors)
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=400)
    regression.fit(features.matrix([clause for clause, _ in examples]), [y for _, y in examples])
    weights, bias = regression.coef_.T, np.asarray(regression.intercept_, dtype=np.float64)
    if len(regression.classes_) == 2:  # one column: the odds of the second class to the first
        weights, bias = np.hstack([0 * weights, weights]), np.append(0.0, bias)
    hashed, meanings = weights[:BUCKETS], vectors @ weights[BUCKETS:]
    steps = tuple(float(np.abs(table).max()) / STEPS for table in (hashed, meanings))
    return ClauseModel(
        classes=tuple(map(str, regression.classes_)),
        bias=bias,
        hashed=np.round(hashed / steps[0]).astype(np.int8),
        meanings=np.round(meanings / steps[1]).astype(np.int8),
        rows=features.rows,
        rarity=features.rarity,
        scales=(steps[0], steps[1]),
    )


def word_vectors(clauses: Sequence[str]) -> tuple[list[str], Floats]:
    """The words of clauses and of the encoder's own vocabulary, and what each means to it."""
    own = (packaged_weights() / "vocab.txt").read_text("utf-8").split()
    words = {word for word in own if re.fullmatch(r"[a-z][a-z']+|[a-z0-9]{2,}", word)}
    vocabulary = sorted(words.union(*map(words_of, clauses)))
    encoder = loading_encoder(read_settings(None))
    encoder.wait()
    vectors = np.vstack(
        [encoder.encode(vocabulary[at : at + 512]) for at in range(0, len(vocabulary), 512)]
    )
    vectors = vectors - vectors.mean(axis=0)
    return vocabulary, (vectors / np.linalg.norm(vectors, axis=1).mean()).astype(np.float32)


def write(model: ClauseModel, path: Path) -> None:
    """Store a model without the words whose meaning says nothing."""
    telling = np.flatnonzero(np.abs(model.meanings.astype(np.int16)).max(axis=1) > 0)
    names = list(model.rows)
    arrays: Mapping[str, Any] = {
        "classes": np.array(model.classes),
        "bias": model.bias,
        "hashed": model.hashed,
        "meanings": model.meanings[telling],
        "words": np.frombuffer("\n".join(names[row] for row in telling).encode(), dtype=np.uint8),
        "rarity": model.rarity[telling],
        "scales": np.array(model.scales),
    }
    np.savez_compressed(path, **arrays)
