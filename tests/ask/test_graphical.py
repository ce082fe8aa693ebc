"""A graphical interface is read as the ranking reads it: a window of its own, or of the host."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.fit.wishes.interface import stated_interface
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.ask.test_replacements import members


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("Which cell tracking tools have a graphical interface?", "cell tracking"),
        ("Which tools with a GUI do deconvolution?", "deconvolution"),
        ("Which tools for tractography have a graphical user interface?", "tractography"),
    ],
)
def test_tools_with_a_window_are_those_that_the_ranking_takes_for_such(
    question: str, task: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    found = members(asking.ask(question))
    assert found
    windows = {t.id for t in shipped.values() if stated_interface(t, "graphical")[0]}
    assert found <= windows
    assert {t.id for t in shipped.values() if task in t.tasks} & windows <= found


def test_a_program_of_the_command_line_is_not_said_to_have_one(asking: QuestionEngine) -> None:
    first = asking.ask("Does dcm2niix have a GUI?").evidence.answer[0].text
    assert first.startswith("The catalog does not state that")
