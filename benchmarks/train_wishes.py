"""Learn which clauses wish something of software: ``python -m benchmarks.train_wishes``.

Reads ``benchmarks/wish_clauses.jsonl`` (8,581 clauses by nine authors, each with the wish that it
states, or none). What is learned from them then reads requests whose wishes are known; a clause
that it takes for another wish is learned as none, twice over. Writes
``retrieval/query/clauses/model.npz``; the same rows give the same file on the same processor.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.clause_features import Features, Floats, words_of
from retrieval import read_settings
from retrieval.dense import packaged_weights
from retrieval.query import WishReader
from retrieval.query.clauses.model import BUCKETS, NO_WISH, ClauseModel
from retrieval.query.clauses.windows import stretches
from retrieval.query.mentions import Reading
from retrieval.settings import ROOT
from retrieval.wiring.models import loading_encoder

BANK = ROOT / "benchmarks" / "wish_clauses.jsonl"
MODEL = ROOT / "retrieval" / "query" / "clauses" / "model.npz"

DATA = ROOT / "tests" / "data"
LABELLED = (
    ROOT / "benchmarks" / "wish_requests.jsonl",
    *(
        DATA / f"wishes_{name}.jsonl"
        for name in ("reading", "paraphrases", "requests", "wide_tuning", "seventeen_tuning")
    ),
    *(DATA / f"wishes_{name}_tuning.jsonl" for name in ("fresh", "late", "nineteen")),
    DATA / "wishes_tuning.jsonl",
)
"""Requests with all of their wishes; rows marked ``kept`` are left out."""

PLAIN = (
    *(DATA / f"{name}.jsonl" for name in ("in_scope", "refusals_tuning", "out_of_scope")),
    DATA / "gaps_tuning.jsonl",
    ROOT / "benchmarks" / "tasks.jsonl",
)
"""Requests that wish nothing, but for what the grammar reads in them."""

INVERSE_PENALTY = 100.0
"""Of the regression: 10 and 30 read fewer wishes of authors that were left out."""

ROUNDS, DOUBTFUL = 2, 0.5
"""How often clauses of requests are learned as none, and from which probability. Of 275 wishes of
three authors that were left out .65 are read as without it, with half as many made up."""

STEPS = 127
"""Largest value of an 8-bit weight."""

NEAR = {
    "interface|graphical|wanted": "interface|command line|unwanted",
    "interface|graphical|unwanted": "interface|command line|wanted",
    "licence|permissive|wanted": "licence|GPL|unwanted",
    "licence|free of charge|wanted": "licence|open source|wanted",
    "offline|offline|wanted": "interface|browser|unwanted",
}
"""Wishes that often say each other: a clause is no example against either."""

_NAMED = {"plugin": "host", "maintained": "since", "permissive": "licence"}
"""Values that a wish with a name of its kind says as well: a host, a year, a licence."""

Example = tuple[str, str]
"""A clause and the name of its class."""


def class_of(kind: str, value: str, strength: str) -> str:
    """The class of a wish; what nobody would leave a tool out for is no wish."""
    if kind == NO_WISH:
        return NO_WISH
    if strength != "unwanted":
        return f"{kind}|{value}|wanted"
    turned = {
        "maintained": "since|maintained|wanted",
        "academic": "purpose|commercial|wanted",
        "commercial": "purpose|academic|wanted",
    }
    is_allowed = value in {"offline", "free of charge", "open source", "permissive", "REST"}
    return turned.get(value) or (NO_WISH if is_allowed else f"{kind}|{value}|unwanted")


def bank(path: Path = BANK) -> list[Example]:
    """The clauses of all authors with their classes, in the order of the file."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        (
            row["clause"],
            class_of(row.get("field", NO_WISH), row.get("value", ""), row.get("strength", "")),
        )
        for row in rows
        if words_of(row["clause"])
    ]


def requests() -> Iterator[tuple[str, frozenset[str]]]:
    """Requests with the classes of all their wishes, and kinds of wishes that have a name."""
    names = WishReader().names
    for row in _rows(LABELLED):
        wishes = [(w["field"], str(w["value"]), w.get("strength", "")) for w in row["wishes"]]
        yield row["query"], frozenset(c for w in wishes for c in (class_of(*w), w[0]))
    for row in _rows(PLAIN):
        text = row.get("query") or row["text"]
        read = [m.wish for m in Reading(text, names).mentions()]
        yield (
            text,
            frozenset(c for w in read for c in (class_of(w.kind, w.value, w.strength), w.kind)),
        )


def _rows(paths: Sequence[Path]) -> Iterator[Mapping[str, Any]]:
    for row in (json.loads(line) for p in paths for line in p.read_text("utf-8").splitlines()):
        if row.get("half") != "kept" and not row.get("kept"):
            yield row


def misread(model: ClauseModel, text: str, classes: frozenset[str]) -> Iterator[str]:
    """The clauses of a request that the model takes for a wish that is not among its wishes."""
    spans = list(stretches(text))
    near = {**NEAR, **{b: a for a, b in NEAR.items()}}
    for span, chances in zip(spans, model.chances(text, spans) if spans else (), strict=True):
        name = model.classes[int(chances.argmax())]
        value = name.split("|")[1] if name != NO_WISH else ""
        is_said = not classes.isdisjoint({name, near.get(name, name), _NAMED.get(value, name)})
        if name != NO_WISH and chances.max() >= DOUBTFUL and not is_said:
            yield text[slice(*span)].strip()


def learned(examples: Sequence[Example], vocabulary: Sequence[str], vectors: Floats) -> ClauseModel:
    """The model of clauses; ``vectors``: (words, width), the meaning of each word."""
    features = Features([clause for clause, _ in examples], vocabulary, vectors)
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=400)
    regression.fit(features.matrix([clause for clause, _ in examples]), [y for _, y in examples])
    weights = regression.coef_.T
    hashed, meanings = weights[:BUCKETS], vectors @ weights[BUCKETS:]
    steps = tuple(float(np.abs(table).max()) / STEPS for table in (hashed, meanings))
    return ClauseModel(
        classes=tuple(map(str, regression.classes_)),
        bias=np.asarray(regression.intercept_, dtype=np.float64),
        hashed=np.round(hashed / steps[0]).astype(np.int8),
        meanings=np.round(meanings / steps[1]).astype(np.int8),
        rows=features.rows,
        rarity=features.rarity,
        scales=(steps[0], steps[1]),
    )


def trained(
    examples: Sequence[Example],
    known: Sequence[tuple[str, frozenset[str]]],
    vocabulary: Sequence[str],
    vectors: Floats,
) -> ClauseModel:
    """The model after ROUNDS of clauses that it misread in requests whose wishes are known."""
    rows = list(examples)
    model = learned(rows, vocabulary, vectors)
    for _ in range(ROUNDS):
        seen = {clause for clause, _ in rows}
        wrong = dict.fromkeys(c for text, classes in known for c in misread(model, text, classes))
        rows += [(clause, NO_WISH) for clause in wrong if clause not in seen and words_of(clause)]
        model = learned(rows, vocabulary, vectors)
    return model


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


def main() -> None:
    """Learn from all authors and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    examples = bank()
    vocabulary, vectors = word_vectors([clause for clause, _ in examples])
    model = trained(examples, list(requests()), vocabulary, vectors)
    write(model, args.out)
    print(f"{len(examples)} clauses, {len(model.classes)} classes, {args.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
