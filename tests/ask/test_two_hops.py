"""A question of tools that are described by another tool is answered in two steps, or says so."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine


def facts_of(asking: QuestionEngine, question: str) -> set[str]:
    asked = asking.ask(question)
    assert not asked.evidence.refusal
    answered = {fact for sentence in asked.evidence.answer for fact in sentence.evidence}
    return {fact.text for fact in asked.evidence.facts if fact.id in answered}


@pytest.mark.parametrize(
    "question",
    [
        "What formats do the prerequisites of TotalSegmentator read?",
        "Which formats can the tools required by TotalSegmentator read?",
        "What does the tool that TotalSegmentator requires read?",
        "What do TotalSegmentator's dependencies read?",
        "Welche Formate lesen die Werkzeuge, die TotalSegmentator benötigt?",
        "Quels formats lisent les outils que TotalSegmentator requiert ?",
        "¿Qué formatos leen las herramientas que requiere TotalSegmentator?",
        "Quais formatos leem as ferramentas que TotalSegmentator requer?",
        "TotalSegmentator 所需的工具读取哪些格式？",
        "TotalSegmentator が必要とするツールはどの形式を読みますか？",
    ],
)
def test_what_is_asked_of_a_required_tool_is_told_of_that_tool(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    facts = facts_of(asking, question)
    assert "TotalSegmentator requires tool nnU-Net" in facts
    for one in shipped["nnunet"].formats_in:
        assert f"nnU-Net accepts {one}" in facts
    assert not any(fact.startswith("TotalSegmentator accepts") for fact in facts)


def test_several_described_tools_are_all_asked(asking: QuestionEngine) -> None:
    facts = facts_of(asking, "Do the tools that HD-BET requires run on Windows?")
    assert {"nnU-Net runs on Windows", "SimpleITK runs on Windows"} <= facts
    licences = facts_of(asking, "What is the licence of the tools that MONAI Label requires?")
    assert "MONAI has license Apache-2.0" in licences


@pytest.mark.parametrize(
    "question",
    [
        "Which tools does the tool that nnU-Net requires need?",
        "Who needs the prerequisites of dcm2niix?",
    ],
)
def test_a_first_step_without_a_tool_is_named(question: str, asking: QuestionEngine) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert "it states no tool for" in asked.refused


def test_a_step_to_many_tools_says_that_one_step_alone_is_answered(asking: QuestionEngine) -> None:
    asked = asking.ask("What do the tools that require nnU-Net read?")
    assert "I answer only the first step" in asked.evidence.refusal
    assert asked.evidence.answer


@pytest.mark.parametrize(
    "question",
    [
        "What are the prerequisites of TotalSegmentator?",
        "List the tools that TotalSegmentator requires.",
        "Which tools that require nnU-Net read DICOM?",
        "List the tools required by HD-BET that read DICOM",
    ],
)
def test_a_question_of_one_step_stays_one(question: str, asking: QuestionEngine) -> None:
    asked = asking.ask(question)
    assert not asked.evidence.refusal
    heads = {fact.text.split(" requires tool")[0] for fact in asked.evidence.facts}
    assert "nnU-Net accepts NIfTI" not in heads
    assert len([one for one in asked.evidence.facts if one.id.startswith("set | ")]) <= 1
