"""Short answers in the language of the question; every sentence names the facts that bear it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from retrieval.ask.compound import Part
from retrieval.ask.linker import SPACELESS
from retrieval.ask.solve import Solution
from retrieval.core import Fact, Sentence, Step
from retrieval.graph import FactBase

MOST_NAMES = 12
MOST_SENTENCES = 6
MOST_WAYS = 4


@cache
def _wording() -> dict[str, Any]:
    text = files("retrieval.ask").joinpath("wording.json").read_text("utf-8")
    told: dict[str, Any] = json.loads(text)
    return told


def _say(key: str, language: str) -> str:
    told: dict[str, str] = _wording()[key]
    return told.get(language) or told["en"]


def refusal(trouble: str, language: str, words: Sequence[str] = ()) -> str:
    """Why there is no answer, in plain words of the question's language."""
    told: dict[str, str] = _wording()["refusals"][trouble]
    between = "、" if language in SPACELESS else ", "
    return (told.get(language) or told["en"]).format(words=between.join(words))


def unanswered(parts: Sequence[Part]) -> str:
    """Why parts of a question have no answer; of several parts each is named by its words."""
    told = [
        (part.text, refusal(found.trouble, found.reading.language, found.reading.unread))
        for part in parts
        if (found := part.found).trouble
    ]
    return " ".join(why if len(parts) == 1 else f"{text} {why}" for text, why in told)


def extracted(base: FactBase, found: Solution) -> tuple[Sentence, ...]:
    """The answer that a solution holds, made of fixed wording; empty where there is trouble."""
    if found.trouble or not found.facts:
        return ()
    language = found.reading.language
    if found.among or found.reading.form == "select":
        return (_listed(base, found, language),)
    told = list(_grouped(base, found.facts, language))[:MOST_SENTENCES]
    if found.holds is None:
        return tuple(told)
    word = _say("yes" if found.holds else "not stated", language)
    opening = Sentence(text=word, evidence=_ids(found.facts))
    return (opening, *told)


def _ids(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _listed(base: FactBase, found: Solution, language: str) -> Sentence:
    if found.among and not found.nodes:
        return Sentence(text=_say("none among", language), evidence=_ids(found.facts))
    if any(fact.kind == "path" for fact in found.facts):
        return _steps(base, found, language)
    names = [base.label(node) for node in found.nodes[:MOST_NAMES]]
    between = "、" if language in SPACELESS else ", "
    text = between.join(names)
    if len(found.nodes) > MOST_NAMES:
        more = _say("more", language).format(n=len(found.nodes) - MOST_NAMES)
        text = f"{text}{between}{more}"
    said = _say("among" if found.among else "listed", language).format(
        n=len(found.nodes), names=text
    )
    return Sentence(text=said, evidence=_ids(found.facts))


def _steps(base: FactBase, found: Solution, language: str) -> Sentence:
    """Two tools one after the other, with what passes between them."""
    ways = [
        " → ".join(
            base.label(node) for node in (fact.steps[0][0], *fact.steps[1][2:], fact.steps[2][0])
        )
        for fact in found.facts[:MOST_WAYS]
    ]
    more = len(found.facts) - len(ways)
    ways += [_say("more", language).format(n=more)] if more else []
    between = "；" if language in SPACELESS else "; "
    said = _say("in steps", language).format(ways=between.join(ways))
    return Sentence(text=said, evidence=_ids(found.facts))


def _grouped(base: FactBase, facts: Sequence[Fact], language: str) -> Iterator[Sentence]:
    """One sentence for all that a tool has under one relation."""
    groups: dict[tuple[str, str], list[tuple[Step, Fact]]] = {}
    for fact in facts:
        for step in fact.steps:
            groups.setdefault((step[0], step[1]), []).append((step, fact))
    for (head, relation), held in groups.items():
        objects = [_value(base, step[2], language) for step, _ in held]
        evidence = tuple(dict.fromkeys(fact.id for _, fact in held))
        yield Sentence(text=_told(base, head, relation, objects, language), evidence=evidence)


def _value(base: FactBase, node: str, language: str) -> str:
    label = base.label(node)
    if base.kind(node) not in {"gpu", "license_class"}:
        return label
    return str(_wording()["values"].get(label, {}).get(language, label))


def _told(base: FactBase, head: str, relation: str, objects: Sequence[str], language: str) -> str:
    relations: dict[str, dict[str, str]] = _wording()["relations"]
    form = relations.get(relation, relations[""])
    between = "、" if language in SPACELESS else ", "
    shown = list(dict.fromkeys(objects))
    text = between.join(shown[:MOST_NAMES])
    if len(shown) > MOST_NAMES:
        text += between + _say("more", language).format(n=len(shown) - MOST_NAMES)
    template = form.get(language) or form["en"]
    return template.format(s=base.label(head), o=text, r=relation.replace("_", " "))
