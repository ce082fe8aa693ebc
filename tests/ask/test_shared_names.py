"""Verbs that share a format, and verbs that take it by a pronoun, of which one may be denied."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine

READ_ONLY = (
    "Which tools read but do not write DICOM?",
    "Which tools cannot write DICOM but read it?",
    "Which tools read DICOM but do not write it?",
    "Welche Werkzeuge lesen DICOM, aber schreiben es nicht?",
    "Welche Werkzeuge können DICOM lesen, aber nicht schreiben?",
    "Quels outils lisent DICOM mais ne l'écrivent pas ?",
    "¿Qué herramientas leen pero no escriben DICOM?",
    "Quais ferramentas leem DICOM mas não o escrevem?",
)
BOTH = ("Which tools read DICOM and also write it?", "Which tools read and write DICOM?")
NEITHER = (
    "Which tools do not read or write DICOM?",
    "Which tools neither read nor write DICOM?",
)


def _answered(asking: QuestionEngine, question: str) -> int:
    words = asking.ask(question).evidence.answer[0].text.split(":")[0].split()
    return next(int(word) for word in words if word.isdecimal())


@pytest.mark.parametrize("question", [*READ_ONLY, *BOTH, *NEITHER])
def test_each_verb_is_a_constraint_of_its_own(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    reads, writes = question not in NEITHER, question in BOTH
    wanted = sum(
        ("DICOM" in map(str, tool.formats_in)) == reads
        and ("DICOM" in map(str, tool.formats_out)) == writes
        for tool in shipped.values()
    )
    assert _answered(asking, question) == wanted


def test_a_verb_with_a_name_of_its_own_takes_no_other(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    wanted = sum(
        "DICOM" in map(str, tool.formats_in) and "NIfTI" in map(str, tool.formats_out)
        for tool in shipped.values()
    )
    assert _answered(asking, "Which tools read DICOM and write it as NIfTI?") == wanted
