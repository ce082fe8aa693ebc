"""What something is to replace is ruled out: "replace X", "instead of X", "alternative to X"."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response


def members(asked: Response) -> frozenset[str]:
    """All tools of the set that answers."""
    facts = [fact for fact in asked.evidence.facts if fact.id.startswith("set | ")]
    return frozenset(facts[0].nodes)


@pytest.mark.parametrize(
    "question",
    [
        "Which tools can replace MATLAB for segmentation?",
        "Which segmentation tools can I use instead of MATLAB?",
        "Welche Werkzeuge segmentieren statt MATLAB?",
        "¿Qué herramientas pueden reemplazar MATLAB para segmentación?",
    ],
)
def test_no_tool_that_replaces_a_program_states_it(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    found = members(asking.ask(question))
    assert found
    for tool in found:
        record = shipped[tool]
        assert not {*record.languages, *record.interfaces, *record.platforms} & {"MATLAB"}, tool


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("What are alternatives to FreeSurfer for cortical segmentation?", "freesurfer"),
        ("Which tools segment nuclei instead of StarDist?", "stardist"),
        ("Quels outils remplacent FreeSurfer pour la segmentation ?", "freesurfer"),
        ("Which Python tools do registration rather than ANTs?", "ants"),
    ],
)
def test_a_tool_and_what_requires_it_are_no_alternatives_to_it(
    question: str, tool: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    found = members(asking.ask(question))
    assert found
    assert tool not in found
    assert not [t for t in found if shipped[tool].name in shipped[t].requires_tool]


def test_an_alternative_for_no_task_is_not_every_other_tool(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools are an alternative to SPM?")
    assert asked.evidence.answer == ()
    assert asked.refused.startswith("No record states which tool replaces another.")


def test_what_an_image_shows_is_replaced_and_not_ruled_out(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools replace faces in MRI?")
    assert not [fact for fact in asked.evidence.facts if "not (" in fact.text]


def test_what_replaces_the_host_of_a_tool_no_record_states(asking: QuestionEngine) -> None:
    refused = asking.ask("What can I use instead of MATLAB for SPM?").refused
    assert "replaces another" in refused
    # A yes-no question of the same words is one of what the record states.
    assert asking.ask("Can I use SPM without MATLAB?").evidence.answer
