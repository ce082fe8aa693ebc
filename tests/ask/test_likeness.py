"""What a word was read as is said where the two differ; thin fields rule nothing out."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine


def said(asking: QuestionEngine, question: str) -> str:
    return " ".join(one.text for one in asking.ask(question).evidence.answer)


def test_an_article_before_a_licence_is_no_letter_of_another_one(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    first = said(asking, "How many tools have a GPL licence?")
    assert first.split()[0] == said(asking, "Which tools are GPL licensed?").split()[0]
    affero = sum("AGPL" in (t.license or "") for t in shipped.values())
    assert said(asking, "How many tools have an AGPL licence?").split()[0] == str(affero)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Which tools use MCP?", "MCP = large language model"),
        ("MR fingerprinting", "MR fingerprinting = relaxometry"),
        ("Which tools segment tumours?", "segment tumours = lesion segmentation"),
    ],
)
def test_a_word_that_was_read_as_another_is_told(
    question: str, note: str, asking: QuestionEngine
) -> None:
    assert note in said(asking, question)


@pytest.mark.parametrize(
    "question",
    ["Which tools segment cells?", "Which tools register MRI?", "What does nnU-Net read?"],
)
def test_forms_of_one_word_are_no_such_reading(question: str, asking: QuestionEngine) -> None:
    assert "Read here" not in said(asking, question)


def test_what_a_tool_converts_from_it_reads(asking: QuestionEngine) -> None:
    assert said(asking, "Does dcm2niix read PAR/REC?").startswith("Yes.")
    listed = said(asking, "What reads Philips PAR/REC?")
    assert "not listed as reading it: dcm2niix, SPM" in listed
    assert "Yes" not in said(asking, "Does dcm2niix read CZI?")


def test_a_collection_is_no_answer_to_which_system_a_tool_runs_on(asking: QuestionEngine) -> None:
    for system in ("macOS", "Windows"):
        answer = said(asking, f"Does ITK-SNAP run on {system}?")
        assert f"About {system} it states nothing either way" in answer
        assert "runs on Neurodesk" in answer
    assert "does not rule CT out" in said(asking, "Does nnU-Net read CT?")
    assert said(asking, "Does ilastik run on Windows?").startswith("Yes.")
