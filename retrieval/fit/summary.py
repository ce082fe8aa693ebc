"""One verdict per tool: the worst that is true of it, in the words of its badge.

A failed fact comes first, then a wish that the record says nothing about, then facts of the scan
that cannot be compared, then a conversion; what is left fits, or is as wished where only wishes
were compared, behind what speaks for another task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from retrieval.core import Fit
from retrieval.fit.check import GUESSED
from retrieval.fit.data import (
    DAMAGED,
    NEEDS_MORE,
    VOLUME_COUNT,
    in_words,
)
from retrieval.fit.data import FACT as DATA
from retrieval.fit.documents import DOCUMENT_WORDS, WITHOUT_PIXELS
from retrieval.fit.formats import CONVERTED, VIA
from retrieval.fit.kinds import LONE_SLICE, NO_GRID
from retrieval.fit.requested.verdicts import OF_SUITE, OUTPUT, PART
from retrieval.fit.species import FACT as SPECIES
from retrieval.fit.summary_words import FAILED, KEPT_UP, MISSED, STALE, UNCLASSIFIED, UNSTATED
from retrieval.fit.verdict import ALSO, NOT_STATED
from retrieval.fit.wishes.interface import by_browser
from retrieval.fit.wishes.stage import TASK
from retrieval.fit.wishes.stated import MAINTAINED

Verdict = Literal["pass", "after conversion", "unknown", "fail"]

MAIN = ("format", "modality", "dimension", VOLUME_COUNT)
"""Facts whose absence is worth a word on a card; the detail tells of all."""

SEQUENCE = "sequence"
"""The fact of how an MR image was made, or of contrast in CT."""

SEQUENCED = frozenset({"MRI", "CT"})
"""Kinds of image of which a sequence says something: a PET tool that requires T1 means its MRI."""

MOST_VALUES = 3
"""Values of a field that a badge names; the detail has them all."""

BROWSER = "Runs in the browser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The verdict on a tool as a whole, and the words for it."""

    verdict: Verdict
    text: str


def summary_of(fits: Sequence[Fit] | None) -> Summary | None:
    """The worst that is true of a tool; None where nothing was compared."""
    if not fits:
        return None
    ways: tuple[tuple[Verdict, Callable[[Sequence[Fit]], list[str]]], ...] = (
        ("fail", _failures),
        ("unknown", _beside_the_request),
        ("after conversion", _conversions),
        ("unknown", _silent_on_scan),
    )
    for verdict, words in ways:
        if texts := list(dict.fromkeys(words(fits))):
            return Summary(verdict=verdict, text=", ".join([texts[0], *map(_inner, texts[1:])]))
    if said := _said(fits):
        is_stated = said.scan in _after_name(said.tool or "").split(", ")
        return Summary(verdict="pass", text=f"States {said.scan if is_stated else _values(said)}")
    # What a record states about software alone says nothing of an image.
    text = "As wished" if all(f.asked for f in fits) else "Fits"
    if any(map(by_browser, fits)):
        text = BROWSER if text == "As wished" else f"{text}; {_inner(BROWSER)}"
    if others := [fit.tool for fit in fits if fit.fact == TASK]:
        # The question mark is about what comes first.
        other = others[0] or ""
        return Summary(
            verdict="unknown", text=f"{other[:1].upper()}{other[1:]}; else {_inner(text)}"
        )
    return Summary(verdict="pass", text=text)


def _said(fits: Sequence[Fit]) -> Fit | None:
    """The verdict on a kind of image that was said: of a scan more than the modality is told."""
    of_scan = [fit for fit in fits if not fit.asked]
    return of_scan[0] if [fit.fact for fit in of_scan] == ["modality"] else None


def fact_words(fit: Fit) -> str:
    """One verdict in the words of the badge, whose other facts are left out."""
    if fit.verdict == "fail":
        return _failures([fit])[0]
    if fit.fact == TASK:
        return f"{(fit.tool or '')[:1].upper()}{(fit.tool or '')[1:]}"
    if fit.verdict != "unknown":
        return f"Fits{_after([fit])}"
    return ", ".join(_silent_on_wishes([fit]) or _absent([fit])) or _not_stated([fit])


