"""Requests made of stated facts, with their right answers: no judged query is looked at.

A record is cut to its name and its first sentence, as most catalogs have no more. Its facts,
keywords and later sentences become requests, in other words where the concepts know some.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from retrieval.catalog import Catalog, Record
from retrieval.evaluation import Judged
from retrieval.settings import ROOT

CATALOG = ROOT / "assets" / "catalog" / "tools.jsonl"
CONCEPTS = ROOT / "assets" / "concepts" / "concepts.jsonl"

SEED = 20
"""Of the random choices; another one gives other requests of the same kinds."""

REQUESTS = 2000
"""Requests to make; repeated ones fall away."""

MOST_RIGHT = 40
"""Right answers of a request: one that more records serve tells little about an order."""

SLIPS = 0.1
"""Share of requests with one slip of the keyboard."""

FACTS = {
    "tasks": "operation",
    "anatomy": "anatomy",
    "modalities": "modality",
    "formats_in": "format",
}
"""Facts that a request is made of, and the kind of their concepts."""

SHAPES = (
    ("tasks", "anatomy"),
    ("tasks", "modalities"),
    ("tasks", "anatomy", "modalities"),
    ("tasks", "formats_in"),
    ("tasks",),
    ("anatomy", "modalities"),
    ("tasks", "modalities", "formats_in"),
)
"""Facts that a request states together; as often as they stand here."""

WRAPS = {
    "set": ("{}", "{}", "tools for {}", "software for {}", "{} packages", "{} ({domain})"),
    "known": ("{}", "{}", "a tool for {}", "how do I do {}?", "which program does {}", "{} tool"),
    "long": ("{}", "I am looking for something that does this: {}", "{} Which tool fits?"),
}
JOINS = (" ", " ", ", ", " of ", " in ", " for ", " with ", " from ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A text, its kind and the ids of all records that serve it."""

    kind: str
    text: str
    right: tuple[str, ...]


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CATALOG.read_text("utf-8").splitlines()]


def sentences(text: str) -> list[str]:
    """The sentences of a description."""
    return [part for part in re.split(r"(?<=[.;])\s+", text) if part]


def short_catalog(rows: Sequence[dict[str, Any]]) -> Catalog:
    """Records of a name and the first sentence of the description, without facts."""
    made = (
        Record.model_validate(
            {"id": r["id"], "name": r["name"], "description": sentences(r["description"])[0]}
        )
        for r in rows
    )
    return Catalog(records=tuple(sorted(made, key=lambda record: record.id)))


class Requests:
    """Makes requests of the rows of a catalog; the same ones for the same seed."""

    def __init__(self, rows: Sequence[dict[str, Any]], seed: int = SEED) -> None:
        self._rows, self._random = rows, Random(seed)
        self._having: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for row in rows:
            for field in (*FACTS, "keywords"):
                for value in row.get(field) or ():
                    self._having[field, value.casefold()].add(row["id"])
        concepts = map(json.loads, CONCEPTS.read_text("utf-8").splitlines())
        self._words = {c["id"]: [c["label"], *c["synonyms"], *c["abbreviations"]] for c in concepts}

    def some(self, count: int) -> list[Request]:
        """At most ``count`` requests, of a third each: sets, known items by keyword, sentences."""
        makers = (self._set, self._known, self._long)
        made = (makers[n % len(makers)](self._random.choice(self._rows)) for n in range(count))
        unique = {request.text: request for one in made for request in one}
        return list(unique.values())

    def _set(self, row: dict[str, Any]) -> Iterator[Request]:
        fields = [f for f in self._random.choice(SHAPES) if row.get(f)]
        chosen = [(f, self._random.choice(row[f])) for f in fields]
        right = self._all_of([(f, value.casefold()) for f, value in chosen])
        if right:
            words = [self._worded(FACTS[f], value) for f, value in chosen]
            self._random.shuffle(words)
            yield self._request("set", row, self._random.choice(JOINS).join(words), right)

    def _known(self, row: dict[str, Any]) -> Iterator[Request]:
        name = _plain(row["name"])
        usable = [k for k in row.get("keywords") or () if name not in _plain(k)]
        if usable:
            chosen = self._random.sample(usable, min(len(usable), self._random.randint(1, 3)))
            right = self._all_of([("keywords", k.casefold()) for k in chosen])
            yield self._request("known", row, self._random.choice(JOINS).join(chosen), right)

    def _long(self, row: dict[str, Any]) -> Iterator[Request]:
        later = sentences(row["description"])[1:]
        if later:
            words = self._random.choice(later).replace(row["name"], "").split()
            first = self._random.randint(0, max(0, len(words) - 6))
            last = first + self._random.randint(5, 20)
            yield self._request("long", row, " ".join(words[first:last]), [row["id"]])

    def _all_of(self, facts: Sequence[tuple[str, str]]) -> list[str]:
        right = set.intersection(*(self._having[fact] for fact in facts)) if facts else set()
        return sorted(right) if len(right) <= MOST_RIGHT else []

    def _worded(self, kind: str, value: str) -> str:
        words: list[str] = self._words.get(f"{kind}:{value}", [value])
        return self._random.choice(words)

    def _request(self, kind: str, row: dict[str, Any], text: str, right: Sequence[str]) -> Request:
        wrapped = self._random.choice(WRAPS[kind]).format(text, domain=row.get("domain") or "")
        return Request(kind=kind, text=self._slipped(wrapped), right=tuple(right))

    def _slipped(self, text: str) -> str:
        if self._random.random() >= SLIPS or len(text) < 8:
            return text
        at = self._random.randrange(1, len(text) - 2)
        return f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.casefold())


def generated(count: int = REQUESTS, seed: int = SEED) -> Judged:
    """The short catalog with its requests, as a judged set."""
    rows = _rows()
    requests = [r for r in Requests(rows, seed).some(count) if r.right]
    named = {f"made-{n:04}": request for n, request in enumerate(requests)}
    return Judged(
        catalog=short_catalog(rows),
        queries={key: request.text for key, request in named.items()},
        types={key: request.kind for key, request in named.items()},
        qrels={key: dict.fromkeys(request.right, 1) for key, request in named.items()},
    )
