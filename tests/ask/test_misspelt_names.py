"""A tool's name that is misspelt is read as the near one, or that one is offered; both are told."""

from __future__ import annotations

import pytest

from retrieval.wiring.questions.question_engine import QuestionEngine


def answer_of(asking: QuestionEngine, question: str) -> str:
    asked = asking.ask(question)
    return " ".join([*(one.text for one in asked.evidence.answer), asked.evidence.refusal])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does ITK-SNP need?", "ITK-SNP = ITK-SNAP"),
        ("What does TotalSegmentater read?", "TotalSegmentater = TotalSegmentator"),
        ("Que lit TotalSegmentater ?", "TotalSegmentater = TotalSegmentator"),
        ("What do the prerequisites of TotalSegmentater read?", "TotalSegmentater ="),
    ],
)
def test_a_misspelt_name_is_read_as_the_near_one_and_told(
    question: str, name: str, asking: QuestionEngine
) -> None:
    assert name in answer_of(asking, question)


def test_a_misspelt_compound_is_not_read_as_the_tool_of_its_first_part(
    asking: QuestionEngine,
) -> None:
    asked = asking.ask("Does ITK-SNP run on Windows?")
    assert not [fact for fact in asked.evidence.facts if fact.text.startswith("ITK ")]


def test_a_refusal_tells_the_name_that_was_read_too(asking: QuestionEngine) -> None:
    refused = answer_of(asking, "Who maintains TotalSegmentater?")
    assert "nothing in it speaks of Who, maintains" in refused
    assert "TotalSegmentater = TotalSegmentator" in refused


@pytest.mark.parametrize(
    ("question", "name"),
    [("What does HD-BTE need?", "HD-BET"), ("Welche Werkzeuge benötigen MONIA?", "MONAI")],
)
def test_a_name_less_like_one_of_the_catalog_is_offered(
    question: str, name: str, asking: QuestionEngine
) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert asked.refused.endswith(f": {name}.")


@pytest.mark.parametrize(
    "question", ["Which open-source tools segment the liver?", "What reads T1-weighted images?"]
)
def test_compounds_that_are_no_names_are_read_as_before(
    question: str, asking: QuestionEngine
) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer
    assert "-source =" not in answer_of(asking, question)