def _inner(text: str) -> str:
    """A text in the middle of a sentence; "GPU" keeps its capitals."""
    return text if text[1:2].isupper() else text[0].lower() + text[1:]


def _failures(fits: Sequence[Fit]) -> list[str]:
    texts = []
    for fit in fits:
        if fit.verdict != "fail":
            continue
        value, _, strength = (fit.asked or "").rpartition(", ")
        strength_shown = "unwanted" if strength == "unwanted" else "wanted"
        if not fit.asked:
            texts.append(FAILED.get(fit.fact, "Does not fit: {}").format(_values(fit)))
        elif value == MAINTAINED:
            texts.append(KEPT_UP)
        else:
            texts.append(MISSED.get((fit.fact, strength_shown), "Not {}").format(value))
    return texts


def _values(fit: Fit) -> str:
    """What the tool states, without the name of its field."""
    stated = fit.tool or ""
    values = _after_name(stated).split(", ")
    if fit.fact == DATA:
        return stated.partition(NEEDS_MORE)[2] or in_words(values)
    more = ", ..." if len(values) > MOST_VALUES else ""
    return f"{', '.join(values[:MOST_VALUES])}{more}"


def _beside_the_request(fits: Sequence[Fit]) -> list[str]:
    """No scan shows what is asked for, a suite's program for it fails, or a wish is not stated."""
    texts: list[str] = []
    for fit in fits:
        if fit.fact == PART:
            texts.append(f"{(fit.scan or '').capitalize()} scan; {_values(fit)} is not in it")
        elif fit.fact == OUTPUT:
            texts.append(f"Writes {_values(fit)}; {fit.scan} is asked for")
        elif fit.fact == OF_SUITE:
            name, _, stated = (fit.tool or "").partition(", ")
            texts.append(f"Its program {name} states {_after_name(stated)}")
    return [*texts, *_silent_on_wishes(fits)]


def _after_name(stated: str) -> str:
    return stated.partition(": ")[2] or stated


def _silent_on_wishes(fits: Sequence[Fit]) -> list[str]:
    wishes = [f for f in fits if f.asked and f.verdict == "unknown"]
    species = [f for f in fits if f.fact == SPECIES and f.verdict == "unknown"]
    made_for = [f"Made for {_values(f)}" if f.tool else "Species not stated" for f in species]
    return [*made_for, *(_unstated(f) for f in wishes if f.fact in UNSTATED)]


def _unstated(fit: Fit) -> str:
    """What a record leaves open of a wish; where it states other interfaces, these."""
    if fit.fact == "interface" and fit.tool:
        return f"Interface: {_values(fit)}"
    if fit.fact in ("licence", "purpose") and fit.tool:
        parts = fit.tool.split("; ")
        silent = [one.removesuffix(NOT_STATED) for one in parts if one.endswith(NOT_STATED)]
        return f"{_enumeration(silent)} not stated".capitalize() if silent else UNCLASSIFIED
    return STALE if (fit.asked or "").rpartition(", ")[0] == MAINTAINED else UNSTATED[fit.fact]


def _conversions(fits: Sequence[Fit]) -> list[str]:
    """A conversion after which all that a badge speaks of fits."""
    after = _after(fits)
    return [f"Fits{after}", *_absent(fits)] if after and not _open(fits) else []


def _after(fits: Sequence[Fit]) -> str:
    """The programs that convert the scan first, in words; empty without any."""
    chains = ((fit.tool or "").partition(VIA)[2] for fit in fits if fit.verdict == CONVERTED)
    steps = [step for chain in chains for step in chain.split(", then ")]
    # A name may hold a colon; the formats of a step hold none.
    names = [step.rpartition(": ")[0] or step for step in steps]
    return f" after {' and '.join(names)}" if names else ""


