"""A question that refers to the one before it is read with that one's tools, or not at all."""

from __future__ import annotations

import pytest

from retrieval.ask.compose import refusal
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response


def last_of(asking: QuestionEngine, *turns: str) -> Response:
    response = asking.ask(turns[0])
    for turn in turns[1:]:
        response = asking.ask(turn, before=response.question, recent=response.recent)
    return response


@pytest.mark.parametrize(
    ("before", "question", "alone"),
    [
        ("What licence has napari?", "Does it need a GPU?", "Does napari need a GPU?"),
        ("What licence has FSL?", "Can I use it commercially?", "Can I use FSL commercially?"),
        ("What does MRIQC read?", "what are its tasks?", "what are the tasks of MRIQC?"),
        ("What does MRIQC read?", "How do I install it?", "How do I install MRIQC?"),
        ("What does QuPath write?", "And TrackMate?", "What does TrackMate write?"),
        ("Does Cellpose read PNG?", "What about JPEG?", "Does Cellpose read JPEG?"),
        (
            "Compare Scanpy and Seurat",
            "And limma and DESeq2?",
            "Compare limma and DESeq2",
        ),
        (
            "Compare limma and DESeq2",
            "Which of the two writes PDF?",
            "Which of limma or DESeq2 writes PDF?",
        ),
        (
            "Compare limma and DESeq2",
            "Do they read CSV?",
            "Do limma and DESeq2 read CSV?",
        ),
        ("Was liest nnU-Net?", "Läuft es unter Windows?", "Läuft nnU-Net unter Windows?"),
        ("Was liest nnU-Net?", "Und seine Lizenz?", "Und die Lizenz von nnU-Net?"),
        (
            "Que lit StarDist ?",
            "Et sous quels systèmes fonctionne-t-il ?",
            "Et sous quels systèmes fonctionne StarDist ?",
        ),
        (
            "Quelle est la licence de Scanpy ?",
            "Et celle de Seurat ?",
            "Quelle est la licence de Seurat ?",
        ),
        ("¿Qué licencia tiene napari?", "¿Y QuPath?", "¿Qué licencia tiene QuPath?"),
        (
            "Quels outils lisent DICOM ?",
            "Et lesquels fonctionnent sous Windows ?",
            "Quels outils lisent DICOM? Et lesquels d'entre eux fonctionnent sous Windows ?",
        ),
        (
            "Which tools read DICOM?",
            "Which of the listed tools run on macOS?",
            "Which tools read DICOM? Which of them run on macOS?",
        ),
    ],
)
def test_a_word_that_looks_back_is_read_with_the_question_before(
    asking: QuestionEngine, before: str, question: str, alone: str
) -> None:
    response = last_of(asking, before, question)
    assert response.question == alone
    assert response.typed == question
    assert not response.refused


def test_the_two_are_the_tools_of_the_two_questions_before(asking: QuestionEngine) -> None:
    turns = ("What licence has Seurat?", "And Monocle 3?", "Which of the two does clustering?")
    assert last_of(asking, *turns).question == "Which of Seurat or Monocle 3 does clustering?"


def test_a_refused_question_leaves_the_tools_before_it(asking: QuestionEngine) -> None:
    turns = ("What does StarDist read?", "Who wrote zloty poems?", "What is its licence?")
    assert last_of(asking, *turns).question == "What is the licence of StarDist?"


def test_those_of_a_question_without_an_answer_are_none(asking: QuestionEngine) -> None:
    turns = ("What is similar to Cellpose?", "And which of those are in Python?")
    response = last_of(asking, *turns)
    assert response.evidence.answer == ()
    assert response.refused == refusal("no replacement", "en")


@pytest.mark.parametrize(
    "turns",
    [
        ("Does it need a GPU?",),
        ("What is its licence?",),
        ("Which tools read DICOM?", "Does it need a GPU?"),
    ],
)
def test_it_without_one_tool_before_is_refused(
    asking: QuestionEngine, turns: tuple[str, ...]
) -> None:
    response = last_of(asking, *turns)
    words = "its" if "its" in turns[-1] else "it"
    assert response.refused == refusal("nothing named", "en", [words])


@pytest.mark.parametrize(
    "question",
    [
        "Is it possible to segment cells without a GPU?",
        "How do I convert it to NIfTI?",
        "Gibt es Werkzeuge für die Leber?",
        "Können Sie mir sagen, welche Werkzeuge DICOM lesen?",
        "I have a CT scan of the lung; what can I use to segment it?",
        "Which tools read DICOM and write it?",
        "And which tools read DICOM?",
        "Y a-t-il des outils pour le foie ?",
        "Which two tools convert DICOM to NIfTI?",
        "Does Cellpose need a GPU?",
        "What does nnU-Net read, and what licence does it have?",
    ],
)
def test_a_question_that_stands_alone_stays_as_typed(asking: QuestionEngine, question: str) -> None:
    response = asking.ask(question, before="What licence has napari?", recent=("napari",))
    assert response.question == question
    assert response.refused != refusal("nothing named", response.language, ["it"])
