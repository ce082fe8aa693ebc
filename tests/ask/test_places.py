"""Where a tool stands in a search no record states; the answer says where the page does."""

from __future__ import annotations

import pytest

from retrieval.ask.compose import refusal
from retrieval.wiring.questions.question_engine import QuestionEngine


@pytest.mark.parametrize(
    "question",
    [
        "Why is StarDist fourth?",
        "Why is Cellpose not in the list?",
        "Why does napari rank above Fiji?",
        "And where is DESeq2 listed?",
        "Warum steht napari nicht in der Liste?",
        "Pourquoi Cellpose est-il premier ?",
        "¿Por qué FSL está en primer lugar?",
        "为什么 FSL 排在第三？",
    ],
)
def test_why_a_tool_stands_somewhere_is_told_by_the_search(
    asking: QuestionEngine, question: str
) -> None:
    response = asking.ask(question)
    assert response.refused == refusal("no place", response.language)


@pytest.mark.parametrize(
    "question",
    [
        "Why does nnU-Net need a GPU?",
        "Which tools list their licence?",
        "Is Cellpose listed for Windows?",
        "Where can I download napari?",
        "Which tools are ranked by name?",
        "What must be installed first for fMRIPrep?",
        "Warum braucht nnU-Net eine GPU?",
        "Wo finde ich die Dokumentation von napari?",
        "Pourquoi FSL a-t-il besoin de Linux ?",
        "Where is the paper of FSL?",
    ],
)
def test_other_questions_of_why_and_where_are_read_as_before(
    asking: QuestionEngine, question: str
) -> None:
    response = asking.ask(question)
    assert response.refused != refusal("no place", response.language)
