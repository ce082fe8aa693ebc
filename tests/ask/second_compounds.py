"""Compound questions of a second author, with the sets that the lines of the catalog give for them.

Nothing of ``retrieval`` is used to work out a set: the records are read as JSON, and where words
leave room ("CT" with or without its kinds), each reading that a person may mean is allowed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tests.ask import second_phrases as said

ASSETS = Path(__file__).parents[2] / "assets"
Sets = tuple[frozenset[str], ...]
Record = Mapping[str, Any]


class Atom(NamedTuple):
    """One constraint: how it is said and denied, and the sets that it may mean."""

    yes: str
    no: str
    wanted: Sets
    denied: Sets
    subject: tuple[str, str]


class Compound(NamedTuple):
    """A question, its language, its shape, and the sets that answer it."""

    question: str
    language: str
    shape: str
    readings: Sets


def records() -> list[Record]:
    """The lines of the catalog."""
    lines = (ASSETS / "catalog" / "tools.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def narrower() -> dict[str, set[str]]:
    """Every concept with all concepts of its kind below it, by id."""
    lines = (ASSETS / "concepts" / "concepts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["id"]: row for row in map(json.loads, lines)}
    parents = {
        one: [p for p in row["parents"] if rows[p]["kind"] == row["kind"]]
        for one, row in rows.items()
    }
    below: dict[str, set[str]] = {}
    for one in parents:
        waiting = [one]
        while waiting:
            for parent in parents.get(waiting.pop(), ()):
                if one not in below.setdefault(parent, set()):
                    below[parent].add(one)
                    waiting.append(parent)
    return below


class Rows:
    """Sets over the records, by field and value."""

    def __init__(self) -> None:
        self.all, self._below = records(), narrower()
        self.ids = frozenset(row["id"] for row in self.all)

    def having(self, field: str, values: set[str]) -> frozenset[str]:
        """The records with one of these values in the field."""
        return frozenset(r["id"] for r in self.all if values & _values(r.get(field)))

    def readings(self, field: str, value: str) -> Sets:
        """The field with the value itself, and with all that the concepts place below it."""
        kinds = {"tasks": "operation", "modalities": "modality", "anatomy": "anatomy",
                 "formats_in": "format", "formats_out": "format"}  # fmt: skip
        kind = kinds.get(field)
        below = {one.partition(":")[2] for one in self._below.get(f"{kind}:{value}", ())}
        return _different(self.having(field, {value}), self.having(field, {value} | below))


def _values(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value, *value.replace("(", " ").replace(")", " ").split()}
    return set(value or ())


def _different(*sets: frozenset[str]) -> Sets:
    return tuple(dict.fromkeys(sets))


def _atom(rows: Rows, language: str, field: str, draw: random.Random) -> Atom:
    ways = said.WAYS[language][field]
    yes, no = draw.choice(ways["yes"]), draw.choice(ways["no"])
    if field in {"free", "bound"}:
        return _gpu(rows, field, yes, no)
    value, words = _object(language, field, draw)
    sets = rows.readings(field, value)
    denied = tuple(rows.ids - one for one in sets)
    return Atom(yes.format(words), no.format(words), sets, denied, (field, value))


def _object(language: str, field: str, draw: random.Random) -> tuple[str, str]:
    if field in said.OBJECTS:
        value = draw.choice(sorted(said.OBJECTS[field]))
        return value, said.OBJECTS[field][value][language]
    if field == "license":
        return draw.choice(sorted(said.LICENCES.items()))
    value = draw.choice(said.VALUES[field])
    return value, value


def _gpu(rows: Rows, field: str, yes: str, no: str) -> Atom:
    bound = rows.having("gpu", {"required"})
    degrees = ({"none"}, {"none", "optional"}, {"none", "optional", "recommended"})
    free = _different(*(rows.having("gpu", one) for one in degrees))
    if field == "free":
        return Atom(yes, no, free, (bound,), ("gpu", ""))
    return Atom(yes, no, (bound,), (*free, rows.ids - bound), ("gpu", ""))


def _joined(shape: str, a: frozenset[str], b: frozenset[str], c: frozenset[str]) -> frozenset[str]:
    return {
        "a&b": a & b, "a|b": a | b, "a&!b": a & b, "!a&b": a & b, "a&b&c": a & b & c,
        "a&b&!c": a & b & c, "a&(b|c)": a & (b | c), "(a|b)&c": (a | b) & c,
        "a&b|c": (a & b) | c, "a|b|c": a | b | c, "a&!b&!c": a & b & c,
    }[shape]  # fmt: skip


def second_compounds(number: int, seed: int = 20) -> Iterator[Compound]:
    """So many questions, the same each time; at most one in five has an empty answer."""
    draw, rows, empty, given = random.Random(seed), Rows(), 0, 0
    while given < number:
        language = draw.choice(sorted(said.SHAPES))
        shape = draw.choice(sorted(said.SHAPES[language]))
        fields = draw.choices(sorted(said.WAYS[language]), k=3)
        atoms = [_atom(rows, language, field, draw) for field in fields]
        if len({atom.subject for atom in atoms}) < 3:
            continue
        one = _compound(language, shape, atoms, draw)
        if not one.readings[0] and (empty + 1) * 5 > number:
            continue
        empty, given = empty + (not one.readings[0]), given + 1
        yield one


def _compound(language: str, shape: str, atoms: list[Atom], draw: random.Random) -> Compound:
    denied = ["!" + letter in shape for letter in "abc"]
    parts = [atom.denied if no else atom.wanted for atom, no in zip(atoms, denied, strict=True)]
    words = {letter: atom.yes for letter, atom in zip("abc", atoms, strict=True)}
    words |= {f"n{letter}": atom.no for letter, atom in zip("abc", atoms, strict=True)}
    sentence = draw.choice(said.SHAPES[language][shape])
    readings = _different(*(_joined(shape, *three) for three in product(*parts)))
    return Compound(sentence.format(**words), language, shape, readings)
