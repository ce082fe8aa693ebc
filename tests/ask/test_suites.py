"""A suite has programs, a tool has a field: which of both a question asks for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine


@pytest.mark.parametrize(
    ("question", "suite"),
    [
        ("How many programs does FSL contain?", "FSL"),
        ("How many tools are in FSL?", "FSL"),
        ("What does AFNI include?", "AFNI"),
        ("Wie viele Programme enthält FSL?", "FSL"),
        ("Quels outils contient FreeSurfer ?", "FreeSurfer"),
        ("¿Cuántos programas contiene FSL?", "FSL"),
        ("FSL 包含哪些工具？", "FSL"),
        ("Which tools belong to FSL?", "FSL"),
    ],
)
def test_the_programs_of_a_suite_are_its_parts(
    question: str, suite: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    evidence = asking.ask(question).evidence
    parts = {t.id for t in shipped.values() if t.suite == suite}
    assert evidence.answer[0].text.startswith(f"{len(parts)} ") or f" {len(parts)} " in (
        evidence.answer[0].text
    )
    assert {step[0] for fact in evidence.facts for step in fact.steps} == parts


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What domain does napari belong to?", "napari belongs to microscopy."),
        ("Zu welchem Fachgebiet gehört napari?", "napari gehört zu microscopy."),
        ("À quel domaine appartient napari ?", "napari relève de microscopy."),
        ("Which suite does dwidenoise belong to?", "dwidenoise is part of MRtrix3."),
        ("Which suite contains BET?", "BET (FSL) is part of FSL."),
        ("Does FSL contain BET?", "Yes."),
    ],
)
def test_what_a_tool_belongs_to_is_asked(
    question: str, answer: str, asking: QuestionEngine
) -> None:
    assert asking.ask(question).evidence.answer[0].text == answer


def test_the_suite_of_a_suite_is_not_stated(asking: QuestionEngine) -> None:
    assert "states nothing" in asking.ask("Which suite does FSL belong to?").refused
