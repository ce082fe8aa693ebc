"""Learn which clauses set something aside: ``python -m benchmarks.train_asides``.

Reads ``benchmarks/aside_requests.jsonl``: requests of the field, each with the parts that set a
subject aside (``cut``), what these name (``denied``) and what is asked for (``kept``). Needs of the
field and requests with wishes, whose authors were asked for no such part, are learned as setting
nothing aside. Writes ``asides.npz`` in ``retrieval/query/clauses``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clause_features import Floats
from benchmarks.clause_learning import Example, learned, word_vectors, write
from retrieval.query.clauses.model import NO_WISH, ClauseModel
from retrieval.query.clauses.windows import OF_ASIDES, WORD, Span, stretches
from retrieval.query.rewording.set_aside import ASIDE, hidden
from retrieval.settings import ROOT
from retrieval.wiring.concepts import every_language

BANK = ROOT / "benchmarks" / "aside_requests.jsonl"
PLAIN = (
    (ROOT / "assets" / "honesty" / "known" / "requests.jsonl", ("need", "text")),
    (ROOT / "benchmarks" / "wish_requests.jsonl", ("query",)),
)
"""Texts that set nothing aside, and the fields that hold them."""

MOST_PLAIN = 6_000
"""Texts of a file that are learned from."""

OF_EACH = 4
"""Stretches that are learned of each of those; of all others those that are misread."""

ROUNDS = 2
"""How often what is misread in texts that set nothing aside is learned."""

DOUBTFUL = 0.3
"""Probability from which such a stretch is misread."""

SLACK = 6
"""Letters by which a stretch may pass the part that an author marked: pauses, brackets."""

SEED = 3


def requests(path: Path = BANK) -> list[Mapping[str, Any]]:
    """The rows of all authors, in the order of the file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def examples(row: Mapping[str, Any]) -> Iterator[Example]:
    """The stretches of a request that hold what its author sets aside, or are apart from it.

    Others are unclear: a "not" alone sets nothing aside.
    """
    text, cuts, kept = row["query"], places(row, "cut"), places(row, "kept")
    denied = places(row, "denied")
    shown = hidden(text, every_language().mentions(text))
    for start, end in stretches(text, OF_ASIDES):
        in_cut = any(start >= a - SLACK and end <= b + SLACK for a, b in cuts)
        names_it = any(start <= a and b <= end for a, b in denied)
        apart = all(end <= a or b <= start for a, b in cuts)
        keeps = any(start <= a and b <= end for a, b in kept)
        if WORD.search(shown, start, end) and (apart or keeps or (in_cut and names_it)):
            yield shown[start:end], ASIDE if in_cut and names_it else NO_WISH


def places(row: Mapping[str, Any], field: str) -> list[Span]:
    """Where the parts of a row stand, without what parts them from the rest."""
    found = []
    for part in row[field]:
        bare = part.strip(" ,;.:–-—()/…≠¿?")
        start = row["query"].index(part) + part.index(bare)
        found.append((start, start + len(bare)))
    return found


def plain_texts() -> Iterator[tuple[str, list[Span]]]:
    """Texts that set nothing aside, their concepts hidden, with their stretches."""
    for path, fields in PLAIN:
        rows = list(map(json.loads, path.read_text("utf-8").splitlines()))
        texts = list(dict.fromkeys(row[f] for row in rows for f in fields if f in row))
        for text in Random(SEED).sample(texts, min(MOST_PLAIN, len(texts))):
            shown = hidden(text, every_language().mentions(text))
            yield shown, [span for span in stretches(text, OF_ASIDES) if WORD.search(shown, *span)]


def trained(
    labelled: Sequence[Example],
    plain: Sequence[tuple[str, list[Span]]],
    vocabulary: Sequence[str],
    vectors: Floats,
) -> ClauseModel:
    """The model of labelled stretches, after ROUNDS of those that it misreads in plain texts."""
    chosen = Random(SEED)
    rows = list(labelled)
    for text, spans in plain:
        some = chosen.sample(spans, min(OF_EACH, len(spans)))
        rows += [(text[slice(*span)], NO_WISH) for span in some]
    model = learned(rows, vocabulary, vectors)
    for _ in range(ROUNDS):
        rows += [(clause, NO_WISH) for clause in misread(model, plain)]
        model = learned(rows, vocabulary, vectors)
    return model


def misread(model: ClauseModel, plain: Sequence[tuple[str, list[Span]]]) -> Sequence[str]:
    """The stretches of plain texts that the model takes for ones that set something aside."""
    aside, wrong = model.classes.index(ASIDE), dict[str, None]()
    for text, spans in plain:
        if spans:
            odds = zip(spans, model.chances(text, spans)[:, aside].tolist(), strict=True)
            wrong |= {text[slice(*span)]: None for span, chance in odds if chance >= DOUBTFUL}
    return list(wrong)


def main() -> None:
    """Learn from all authors and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = ROOT / "retrieval" / "query" / "clauses"
    parser.add_argument("--out", type=Path, default=folder, help="folder")
    args = parser.parse_args()
    rows = requests()
    vocabulary, vectors = word_vectors([row["query"] for row in rows])
    labelled = [example for row in rows for example in examples(row)]
    model = trained(labelled, list(plain_texts()), vocabulary, vectors)
    write(model, args.out / "asides.npz")
    print(f"{len(rows)} requests")


if __name__ == "__main__":
    main()
