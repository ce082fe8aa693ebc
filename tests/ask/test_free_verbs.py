"""Compound questions with verbs that no list has, and how the answer says that it read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import response_text
from tests.ask.second_compounds import Rows, Sets
from tests.ask.test_sets import listed

FILE = Path(__file__).with_name("free_verbs.jsonl")
FLOORS = {"tuning": 29, "held out": 30, "third": 26}
"""Of 30 each; 19 and 19 of the first two were right while only listed verbs were read. Of the
third, written before anyone looked, 22 were at first. See docs/ask.md."""
NO_GPU = ({"none"}, {"none", "optional"}, {"none", "optional", "recommended"})
GPU = ({"required"}, {"required", "recommended"})


def sets_of(rows: Rows, wanted: Any) -> Sets:
    """Every set that a constraint, or *and* and *or* of several, may mean.

    ``~`` parts readings of one constraint, ``!`` denies it.
    """
    if isinstance(wanted, list):
        operator, *parts = wanted
        join = frozenset.intersection if operator == "&" else frozenset.union
        return tuple(reduce(join, one) for one in product(*(sets_of(rows, p) for p in parts)))
    if "~" in wanted:
        return tuple(one for part in wanted.split("~") for one in sets_of(rows, part))
    field, _, value = wanted.removeprefix("!").partition("=")
    if field == "gpu":
        degrees = NO_GPU if value == "free" else GPU
        return tuple(rows.having("gpu", one) for one in degrees)
    sets = rows.readings(field, value)
    if field == "compatible_with":
        own = next(set(row["compatible_with"]) for row in rows.all if row["id"] == value)
        sets = tuple(one | own & rows.ids for one in sets)
    return tuple(rows.ids - one for one in sets) if wanted.startswith("!") else sets


@pytest.mark.parametrize("half", FLOORS)
def test_verbs_of_no_list_give_the_sets_that_the_lines_of_the_catalog_give(
    half: str, asking: QuestionEngine
) -> None:
    rows = Rows()
    questions = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    questions = [row for row in questions if row["set"] == half]
    wrong = [
        row["id"]
        for row in questions
        if listed(asking.ask(row["question"])) not in sets_of(rows, row["wanted"])
    ]
    assert len(questions) == 30
    assert len(questions) - len(wrong) >= FLOORS[half], wrong


@pytest.mark.parametrize(
    ("question", "plain", "said"),
    [
        ("Which tools gobble CZI?", "Which tools read CZI?", "gobble = read"),
        (
            "Which tools read DICOM and excrete CSV?",
            "Which tools read DICOM and write CSV?",
            "excrete = write",
        ),
        (
            "Welche Programme schlucken NRRD und schreiben JSON?",
            "Welche Programme lesen NRRD und schreiben JSON?",
            "schlucken = lesen",
        ),
        (
            "¿Qué programas están codificados en Java y leen CZI?",
            "¿Qué programas están escritos en Java y leen CZI?",
            "codificados",
        ),
    ],
)
def test_a_verb_of_no_list_is_read_by_the_name_after_it_and_named(
    asking: QuestionEngine, question: str, plain: str, said: str
) -> None:
    answer, other = asking.ask(question), asking.ask(plain)
    assert {n for f in answer.evidence.facts for n in f.nodes} == {
        n for f in other.evidence.facts for n in f.nodes
    }
    assert said in response_text(answer)
    assert "=" not in other.evidence.answer[0].text


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Which tools gobble CZI for breakfast?", "breakfast"),
        ("Which tools customers use to read DICOM?", "customers"),
        ("Which tools for gobbled CZI?", "gobbled"),
        ("Which tools gobble a GPU?", "gobble"),
    ],
)
def test_a_word_that_stands_nowhere_as_a_verb_stays_unknown(
    asking: QuestionEngine, question: str, unknown: str
) -> None:
    answer = asking.ask(question)
    assert not answer.evidence.answer
    assert unknown in answer.evidence.refusal


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        (
            "Which galaxy server tools do segmentation?",
            "Which tools run on Galaxy and do segmentation?",
        ),
        (
            "Quais ferramentas de segmentação existem no QuPath?",
            "Quais ferramentas de segmentação rodam no QuPath?",
        ),
        (
            "Which tools do denoising and have nothing to do with GPU?",
            "Which tools do denoising and need no GPU?",
        ),
        ("Which tools use Java or read CZI?", "Which tools are written in Java or read CZI?"),
        ("Which tools plug into Fiji?", "Which tools run on Fiji?"),
        ("哪些工具可集成到QuPath？", "Which tools run on QuPath?"),
        ("Which tools munch ND2?", "Which tools read ND2 files?"),
        ("Welche Werkzeuge verwenden Java?", "Which tools are written in Java?"),
        (
            "Which tools read CZI but avoid Windows?",
            "Which tools read CZI but do not run on Windows?",
        ),
    ],
)
def test_small_words_before_a_name_give_the_set_of_the_plain_question(
    asking: QuestionEngine, question: str, plain: str
) -> None:
    answer, other = asking.ask(question), asking.ask(plain)
    assert answer.evidence.answer
    assert {n for f in answer.evidence.facts for n in f.nodes} == {
        n for f in other.evidence.facts for n in f.nodes
    }


def test_a_set_without_a_tool_names_the_verbs_too(asking: QuestionEngine) -> None:
    answer = asking.ask("Which tools read CZI and excrete RTSTRUCT?")
    assert not answer.evidence.answer
    assert "excrete = write" in answer.evidence.refusal


@pytest.mark.parametrize(
    ("name", "record"),
    [("fslmaths (FSL)", "fsl_fslmaths"), ("fslmaths", "fsl_fslmaths"), ("BET", "fsl_bet")],
)
def test_a_program_is_found_by_its_name_without_that_of_its_suite(
    asking: QuestionEngine, shipped: Mapping[str, Tool], name: str, record: str
) -> None:
    text = response_text(asking.ask(f"How do I cite {name}?"))
    assert f"{shipped[record].name} is cited as {shipped[record].citation}." in text


@pytest.mark.parametrize("name", ["FSL DTIFIT", "FSL FEAT"])
def test_a_program_without_a_citation_is_answered_with_that_of_its_suite(
    asking: QuestionEngine, shipped: Mapping[str, Tool], name: str
) -> None:
    answer = asking.ask(f"How do I cite {name}?")
    assert str(shipped["fsl"].citation) in response_text(answer)
    assert "part of FSL" in response_text(answer)
    assert "does not state that" in response_text(answer)


def test_a_word_in_small_letters_is_no_program_of_that_name(asking: QuestionEngine) -> None:
    answer = asking.ask("Which fast tools read DICOM?")
    assert not any("fsl_fast" in fact.nodes for fact in answer.evidence.facts)
    assert "fast" in answer.evidence.refusal
