"""Amounts of memory and versions of Python hold against the numbers of the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine


def found(question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]) -> set[str]:
    facts = asking.ask(question).evidence.facts
    return {node for fact in facts for node in fact.nodes if node in shipped}


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("Which tools need at least 16 GB of GPU memory?", lambda gb: gb >= 16),
        ("Which tools need more than 8 GB of GPU memory?", lambda gb: gb > 8),
        ("Which tools need less than 8 GB of VRAM?", lambda gb: gb < 8),
        ("Which tools need no more than 8 GB of GPU memory?", lambda gb: gb <= 8),
        ("Which tools run with 8 GB of GPU memory?", lambda gb: gb <= 8),
        ("Which tools need 8 GB of video memory?", lambda gb: gb == 8),
        ("Welche Werkzeuge brauchen mindestens 16 GB GPU-Speicher?", lambda gb: gb >= 16),
    ],
)
def test_gpu_memory_is_compared_with_what_records_state(
    question: str,
    fits: Callable[[float], bool],
    asking: QuestionEngine,
    shipped: Mapping[str, Tool],
) -> None:
    stated = {t.id: t.needs.gpu_gb for t in shipped.values() if t.needs.gpu_gb}
    assert found(question, asking, shipped) == {tool for tool, gb in stated.items() if fits(gb)}
    silent = len(shipped) - len(stated)
    assert str(silent) in asking.ask(question).evidence.answer[0].text


def test_memory_without_a_gpu_is_main_memory(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    least = {t.id for t in shipped.values() if (t.needs.ram_gb or 0) >= 16}
    assert least
    assert found("Which tools need 16 GB of RAM or more?", asking, shipped) == least


@pytest.mark.parametrize(
    ("version", "needing", "others"),
    [("3.12", (">=3.12", "==3.12.*", "<3.15,>=3.12"), (">=3.10", ">=3.11,<3.13"))],
)
def test_a_needed_version_is_the_least_that_will_do(
    version: str,
    needing: tuple[str, ...],
    others: tuple[str, ...],
    asking: QuestionEngine,
    shipped: Mapping[str, Tool],
) -> None:
    tools = found(f"Which tools need Python {version}?", asking, shipped)
    assert {t.id for t in shipped.values() if t.python_version in needing} <= tools
    assert not tools & {t.id for t in shipped.values() if t.python_version in others}


def test_a_tool_works_with_every_version_that_its_record_admits(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    tools = found("Which tools work with Python 3.11?", asking, shipped)
    admit = {">=3.8", ">=3.10", ">=3.11,<3.13", ">=3.11"}
    refuse = {">=3.12", "==3.10.*", ">=3.10,<3.11"}
    assert {t.id for t in shipped.values() if t.python_version in admit} <= tools
    assert not tools & {t.id for t in shipped.values() if t.python_version in refuse}


def test_an_amount_apart_from_memory_is_no_need_of_it(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools view 100 GB images that do not fit into memory?")
    assert not [fact for fact in asked.evidence.facts if "needs memory" in fact.text]


def test_a_language_without_a_version_is_read_as_before(asking: QuestionEngine) -> None:
    asked = asking.ask("Which Python version does MONAI need?")
    assert asked.evidence.answer[0].text.startswith("MONAI needs Python")
