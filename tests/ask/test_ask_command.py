"""``python -m retrieval ask``: an answer in the language of its question, as text and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.settings import ROOT
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import (
    MOST_ASIDE,
    response_json,
    response_text,
    source_words,
)
from tests.commands import run_here

pytestmark = pytest.mark.process

SPOKEN = {
    "en": ("Which tools read ND2 and write OME-TIFF?", "{n} in the catalog: "),
    "de": ("Welche Werkzeuge lesen ND2 und schreiben OME-TIFF?", "{n} im Katalog: "),
    "fr": ("Quels outils lisent ND2 et écrivent OME-TIFF ?", "{n} dans le catalogue : "),
    "es": ("¿Qué herramientas leen ND2 y escriben OME-TIFF?", "{n} en el catálogo: "),
    "pt": ("Quais ferramentas leem ND2 e escrevem OME-TIFF?", "{n} no catálogo: "),
    "zh": ("哪些工具可以读取 ND2 并写出 OME-TIFF？", "目录中有 {n} 个："),
    "ja": ("ND2 を読み込み OME-TIFF を書き出すツールはどれですか", "カタログに {n} 件あります："),
}
REFUSED = {
    "en": ("What is the price of MATLAB?", "I cannot answer this from the catalog"),
    "de": ("Was kostet MATLAB?", "Das kann ich aus dem Katalog nicht beantworten"),
    "fr": ("Quel est le prix de MATLAB ?", "Je ne peux pas répondre à partir du catalogue"),
    "es": ("¿Cuál es el precio de MATLAB?", "No puedo responder con el catálogo"),
    "pt": ("Qual é o preço do MATLAB?", "Não posso responder com o catálogo"),
    "zh": ("MATLAB 的价格是多少？", "无法根据目录回答"),
    "ja": ("MATLAB の価格はいくらですか", "カタログからは答えられません"),
}


def run(question: str, *more: str, folder: Path) -> str:
    told = {
        "SCANSCOUT_INDEX_DIR": str(folder / "index"),
        "SCANSCOUT_CACHE_DIR": str(folder / "cache"),
        "SCANSCOUT_VECTOR_SEARCH": "false",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-m", "retrieval", "ask", question, *more],
        cwd=ROOT,
        env={**os.environ, **told},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", SPOKEN)
def test_the_command_answers_in_the_language_of_the_question(
    language: str, asking: QuestionEngine
) -> None:
    question, opening = SPOKEN[language]
    asked = asking.ask(question)
    english = asking.ask(SPOKEN["en"][0])
    assert asked.language == language
    tools = {node for fact in asked.evidence.facts for node in fact.nodes}
    assert tools == {node for fact in english.evidence.facts for node in fact.nodes}
    text = asked.evidence.answer[0].text
    number = english.evidence.answer[0].text.split(" ")[0]
    assert text.startswith(opening.format(n=number))


def test_the_text_names_where_a_fact_is_from_without_words_of_the_program(
    asking: QuestionEngine,
) -> None:
    text = response_text(asking.ask("What does lungmask read?"))
    assert "(catalog record, https://" in text
    assert "question (" not in text
    assert source_words("paper.pdf, page 3: a line") == "paper.pdf, page 3: a line"


def test_below_a_refusal_a_few_facts_are_said_to_be_no_answer(asking: QuestionEngine) -> None:
    lines = response_text(asking.ask("May I use MIDOG models commercially?")).splitlines()
    assert "found by the other words of the question; no answer to it:" in lines
    assert sum(line.startswith("[") for line in lines) == MOST_ASIDE
    assert not any(line.startswith("answered from") for line in lines)


@pytest.mark.parametrize("language", REFUSED)
def test_the_command_refuses_in_the_language_of_the_question(
    language: str, asking: QuestionEngine
) -> None:
    question, opening = REFUSED[language]
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert (asked.language, asked.refused[: len(opening)]) == (language, opening)
    assert response_json(asked)["refused"] == asked.refused


def test_a_process_prints_text(asking: QuestionEngine, tmp_path: Path) -> None:
    question, opening = SPOKEN["de"]
    text = run(question, folder=tmp_path)
    assert text == response_text(asking.ask(question)) + "\n"
    assert text.startswith(response_json(asking.ask(question))["answer"][0]["sentence"])
    assert text.startswith(opening.split("{n}")[0])


def test_a_process_prints_one_line_of_json(asking: QuestionEngine, tmp_path: Path) -> None:
    question, opening = SPOKEN["zh"]
    told = run(question, "--json", folder=tmp_path)
    assert told.count("\n") == 1
    answer = json.loads(told)["answer"]
    assert answer == response_json(asking.ask(question))["answer"]
    first = answer[0]["sentence"]
    assert response_text(asking.ask(question)).startswith(first)
    assert first.startswith(opening.split("{n}")[0])


def test_a_refusal_of_a_process_is_an_answer_too(tmp_path: Path) -> None:
    question, opening = REFUSED["ja"]
    assert opening in run(question, folder=tmp_path)


def test_an_answerer_that_is_switched_off_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seed 002, line 15: the retrieval of an agent can be turned off."""
    told = {"SCANSCOUT_VECTOR_SEARCH": "false", "SCANSCOUT_CACHE_DIR": str(tmp_path)}
    command = ("ask", "What does nnU-Net read?")

    def run_without(name: str) -> tuple[int, str]:
        done = run_here(capsys, *command, "--without", name, **told)
        return done.returncode, done.stderr

    assert run_without("graph") == (2, "without: nobody is left who answers; leave one of graph\n")
    assert run_without("nobody") == (2, "without: 'nobody' is not one of graph\n")
