"""Questions about conversions are answered by stated pairs alone."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Format
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.fakes import make_pairs, make_tool

BOTH = {"formats_in": (Format.DICOM, Format.TIFF), "formats_out": (Format.NIFTI, Format.NRRD)}
TOOLS = (
    make_tool("reader", tasks=("conversion",), **BOTH),
    make_tool("apart", converts=make_pairs("DICOM > NIfTI", "TIFF > NRRD")),
    make_tool("header", converts=make_pairs("DICOM > JSON", what="metadata")),
    make_tool("labels", converts=make_pairs("NIfTI > MGH", what="label")),
    make_tool("images", converts=make_pairs("NIfTI > MINC")),
    make_tool("nnunet", name="nnU-Net", formats_in=(Format.NIFTI,)),
)


@pytest.fixture(scope="module")
def asking() -> QuestionEngine:
    return QuestionEngine(GraphParts.of(TOOLS))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which tools convert DICOM to NIfTI?", "1 in the catalog: apart."),
        ("Which tools turn my DICOM into something nnU-Net reads?", "1 in the catalog: apart."),
        ("Which tools convert DICOM or TIFF to NRRD?", "1 in the catalog: apart."),
        ("Which tools convert from TIFF?", "1 in the catalog: apart."),
        ("Which converters write MGH?", "1 in the catalog: labels."),
        ("Which tools convert DICOM to JSON?", "1 in the catalog: header."),
        ("Which tools convert DICOM to MINC?", "In two steps: apart \N{RIGHTWARDS ARROW} NIfTI"),
        ("Can apart convert TIFF to NRRD?", "Yes."),
        # The word of an infinitive is none of direction.
        ("Which tools can I use to convert DICOM to NIfTI?", "1 in the catalog: apart."),
        ("Which tools convert NIfTI to MINC or MGH?", "2 in the catalog: images, labels."),
        ("How to convert DICOM to NIfTI?", "1 in the catalog: apart."),
        ("Which tools are able to turn DICOM into NIfTI?", "1 in the catalog: apart."),
        ("Can I use apart to convert TIFF to NRRD?", "Yes."),
        # A denial of both ends leaves out the tools that state the pair, and no others.
        ("Which tools do not convert DICOM to NIfTI?", "5 in the catalog: header, images, labels"),
        ("Which tools cannot convert TIFF to NRRD?", "5 in the catalog"),
        ("Welche Werkzeuge können DICOM nicht in NIfTI umwandeln?", "5 im Katalog"),
        ("Quels outils ne convertissent pas DICOM en NIfTI ?", "5 dans le catalogue"),
        ("哪些工具不能把DICOM转换为NIfTI？", "目录中有 5"),
        ("Which tools convert NIfTI but not to MGH?", "1 in the catalog: images."),
    ],
)
def test_a_stated_pair_answers(asking: QuestionEngine, question: str, told: str) -> None:
    assert asking.ask(question).evidence.answer[0].text.startswith(told)


def test_the_evidence_names_the_pair_and_the_kind_of_data(asking: QuestionEngine) -> None:
    facts = asking.ask("Which tools convert NIfTI to MGH?").evidence.facts
    assert [fact.text for fact in facts] == ["labels converts NIfTI to MGH (label)"]


@pytest.mark.parametrize(
    "question",
    [
        "Which tools convert DICOM to NRRD?",
        "Which tools convert TIFF to NIfTI?",
        "Which tools convert DICOM to MGH?",
    ],
)
def test_what_no_pair_states_is_no_answer(asking: QuestionEngine, question: str) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert "No tool of the catalog" in asked.evidence.refusal


@pytest.fixture(scope="module")
def between() -> QuestionEngine:
    pairs = make_pairs("NIfTI > DICOM", "NIfTI > PNG", "PNG > NIfTI")
    return QuestionEngine(GraphParts.of((*TOOLS, make_tool("plasti", converts=pairs))))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # *Between* is either direction of all tools, and both of a named one.
        (
            "Which tools convert between DICOM and NIfTI?",
            "2 in the catalog: apart, plasti. DICOM \N{RIGHTWARDS ARROW} NIfTI: 1 (apart). "
            "NIfTI \N{RIGHTWARDS ARROW} DICOM: 1 (plasti).",
        ),
        ("Welche Werkzeuge wandeln zwischen DICOM und NIfTI um?", "2 im Katalog: apart, plasti."),
        ("哪些工具可以在DICOM和NIfTI之间转换？", "目录中有 2 个"),
        ("Which tools convert NIfTI to PNG and back?", "1 in the catalog: plasti."),
        ("Can apart convert between DICOM and NIfTI?", "The catalog does not state that"),
        ("Can plasti convert between NIfTI and PNG?", "Yes."),
        ("Which tools do not convert between DICOM and NIfTI?", "5 in the catalog: header"),
        # What is read and not converted is read all the same.
        ("Which tools read DICOM but cannot convert it to NIfTI?", "1 in the catalog: reader."),
        ("Which tools read DICOM but do not convert to NIfTI?", "1 in the catalog: reader."),
        ("Which tools read DICOM and convert it to NIfTI?", "1 in the catalog: apart."),
    ],
)
def test_a_direction_is_that_of_the_question(
    between: QuestionEngine, question: str, told: str
) -> None:
    assert between.ask(question).evidence.answer[0].text.startswith(told)
