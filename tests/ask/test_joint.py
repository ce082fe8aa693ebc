"""What is asked of two named tools together is worked out, and not left to the reader."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine

Sets = Mapping[str, frozenset[str]]


def said(asking: QuestionEngine, question: str) -> str:
    return asking.ask(question).evidence.answer[0].text


def names(text: str) -> frozenset[str]:
    """The values that a sentence lists after its colon."""
    return frozenset(text.rpartition(": ")[2].rstrip(".").split(", "))


@pytest.mark.parametrize(
    ("question", "field", "one", "other"),
    [
        (
            "Which formats do both ITK-SNAP and 3D Slicer read?",
            "formats_in",
            "itk_snap",
            "3d_slicer",
        ),
        ("Which formats can dcm2niix and ITK both write?", "formats_out", "dcm2niix", "itk"),
        ("Welche Formate lesen sowohl QuPath als auch OMERO?", "formats_in", "qupath", "omero"),
        ("¿Qué formatos leen tanto napari como Fiji?", "formats_in", "napari", "fiji"),
        ("What formats do QuPath and OMERO have in common?", "formats_in", "qupath", "omero"),
        (
            "Which platforms do CellProfiler and ilastik both run on?",
            "platforms",
            "cellprofiler",
            "ilastik",
        ),
    ],
)
def test_both_is_what_the_records_of_both_state(
    question: str, field: str, one: str, other: str, asking: QuestionEngine,
    shipped: Mapping[str, Tool],
) -> None:  # fmt: skip
    first, second = (set(map(str, getattr(shipped[tool], field))) for tool in (one, other))
    assert names(said(asking, question)) == first & second


def test_nothing_in_common_is_said(asking: QuestionEngine) -> None:
    text = said(asking, "Which formats can napari and Fiji both write?")
    assert text == "Of napari, Fiji the records state nothing in common (formats written)."


def test_either_is_what_any_record_states(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    text = said(asking, "Which formats does either ITK-SNAP or MRIcroGL read?")
    several = (set(map(str, shipped[tool].formats_in)) for tool in ("itk_snap", "mricrogl"))
    assert names(text) == set.union(*several)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Which is newer, napari or Fiji?", "By the last recorded release, newest first: napari ("),
        ("Is ANTs older than elastix?", "By the last recorded release, newest first: elastix ("),
        ("Was fMRIPrep released before or after QSIPrep?", "The last recorded release of"),
        ("Which was updated more recently, ANTs or elastix?", "By the last recorded release or"),
        ("Which is older, Cellpose or XNAT?", "Of XNAT the catalog states nothing here"),
        ("Quel logiciel est le plus récent, napari ou Fiji ?", "Selon la dernière version connue"),
        ("Was ist neuer, napari oder Fiji?", "Geordnet nach: letzte verzeichnete Ausgabe"),
    ],
)
def test_newer_and_older_are_the_order_of_dates(
    question: str, start: str, asking: QuestionEngine
) -> None:
    evidence = asking.ask(question).evidence
    assert evidence.answer[0].text.startswith(start)
    relations = {step[1] for fact in evidence.facts for step in fact.steps}
    assert relations <= {"last_released", "last_changed"}


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Do Cellpose and StarDist have the same licence?", "The same is stated of"),
        (
            "What is the difference in licence between napari and QuPath?",
            "What is stated of napari",
        ),
        ("Are ITK and ANTs written in the same language?", "What is stated of ITK, ANTs differs"),
    ],
)
def test_alike_or_not_is_said(question: str, start: str, asking: QuestionEngine) -> None:
    assert said(asking, question).startswith(start)


def test_the_same_as_what_is_no_tool_is_refused(asking: QuestionEngine) -> None:
    assert "same" in asking.ask("Are ITK and VTK written in the same language?").refused


@pytest.mark.parametrize(
    "question",
    ["Compare Cellpose and StarDist", "What is the difference between napari and QuPath?"],
)
def test_a_comparison_without_a_field_states_all(question: str, asking: QuestionEngine) -> None:
    facts = asking.ask(question).evidence.facts
    assert len({step[1] for fact in facts for step in fact.steps}) > 6
