"""Questions of two halves: both are answered from the graph, each by facts of its own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.ask.compose import refusal
from retrieval.ask.cues import clauses_of, language_of
from retrieval.core.codes import Format
from retrieval.core.types import Tool
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import response_json, response_text
from tests.ask.compounds import compounds, halves_right
from tests.ask.gold import questions
from tests.fakes import make_pairs, make_tool

MOST_TRIPLES, SHARE = 40, 0.9
BOTH = "Which tools turn my DICOM into something nnU-Net reads, and which of them are open?"
TOOLS = (
    make_tool(
        "free2nii", formats_in=(Format.DICOM,), formats_out=(Format.NIFTI,), tasks=("conversion",),
        converts=make_pairs("DICOM > NIfTI"), license="MIT",
    ),
    make_tool(
        "paid2nii", formats_in=(Format.DICOM,), formats_out=(Format.NIFTI,), tasks=("conversion",),
        converts=make_pairs("DICOM > NIfTI"), license="CC-BY-NC-4.0",
    ),
    make_tool("nnunet", name="nnU-Net", formats_in=(Format.NIFTI,), license="Apache-2.0"),
)  # fmt: skip


@pytest.fixture(scope="module")
def small() -> QuestionEngine:
    return QuestionEngine(GraphParts.of(TOOLS))


def test_both_halves_of_a_question_are_answered_each_by_its_own_facts(
    small: QuestionEngine,
) -> None:
    asked = small.ask(BOTH)
    first, second = asked.evidence.answer
    assert first.text == "2 in the catalog: free2nii, paid2nii."
    assert second.text == "Of these, 1: free2nii."
    texts = {fact.id: fact.text for fact in asked.evidence.facts}
    assert any("open" in texts[one] for one in second.evidence)
    assert not any("paid2nii" in texts[one] for one in second.evidence)
    assert asked.evidence.refusal == ""


@pytest.mark.parametrize("kind", ["tuning", "held out"])
def test_compound_questions_have_both_halves_in_a_small_context(
    kind: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    rows = compounds(kind)
    wrong = [row["id"] for row in rows if not all(halves_right(asking, shipped, row))]
    assert len(wrong) <= (1 - SHARE) * len(rows), wrong
    assert all(len(asking.ask(row["question"]).evidence.facts) <= MOST_TRIPLES for row in rows)


def test_a_half_that_nothing_answers_is_named_beside_the_one_that_is(small: QuestionEngine) -> None:
    asked = small.ask("Which tools read DICOM, and which of them cost less than a zloty?")
    (told,) = asked.evidence.answer
    assert "free2nii" in told.text
    assert asked.refused == ""
    assert asked.unanswered.startswith("and which of them cost less than a zloty? I cannot answer")
    assert "zloty" in response_text(asked)
    assert response_json(asked)["unanswered"] == asked.unanswered


def test_none_of_those_found_is_said_with_what_is_stated_instead(small: QuestionEngine) -> None:
    asked = small.ask("Which tools write NIfTI, and which of them are under the Apache licence?")
    assert asked.evidence.answer[0].text == "2 in the catalog: free2nii, paid2nii."
    assert asked.evidence.answer[1].text == "Of none of these does the catalog state that."
    assert all(one.evidence for one in asked.evidence.answer)


def test_a_word_that_looks_back_stands_for_the_tool_that_was_named(small: QuestionEngine) -> None:
    asked = small.ask("What does nnU-Net read, and what licence does it have?")
    texts = [one.text for one in asked.evidence.answer]
    assert texts == ["nnU-Net reads NIfTI.", "The licence of nnU-Net is Apache-2.0."]


def test_without_an_answer_to_the_first_half_the_second_is_not_guessed(
    small: QuestionEngine,
) -> None:
    asked = small.ask("Which tools read zlotyscans, and which of them are open?")
    assert asked.evidence.answer == ()
    assert "zlotyscans" in asked.refused


def test_a_statement_before_a_question_is_no_half_of_it() -> None:
    for row in questions("tuning"):
        text = row["question"]
        told = clauses_of(text, language_of(text))
        assert len(told) == 1 or "which are open" in text, row["id"]


@pytest.mark.parametrize(
    ("question", "affirmed"),
    [
        ("Is lungmask written in Python and is TotalSegmentator licensed under MIT?", 1),
        ("Does nnU-Net read DICOM and does lungmask read NIfTI?", 1),
        ("Ist lungmask in Python geschrieben und ist 3D Slicer in Java geschrieben?", 1),
        ("Liest lungmask DICOM und braucht TotalSegmentator eine GPU?", 1),
        ("Läuft lungmask unter Windows und liest dcm2niix DICOM?", 2),
        ("Est-ce que TotalSegmentator lit DICOM et est-ce que lungmask lit NIfTI ?", 2),
    ],
)
def test_each_tool_is_asked_its_own_question(
    asking: QuestionEngine, question: str, affirmed: int
) -> None:
    sentences = [one.text for one in asking.ask(question).evidence.answer]
    assert sum(text in ("Yes.", "Ja.", "Oui.") for text in sentences) == affirmed, sentences


@pytest.mark.parametrize(
    "question",
    [
        "How many tools read DICOM, and how many write it?",
        "Wie viele Werkzeuge lesen DICOM und wie viele schreiben es?",
    ],
)
def test_a_second_count_of_a_format_counts_all_tools(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    first, second = asking.ask(question).evidence.answer
    assert first.text.startswith(f"{sum('DICOM' in t.formats_in for t in shipped.values())} ")
    assert second.text.startswith(f"{sum('DICOM' in t.formats_out for t in shipped.values())} ")


READ_DICOM = {
    "en": "Which tools read DICOM?",
    "de": "Welche Werkzeuge lesen DICOM?",
    "fr": "Quels outils lisent DICOM?",
    "es": "¿Qué herramientas leen DICOM?",
    "zh": "哪些工具读取DICOM？",
}


@pytest.mark.parametrize(
    "question",
    [
        "which of them are open?",
        "and which of them are open?",
        "Which of these tools are open?",
        "Of those, which are open?",
        "Are any of them open?",
        "How many of these write NIfTI?",
        "Welche davon schreiben NIfTI?",
        "Lesquels d'entre eux sont libres ?",
        "¿Cuáles de ellas escriben NIfTI?",
        "其中哪些写出NIfTI？",
        "Do they write NIfTI?",
        "Are they open source?",
    ],
)
def test_a_question_of_them_alone_is_refused_and_goes_on_with_the_one_before(
    small: QuestionEngine, question: str
) -> None:
    alone = small.ask(question)
    assert alone.refused == refusal("nothing before", alone.language)
    assert alone.evidence.answer == ()
    first = READ_DICOM[alone.language]
    joined = small.ask(question, before=first)
    assert joined.question == f"{first[:-1]}? {question}"
    assert not joined.refused
    assert len(joined.evidence.answer) > 1


@pytest.mark.parametrize(
    "question",
    [
        "Which tools read DICOM, and which of them are open?",
        "Which of those that read DICOM are open?",
        "Which of these, nnU-Net or paid2nii, are open?",
        "Which of these tools are open: nnU-Net, paid2nii?",
        "Which are open?",
        "Which tools are open?",
        "Which of the tools that read DICOM are open?",
        "What does nnU-Net read?",
        "Is it open source?",
        "Which tools do they name for MRI?",
        "Welche Werkzeuge lesen DICOM?",
    ],
)
def test_a_question_that_says_who_is_meant_goes_on_with_none_before(
    small: QuestionEngine, question: str
) -> None:
    response = small.ask(question, before="Which tools read NIfTI?")
    assert response.question == question
    assert response.refused != refusal("nothing before", response.language)