def _absent(fits: Sequence[Fit]) -> list[str]:
    """Data, and kinds of MRI, that the tool needs beside the scan."""
    unknown = (fit for fit in fits if fit.verdict == "unknown")
    stated = (fit.tool or "" for fit in unknown if fit.fact in (DATA, SEQUENCE))
    absent = [tool.partition(ALSO)[2] for tool in stated if ALSO in tool]
    return [f"Also needs {' and '.join(absent)}"] if absent else []


def _silent_on_scan(fits: Sequence[Fit]) -> list[str]:
    of_scan = [fit for fit in fits if not fit.asked]
    if (said := _said(fits)) and said.verdict == "unknown":
        # There is no scan, so the badge speaks of what was said.
        return [_not_stated(of_scan).replace(", scan is ", ", you said ")]
    of_data = {fit.scan for fit in of_scan if fit.fact == DATA}
    if not of_data.isdisjoint((WITHOUT_PIXELS, DAMAGED)):
        return [f"The scan has {WITHOUT_PIXELS if WITHOUT_PIXELS in of_data else DAMAGED}"]
    documents = [words for words in DOCUMENT_WORDS.values() if words in of_data]
    if documents:
        return [f"The scan is {documents[0]}; what else is stated fits"]
    if of_scan and not any(fit.verdict in ("pass", CONVERTED) for fit in of_scan):
        return ["Fit not stated"]
    silent, absent = _open(fits), _absent(of_scan)
    if not silent:
        return ["Fits", *absent] if absent else []
    rest = "what else is stated" if any(f.tool and f.scan for f in silent) else "what is stated"
    return [f"{_not_stated(silent)}; {rest} fits{_after(fits)}", *absent]


def _open(fits: Sequence[Fit]) -> list[Fit]:
    """The facts of the scan that a badge names and that cannot be compared.

    The sequence is one of them where the kind of image passes and the record requires a sequence:
    of two MR images a tool for T1 takes one. Of other kinds of image it says nothing more.
    """
    kinds = {f.scan for f in fits if f.fact == "modality" and f.verdict == "pass"}
    passes = not SEQUENCED.isdisjoint(kinds)
    unknown = [f for f in fits if not f.asked and f.verdict == "unknown" and f.scan != NO_GRID]
    # That a file is one slice of a series is said once, of its dimension.
    is_told = any(f.fact == "dimension" and f.scan == LONE_SLICE for f in unknown)
    named = {*MAIN, *([SEQUENCE] if passes else [])} - {*([VOLUME_COUNT] if is_told else [])}
    # A sequence that is one of several is told by those that are absent.
    return [
        f
        for f in unknown
        if f.fact in named and (f.fact != SEQUENCE or (f.tool and ALSO not in f.tool))
    ]


def _not_stated(silent: Sequence[Fit]) -> str:
    """The facts that are stated and cannot be compared, those of the record, those of the scan."""
    apart = [f for f in silent if f.tool and f.scan]
    by_scan = [f.fact for f in silent if f.tool and not f.scan]
    by_record = [f.fact for f in silent if not f.tool]
    sides = ((by_record, ""), (by_scan, " of the scan"))
    words = [f"{_claim(f)}, scan {GUESSED if f.scan == GUESSED else f'is {f.scan}'}" for f in apart]
    more = [f"{_enumeration(facts)}{side} not stated" for facts, side in sides if facts]
    if not words:
        return ", ".join(more).capitalize()
    return "; ".join([words[0], *map(_inner, words[1:]), *more])


def _claim(fit: Fit) -> str:
    """What the record states of a fact, or what follows from it."""
    follows = (fit.tool or "").partition(NEEDS_MORE)[2] if fit.fact == VOLUME_COUNT else ""
    return f"Needs {follows}" if follows else f"States {_values(fit)}"


def _enumeration(facts: Sequence[str]) -> str:
    """``format``, ``format and modality``, ``format, modality and dimension``."""
    return " and ".join(filter(None, (", ".join(facts[:-1]), facts[-1])))
