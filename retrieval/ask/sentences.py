"""Short answers in the language of the question; every sentence cites the facts behind it."""

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
    table: dict[str, Any] = json.loads(text)
    return table


def _say(key: str, language: str) -> str:
    texts: dict[str, str] = _wording()[key]
    return texts.get(language) or texts["en"]


def refusal(trouble: str, language: str, words: Sequence[str] = ()) -> str:
    """Why there is no answer, in the question's language; English where a text is missing."""
    texts: dict[str, str] = _wording()["refusals"][trouble]
    between = "、" if language in SPACELESS else ", "
    return (texts.get(language) or texts["en"]).format(words=between.join(words))


def unanswered(parts: Sequence[Part]) -> str:
    """Why parts of a question have no answer; of several parts each is quoted first."""
    reasons = [
        (part.text, refusal(solution.trouble, solution.reading.language, solution.reading.unread))
        for part in parts
        if (solution := part.solution).trouble
    ]
    return " ".join(why if len(parts) == 1 else f"{text} {why}" for text, why in reasons)


def extracted(base: FactBase, solution: Solution) -> tuple[Sentence, ...]:
    """The answer of a solution in fixed wording; empty where the solution has trouble.

    At most MOST_SENTENCES sentences of MOST_NAMES names; a yes or no comes first.
    """
    if solution.trouble or not solution.facts:
        return ()
    language = solution.reading.language
    if solution.among or solution.reading.form == "select":
        return (_listed(base, solution, language),)
    sentences = list(_grouped(base, solution.facts, language))[:MOST_SENTENCES]
    if solution.holds is None:
        return tuple(sentences)
    word = _say("yes" if solution.holds else "not stated", language)
    opening = Sentence(text=word, evidence=_ids(solution.facts))
    return (opening, *sentences)


def _ids(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _listed(base: FactBase, solution: Solution, language: str) -> Sentence:
    if solution.among and not solution.nodes:
        return Sentence(text=_say("none among", language), evidence=_ids(solution.facts))
    if any(fact.kind == "path" for fact in solution.facts):
        return _steps(base, solution, language)
    names = [base.label(node) for node in solution.nodes[:MOST_NAMES]]
    between = "、" if language in SPACELESS else ", "
    text = between.join(names)
    if len(solution.nodes) > MOST_NAMES:
        more = _say("more", language).format(n=len(solution.nodes) - MOST_NAMES)
        text = f"{text}{between}{more}"
    sentence = _say("among" if solution.among else "listed", language).format(
        n=len(solution.nodes), names=text
    )
    return Sentence(text=sentence, evidence=_ids(solution.facts))


def _steps(base: FactBase, solution: Solution, language: str) -> Sentence:
    """Pairs of tools in sequence with the format that passes between them."""
    ways = [
        " → ".join(
            base.label(node) for node in (fact.steps[0][0], *fact.steps[1][2:], fact.steps[2][0])
        )
        for fact in solution.facts[:MOST_WAYS]
    ]
    more = len(solution.facts) - len(ways)
    ways += [_say("more", language).format(n=more)] if more else []
    between = "；" if language in SPACELESS else "; "
    sentence = _say("in steps", language).format(ways=between.join(ways))
    return Sentence(text=sentence, evidence=_ids(solution.facts))


def _grouped(base: FactBase, facts: Sequence[Fact], language: str) -> Iterator[Sentence]:
    """One sentence for each pair of tool and relation, in the order of the facts."""
    groups: dict[tuple[str, str], list[tuple[Step, Fact]]] = {}
    for fact in facts:
        for step in fact.steps:
            groups.setdefault((step[0], step[1]), []).append((step, fact))
    for (head, relation), members in groups.items():
        objects = [_value(base, step[2], language) for step, _ in members]
        evidence = tuple(dict.fromkeys(fact.id for _, fact in members))
        yield Sentence(text=_statement(base, head, relation, objects, language), evidence=evidence)


def _value(base: FactBase, node: str, language: str) -> str:
    label = base.label(node)
    if base.kind(node) not in {"gpu", "license_class"}:
        return label
    return str(_wording()["values"].get(label, {}).get(language, label))


def _statement(
    base: FactBase, head: str, relation: str, objects: Sequence[str], language: str
) -> str:
    relations: dict[str, dict[str, str]] = _wording()["relations"]
    form = relations.get(relation, relations[""])
    between = "、" if language in SPACELESS else ", "
    shown = list(dict.fromkeys(objects))
    text = between.join(shown[:MOST_NAMES])
    if len(shown) > MOST_NAMES:
        text += between + _say("more", language).format(n=len(shown) - MOST_NAMES)
    template = form.get(language) or form["en"]
    return template.format(s=base.label(head), o=text, r=relation.replace("_", " "))
