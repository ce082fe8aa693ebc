"""Wishes written as ``KIND=VALUE``: ``--require``, ``[REQUIRE:...]`` and ``[WISH:...]``.

A purpose and a machine are wishes too: ``--purpose`` and ``--machine`` are written as such pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from retrieval.core import BadInput, Wish
from retrieval.query.grammar import FIRST_YEAR, LAST_YEAR, NUMBER, grammar, shapes_of, words_of
from retrieval.query.restrict import kind_name

PURPOSES: Mapping[str, str] = {
    "commercial product": "commercial",
    "clinical research": "clinical research",
    "teaching": "academic",
}
"""Purposes as the page names them: the value of a wish that says the same."""

MACHINE: Mapping[str, tuple[str, str]] = {
    "gpu": ("gpu", ""),
    "gpu-memory": ("memory", " GB GPU"),
    "memory": ("memory", " GB"),
    "system": ("system", ""),
}
"""What a machine has: the kind of wish for it, and the unit of an amount."""

CARDS = ("yes", "no")

OTHER_LANGUAGES = (
    *("Bash", "Go", "Groovy", "Kotlin", "Nextflow", "Pascal", "PHP", "Ruby", "Scala", "Swift"),
    "Tcl",
)
"""Languages that can be required and are not read from a text, where their names say other things:
a pascal is a unit, a ruby is red, and "in bash" asks for the command line."""

GIGABYTES = "a number of GB, such as memory=8"


def parse_required(pairs: Iterable[str]) -> tuple[Wish, ...]:
    """The required wishes of ``KIND=VALUE`` texts, once each.

    A value is a value of the grammar or a phrase of it (``cli``), in any case; ``gpu=none`` is the
    wish for tools that need none. Raises BadInput for another kind or value, with those there are.
    """
    return tuple(dict.fromkeys(_wish(pair, "require") for pair in pairs))


def parse_wanted(pairs: Iterable[str]) -> tuple[Wish, ...]:
    """The same as wishes that rank and hide nothing; a card that is not there stays a refusal."""
    return tuple(
        replace(wish, strength="wanted") if wish.strength == "required" else wish
        for wish in dict.fromkeys(_wish(pair, "wish") for pair in pairs)
    )


def purpose_pairs(purpose: str | None) -> tuple[str, ...]:
    """A purpose, in the page's words or the grammar's, as pairs; none where nothing is said.

    Raises BadInput for another one, with those of the page.
    """
    if not purpose:
        return ()
    stated = purpose.strip()
    if stated.casefold() not in PURPOSES and words_of(stated) not in _values()["purpose"]:
        choices = ", ".join(PURPOSES)
        raise BadInput(f"purpose: there is no {stated[:40]!r}; choose from: {choices}")
    return (f"purpose={stated}",)


def machine_pairs(stated: Iterable[str]) -> tuple[str, ...]:
    """A machine, as ``gpu=no``, ``gpu-memory=8``, ``memory=16`` (GB), ``system=Linux``, as pairs.

    A card that is there rules nothing out and gives no pair. Raises BadInput for anything else.
    """
    return tuple(pair for one in stated for pair in _machine_pair(one))


def _machine_pair(stated: str) -> Iterator[str]:
    name, _, value = (part.strip() for part in stated.partition("="))
    name = name.casefold()
    amount = value.removesuffix("GB").strip()
    kind, unit = MACHINE.get(name, ("", ""))
    if not kind or not value or (unit and not amount.replace(".", "", 1).isdecimal()):
        raise BadInput(
            f"machine: {stated[:60]!r}; write gpu=yes, gpu=no, gpu-memory=GB, memory=GB or "
            "system=Linux, macOS or Windows"
        )
    if kind != "gpu":
        yield f"{kind}={amount}{unit}" if unit else f"{kind}={value}"
    elif value.casefold() not in CARDS:
        raise BadInput(f"machine: gpu={value[:40]!r}; choose from: {', '.join(CARDS)}")
    elif value.casefold() == "no":
        yield "gpu=none"


def _wish(pair: str, field: str) -> Wish:
    """The required wish of a pair; a refusal names the option or tag it is of."""
    kind, _, value = (part.strip() for part in pair.partition("="))
    kind = kind_name(kind)
    if kind not in _values() or not value:
        kinds = ", ".join(_values())
        raise BadInput(f"{field}: {pair[:60]!r}; write KIND=VALUE with one of: {kinds}")
    if kind == "gpu" and value.casefold() in ("none", "no"):
        return Wish(kind="gpu", value="GPU", text="", strength="unwanted", searched=False)
    grammar_value = _value(kind, value, field)
    return Wish(kind=kind, value=grammar_value, text="", strength="required", searched=False)


def _value(kind: str, typed: str, field: str) -> str:
    """The value as the grammar writes it."""
    if kind == "since" and typed.isdecimal() and FIRST_YEAR <= int(typed) <= LAST_YEAR:
        return typed
    if kind == "purpose" and typed.casefold() in PURPOSES:
        return PURPOSES[typed.casefold()]
    if kind == "memory" and typed.replace(".", "", 1).isdecimal():
        typed = f"{typed} GB"
    words = words_of(typed)
    rows = _values()[kind]
    grammar_value = rows.get(words) or rows.get(shapes_of(words)) if words else None
    if grammar_value is None:
        raise BadInput(f"{field}: {_refusal(kind, typed[:40])}")
    number = next((w for w in words if w[0].isdigit()), "")
    digits = "".join(c for c in number if c.isdigit() or c == ".")
    return _filled(grammar_value, digits)


def _refusal(kind: str, typed: str) -> str:
    """Why a value is none of its kind, and what can be written."""
    if kind == "since":
        return f"since={typed!r} is no year; write one from {FIRST_YEAR} to {LAST_YEAR}"
    if kind == "memory":
        return f"memory={typed!r} is no amount; write {GIGABYTES}, or memory=8 GB GPU for a card"
    there = ", ".join(sorted(set(_values()[kind].values()), key=str.casefold))
    return f"there is no {kind} {typed!r}; there are: {there}"


def _filled(value: str, digits: str) -> str:
    """A value that begins with any number, with this one: ``# GB``, and not ``C#``."""
    return digits + value.removeprefix(NUMBER) if value.startswith(NUMBER) else value


@cache
def _values() -> Mapping[str, Mapping[tuple[str, ...], str]]:
    """The values of each kind by their own words, their names and their phrases."""
    rows: dict[str, dict[tuple[str, ...], str]] = {"since": {}}
    names = ((words, phrase) for words, phrase in grammar().bare.items())
    phrases = (row for several in grammar().phrases.values() for row in several)
    for words, phrase in (*names, *phrases):
        if phrase.kind == "since" or phrase.negated or phrase.strength != "wanted":
            continue
        values = rows.setdefault(phrase.kind, {})
        values.setdefault(words, phrase.value)
        own = phrase.value.replace(NUMBER, "0")
        values.setdefault(
            shapes_of(words_of(own)) if NUMBER in phrase.value else words_of(own), phrase.value
        )
    for name in OTHER_LANGUAGES:
        rows["language"].setdefault(words_of(name), name)
    return rows
