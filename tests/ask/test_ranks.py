"""Superlatives are worked out from what records state, and say what they rest on."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine

Tools = Mapping[str, Tool]


def said(asking: QuestionEngine, question: str) -> str:
    return asking.ask(question).evidence.answer[0].text


def latest(tools: list[Tool]) -> str:
    best = max(tools, key=lambda tool: str(tool.last_release))
    return f"{best.name} ({best.last_release})"


@pytest.mark.parametrize(
    "question",
    [
        "What is the most recent tool?",
        "Which tool was released last?",
        "Welches ist das neueste Werkzeug?",
        "Quel est le logiciel le plus récent ?",
        "¿Cuál es la herramienta más reciente?",
        "最新的工具是哪个？",
    ],
)
def test_the_newest_tool_has_the_last_release(
    question: str, asking: QuestionEngine, shipped: Tools
) -> None:
    dated = [tool for tool in shipped.values() if tool.last_release]
    text = said(asking, question)
    assert latest(dated) in text
    assert str(len(dated)) in text
    assert str(len(shipped) - len(dated)) in text


def test_the_oldest_tool_says_what_its_date_is(asking: QuestionEngine, shipped: Tools) -> None:
    oldest = min((t for t in shipped.values() if t.last_release), key=lambda t: str(t.last_release))
    text = said(asking, "What is the oldest tool in the catalog?")
    assert text.startswith(f"Oldest by the last recorded release: {oldest.name} (")
    assert "When a tool first appeared no record states." in text


def test_a_superlative_holds_for_the_tools_that_are_asked_for(
    asking: QuestionEngine, shipped: Tools
) -> None:
    reading = [t for t in shipped.values() if t.last_release and "CZI" in map(str, t.formats_in)]
    assert latest(reading) in said(asking, "What is the newest tool that reads CZI?")


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("Which tool reads the most formats?", "formats_in"),
        ("Which tool writes the most formats?", "formats_out"),
        ("Welches Werkzeug liest die meisten Formate?", "formats_in"),
        ("哪个工具读取的格式最多？", "formats_in"),
        ("Which tool runs on the most platforms?", "platforms"),
    ],
)
def test_the_most_values_name_every_tool_that_has_as_many(
    question: str, field: str, asking: QuestionEngine, shipped: Tools
) -> None:
    counts = {tool.name: len(getattr(tool, field)) for tool in shipped.values()}
    most = max(counts.values())
    evidence = asking.ask(question).evidence
    first = re.split(r"[。.] ?", re.split(r"[:：] ?", evidence.answer[0].text)[1])[0]
    assert set(re.split(r", |、", first)) == {f"{x} ({n})" for x, n in counts.items() if n == most}
    assert evidence.facts[0].kind == "record"


@pytest.mark.parametrize(
    "question",
    [
        "Which tool is the most popular?",
        "Which tool needs the most memory?",
        "Which are the most used formats?",
        "Which format is read by the most tools?",
        "Which modality do the most tools support?",
        "Which formats do the most MRI tools read?",
        "Which is the fastest tool?",
    ],
)
def test_what_no_record_ranks_is_refused(question: str, asking: QuestionEngine) -> None:
    assert asking.ask(question).refused


@pytest.mark.parametrize(
    "question",
    [
        "What is the latest version of napari?",
        "What is the most recent release of napari?",
        "When was the latest release of napari?",
    ],
)
def test_the_latest_release_of_a_named_tool_is_its_own(
    question: str, asking: QuestionEngine, shipped: Tools
) -> None:
    date = shipped["napari"].last_release
    assert said(asking, question) == f"The last recorded release of napari is {date}."


@pytest.mark.parametrize(
    "question",
    [
        "Welches Werkzeug wurde zuletzt veröffentlicht?",
        "Quel outil a été publié en dernier ?",
        "¿Qué herramienta se publicó por última vez?",
        "Which tool was published last?",
    ],
)
def test_who_was_released_last_is_the_newest(
    asking: QuestionEngine, shipped: Mapping[str, Tool], question: str
) -> None:
    newest = max(t.last_release for t in shipped.values() if t.last_release)
    (answer,) = asking.ask(question).evidence.answer
    assert f"({newest})" in answer.text.split("), ")[0] + ")"
