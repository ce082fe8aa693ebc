"""Compound questions are set operations: what they list is what the records give for them."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.ask.phrases import PHRASES, compounds_of

NUMBER = 240


def listed(asked: Response) -> frozenset[str]:
    """The tools that the answer stands for: the members of the set among its evidence."""
    sets = [fact for fact in asked.evidence.facts if fact.kind == "record"]
    return frozenset(sets[0].nodes) if sets else frozenset()


def test_compounds_in_six_languages_list_what_the_records_give(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    compounds = list(compounds_of(shipped, NUMBER))
    wrong = [one.question for one in compounds if listed(asking.ask(one.question)) != one.wanted]
    assert {one.language for one in compounds} == set(PHRASES)
    assert sum(bool(one.wanted) for one in compounds) > NUMBER * 0.7
    assert wrong == []
