"""Learn what clauses wish of software: ``python -m benchmarks.train_wishes``.

Reads ``benchmarks/wish_clauses.jsonl`` (22,712 clauses by 23 authors, each with the wish that it
states, or none) and ``named_clauses.jsonl`` (10,640 clauses with a language, host, system or tool
in braces, and whether it is wanted, ruled out, or neither). What is learned from the first then
reads requests whose wishes are known; a clause that it takes for another wish is learned as none,
twice over. Writes ``wishes.npz`` and ``names.npz`` in ``retrieval/query/clauses``; the same rows
give the same files on the same processor.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.clause_features import Floats, words_of
from benchmarks.clause_learning import Example, learned, word_vectors, write
from retrieval import open_engine
from retrieval.core import Tool
from retrieval.query import EITHER, WishReader
from retrieval.query.clauses.model import NO_WISH, ClauseModel
from retrieval.query.clauses.named import PLACE, masked, names_in
from retrieval.query.clauses.windows import stretches
from retrieval.query.mentions import Reading
from retrieval.settings import ROOT

BANK = ROOT / "benchmarks" / "wish_clauses.jsonl"
NAMED = ROOT / "benchmarks" / "named_clauses.jsonl"
MODELS = ROOT / "retrieval" / "query" / "clauses"

DATA = ROOT / "tests" / "data"
SIDES = {"wanted": "wanted", "required": "wanted", "unwanted": "unwanted", NO_WISH: NO_WISH}
"""Classes of what is said of a name, by strength."""

_BRACES = re.compile(r"\{[^{}]*\}")

LABELLED = (
    ROOT / "benchmarks" / "wish_requests.jsonl",
    *(
        DATA / f"wishes_{name}.jsonl"
        for name in (
            "reading",
            "paraphrases",
            "requests",
            "wide_tuning",
            "seventeen_tuning",
            "everyday_tuning",
        )
    ),
    *(DATA / f"wishes_{name}_tuning.jsonl" for name in ("fresh", "late", "nineteen")),
    DATA / "wishes_tuning.jsonl",
)
"""Requests with all of their wishes; rows marked ``kept`` are left out."""

NAMED_REQUESTS = (DATA / "wishes_named_tuning.jsonl",)
"""Requests that name languages, hosts, systems and tools, with what they wish of them."""

STORIES = (DATA / "wishes_stories_tuning.jsonl",)
"""The same, of which most tell of somebody else's tool, or of that of a step that is done."""

SHORTEST_STORY = 5
"""Words of the shortest stretch of a story that is learned as no wish: "in ITK-SNAP" alone wishes
it. With all stretches some ten of 1,114 wishes of writers kept apart are lost, with these none."""

PLAIN = (
    *(DATA / f"{name}.jsonl" for name in ("in_scope", "refusals_tuning", "out_of_scope")),
    *(DATA / f"{name}_tuning.jsonl" for name in ("gaps", "hard_seventeen", "long_letters")),
    ROOT / "benchmarks" / "tasks.jsonl",
)
"""Requests that wish nothing, but for what the grammar reads in them."""

NEEDS = ROOT / "assets" / "honesty" / "known" / "requests.jsonl"
"""Needs of the field whose authors were asked for none with a wish; other rows are left out."""

ROUNDS, DOUBTFUL = 2, 0.5
"""How often clauses of requests are learned as none, and from which probability. Of 275 wishes of
three authors that were left out .65 are read as without it, with half as many made up."""

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
    needs = (row for row in _rows((NEEDS,)) if "need" in row)
    for row in (*_rows(PLAIN), *needs):
        text = row.get("query") or row.get("text") or row["need"]
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


def named_bank(path: Path = NAMED) -> list[Example]:
    """Clauses with the name in braces hidden, and whether it is wanted, unwanted or neither."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        (_BRACES.sub(PLACE.format(row["kind"]), row["clause"]), SIDES[row["strength"]])
        for row in rows
    ]


def named_requests(tools: Sequence[Tool]) -> Iterator[Example]:
    """Every stretch around a name in requests whose wishes are known, with what they wish of it."""
    yield from _named_in((*LABELLED[1:], *NAMED_REQUESTS), tools)
    for clause, side in _named_in(STORIES, tools):
        if side != NO_WISH or len(words_of(clause)) >= SHORTEST_STORY:
            yield clause, side


def _named_in(paths: Sequence[Path], tools: Sequence[Tool]) -> Iterator[Example]:
    names = WishReader(tools).names
    for row in _rows(paths):
        sides = {
            _folded(value): SIDES[wish.get("strength", "wanted")]
            for wish in row["wishes"]
            for value in str(wish["value"]).split(EITHER)
        }
        has_tool = any(wish["field"] in ("tool", "host") for wish in row["wishes"])
        for named in names_in(Reading(row["query"], names)):
            side = sides.get(_folded(named.value), NO_WISH)
            # A tool may be labelled by another spelling of its name.
            if side != NO_WISH or named.kind != "tool" or not has_tool:
                hidden, spans = masked(row["query"], named)
                yield from ((hidden[slice(*span)].strip(), side) for span in spans)


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter in "+#")


def main() -> None:
    """Learn from all authors and write both models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=MODELS, help="folder")
    args = parser.parse_args()
    tools = open_engine().current().tools
    examples = bank()
    named = [*named_bank(), *dict.fromkeys(named_requests(tuple(tools.values())))]
    vocabulary, vectors = word_vectors([clause for clause, _ in (*examples, *named)])
    models = {
        "wishes": trained(examples, list(requests()), vocabulary, vectors),
        "names": learned(named, vocabulary, vectors),
    }
    for name, model in models.items():
        write(model, args.out / f"{name}.npz")
    print(f"{len(examples)} clauses of wishes, {len(named)} of names")


if __name__ == "__main__":
    main()
