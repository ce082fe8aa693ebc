"""What the records state of several tools together, in fixed wording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrieval.ask.cues import json_table
from retrieval.ask.reading import Reading
from retrieval.ask.stated.joint import dates_of, values_of
from retrieval.ask.words.phrases import joined, wording
from retrieval.core import Fact, Sentence
from retrieval.graph import FactBase

MOST = 12
"""Names of one list."""


def joint_sentences(base: FactBase, reading: Reading, facts: Sequence[Fact]) -> Iterator[Sentence]:
    """One sentence for each field that is asked of all subjects of a reading together."""
    if reading.joint == "order":
        evidence = tuple(fact.id for fact in facts)
        yield from (Sentence(text=text, evidence=evidence) for text in _in_order(base, reading))
        return
    for relation in reading.relations if reading.joint else ():
        evidence = tuple(f.id for f in facts if any(step[1] == relation for step in f.steps))
        text = _field(base, reading, relation) if evidence else ""
        yield from [Sentence(text=text, evidence=evidence)] if text else ()


def field_name(relation: str, language: str) -> str:
    """What a relation states, as a noun."""
    texts: dict[str, str] = json_table("wording")["fields"].get(relation, {})
    return texts.get(language) or texts.get("en") or relation.replace("_", " ")


def _field(base: FactBase, reading: Reading, relation: str) -> str:
    """What all subjects state under a relation, what any of them does, or whether it is alike."""
    values = {one: values_of(base, one, relation) for one in reading.subjects}
    silent = [one for one in reading.subjects if not values[one]]
    first, *others = (set(several) for several in values.values())
    shown: set[str] = first.intersection(*others)
    key = "shared" if shown else "none shared"
    if reading.joint == "any":
        key, shown = "any of", first.union(*others)
    elif silent:
        key = "field blank"
    elif reading.joint == "same":
        key = "same" if all(one == first for one in others) else "not same"
    subjects = silent if key == "field blank" else reading.subjects
    return wording(key, reading.language).format(
        s=joined([base.label(one) for one in subjects], MOST, reading.language),
        r=field_name(relation, reading.language),
        o=joined(sorted((base.label(v) for v in shown), key=str.casefold), MOST, reading.language),
    )


def _in_order(base: FactBase, reading: Reading) -> Iterator[str]:
    """The subjects by date, newest first, and what dates them; then those that state none."""
    relation, days = dates_of(base, reading.subjects, reading.changes)
    names = sorted(days, key=lambda one: (days[one], base.label(one)), reverse=True)
    same = len(set(days.values())) == 1
    shown = [base.label(one) if same else f"{base.label(one)} ({days[one]})" for one in names]
    text, field = joined(shown, MOST, reading.language), field_name(relation, reading.language)
    if len(days) > 1:
        key, dates = ("same day", days[names[0]]) if same else ("in order", text)
        yield wording(key, reading.language).format(s=text, r=field, o=dates)
    if silent := [base.label(one) for one in reading.subjects if one not in days]:
        text = joined(silent, MOST, reading.language)
        yield wording("field blank", reading.language).format(s=text, r=field)
