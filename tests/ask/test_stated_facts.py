"""What records state of one tool or of many is answered so, and what they leave open is counted."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from retrieval.wiring.questions.response import Response
from tests.ask.test_sets import listed


def said(asked: Response) -> str:
    return " ".join(one.text for one in asked.evidence.answer)


@pytest.mark.parametrize("name", ["stardist", "cellpose", "mriqc", "fmriprep", "simpleitk"])
@pytest.mark.parametrize("dimension", ["2D", "3D", "4D"])
def test_a_question_of_dimensions_is_answered_by_those_of_the_record(
    name: str, dimension: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    tool = shipped[name]
    answer = said(asking.ask(f"Does {tool.name} work on {dimension}?"))
    if dimension in tool.dimensions:
        assert answer.startswith("Yes.")
    else:
        assert f"names other values than {dimension}" in answer
    assert "works in" in answer
    assert "licence" not in answer


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Does DeepLabCut work on mouse?", ("Yes.", "for images of mouse")),
        ("Does Cellpose work on plants?", ("Yes.", "any species")),
        ("Does HD-BET work on mouse brain?", ("other values than mouse", "images of human")),
        ("Does Cellpose run on a Mac?", ("Yes.", "runs on macOS")),
        ("Does lungmask run on CPU?", ("Yes.", "a GPU is optional")),
        ("Does fMRIPrep need FreeSurfer?", ("other values than FreeSurfer", "requires Nipype")),
        ("Does TotalSegmentator need nnU-Net?", ("Yes.", "requires nnU-Net")),
        ("Does CONN need MATLAB?", ("Yes.", "runs on MATLAB")),
        ("Does Cellpose need Python?", ("nothing either way", "is written in Python")),
        ("Does ITK-SNAP require Python?", ("other values than Python", "written in C++")),
        ("Does elastix support multi-modal registration?", ("Yes.", "About multimodal data")),
    ],
)
def test_a_check_says_yes_or_what_else_is_stated_or_that_nothing_is(
    question: str, parts: tuple[str, ...], asking: QuestionEngine
) -> None:
    answer = said(asking.ask(question))
    assert all(part in answer for part in parts), answer


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Does StarDist not work on 3D?", "StarDist works in 2D, 3D."),
        ("Does fMRIPrep run without FreeSurfer?", "other values than FreeSurfer"),
        ("Can I run Brainstorm without MATLAB?", "Brainstorm is written in MATLAB."),
    ],
)
def test_a_negation_of_one_tool_is_never_answered_with_yes(
    question: str, part: str, asking: QuestionEngine
) -> None:
    answer = said(asking.ask(question))
    assert answer.startswith("The catalog does not state that")
    assert part in answer
    assert "other values than 3D" not in answer


def test_tools_without_another_state_other_needs_or_none(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask("Which tools run without FSL?")
    assert listed(asked) == {t.id for t in shipped.values() if "fsl" not in t.requires_tool}
    assert "of them state nothing" in said(asked)


def test_a_word_of_a_phrase_is_no_tool_of_that_name(asking: QuestionEngine) -> None:
    assert "COMMIT" not in said(asking.ask("When was the last commit of CERR?"))
    assert "COMMIT" in said(asking.ask("How do I cite COMMIT?"))


def test_of_several_tools_those_are_named_that_state_it(asking: QuestionEngine) -> None:
    assert said(asking.ask("Do MRIQC and StarDist both support 2D?")).startswith(
        "Of these, 1: Star"
    )
    assert said(asking.ask("Do Cellpose and StarDist support 3D?")).startswith("Yes.")


def test_a_label_map_as_input_is_a_need_and_no_segmentation(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    needing = sum("label" in tool.needs.data for tool in shipped.values())
    answer = said(asking.ask("Which tools require a label map as input?"))
    assert answer.startswith(f"{needing} in the catalog")


def test_two_words_that_many_languages_share_are_read_as_english(asking: QuestionEngine) -> None:
    assert asking.ask("FSL tools").language == "en"
    assert asking.ask("Welche Tools lesen DICOM?").language == "de"


def test_plugins_of_a_host_run_on_it(asking: QuestionEngine, shipped: Mapping[str, Tool]) -> None:
    asked = asking.ask("Which plugins are there for napari?")
    number = int(said(asked).split(" ")[0])
    assert number >= sum("napari" in tool.platforms for tool in shipped.values())
    assert asking.ask("Which Fiji plugins segment cells?").evidence.answer


def test_a_program_that_the_catalog_does_not_have_is_no_verb(asking: QuestionEngine) -> None:
    asked = asking.ask("Can Horos run on Windows?")
    assert not asked.evidence.answer
    assert "Horos" in asked.refused
    assert not asking.ask("Is SPM12 still being developed?").evidence.answer


def test_tools_that_need_a_language_state_its_host_or_its_version(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    needing = {
        t.id
        for t in shipped.values()
        if "MATLAB" in t.platforms or {kind for kind, _, _ in t.install} == {"MATLAB"}
    }
    asked = asking.ask("Which tools need MATLAB?")
    assert f"{len(needing)} in the catalog" in said(asked)
    assert "more state nothing about this" in said(asked)


@pytest.mark.parametrize(
    "question",
    ["Which tools do not need Python?", "tools not needing Python", "Welche brauchen kein Python?"],
)
def test_what_is_written_in_a_language_is_not_said_to_do_without_it(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    free = listed(asking.ask(question))
    for tool in shipped.values():
        uses = tool.python_version or "Python" in {*tool.languages, *tool.interfaces}
        assert (tool.id in free) != bool(uses), tool.name


def test_tools_that_state_nothing_of_a_gpu_are_counted(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    silent = sum(tool.gpu is None for tool in shipped.values())
    assert f"{silent} more state nothing" in said(asking.ask("Which tools do not need a GPU?"))


def test_a_negation_tells_other_formats_from_none(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    stating = [t for t in shipped.values() if t.formats_in and "DICOM" not in t.formats_in]
    silent = [t for t in shipped.values() if not t.formats_in]
    answer = said(asking.ask("Which tools cannot read DICOM?"))
    assert f"{len(stating)} of them state other values, and DICOM is not among these" in answer
    assert f"{len(silent)} of them state nothing" in answer
    assert not any(f" {tool.name}," in answer for tool in silent)


def test_maintenance_is_answered_by_the_dates_of_the_record(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    for question in ("Is {} still maintained?", "When was {} last updated?", "Is {} abandoned?"):
        for tool in (shipped["fmriprep"], shipped["weasis"], shipped["mrtrix3"]):
            answer = said(asking.ask(question.format(tool.name)))
            dates = (tool.last_release, tool.last_commit and tool.last_commit.isoformat())
            assert all(date in answer for date in dates if date), answer


@pytest.mark.parametrize(
    "question",
    [
        "Is ITK-SNAP or 3D Slicer better?",
        "Which is better, ITK-SNAP or 3D Slicer?",
        "Should I use ITK-SNAP or 3D Slicer?",
    ],
)
def test_which_is_better_is_not_judged_but_compared(question: str, asking: QuestionEngine) -> None:
    answer = said(asking.ask(question))
    assert answer.startswith("Which is better no record states.")
    for fact in ("ITK-SNAP works in 3D.", "3D Slicer works in 2D, 3D, 4D.", "The licence of"):
        assert fact in answer


def test_the_licence_of_weights_is_not_that_of_the_code(asking: QuestionEngine) -> None:
    answer = said(asking.ask("Under what licence are the weights of TotalSegmentator?"))
    assert answer.startswith("The catalog does not state that")
    assert "research-only" in said(asking.ask("Under what licence are the weights of DeepLabCut?"))


def test_weights_under_a_licence_are_those_whose_weights_state_it(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask("Which tools have open weights?")
    named = {node for fact in asked.evidence.facts for node in fact.nodes if node in shipped}
    assert named
    assert all(shipped[tool_id].license_weights for tool_id in named)


def test_how_many_tools_there_are_is_the_size_of_the_catalog(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    for question in ("How many tools are in the catalog?", "How many tools are there?"):
        assert said(asking.ask(question)).startswith(f"{len(shipped)} in the catalog")


def test_not_open_source_is_no_mention_of_open_source(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    few = said(asking.ask("Which tools are not open source?"))
    assert few.split(" ")[0] == said(asking.ask("Which tools are proprietary?")).split(" ")[0]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Doesn't TotalSegmentator read DICOM?", "does state DICOM"),
        ("Can lungmask not read DICOM?", "does state DICOM"),
        ("Do lungmask and TotalSegmentator not read DICOM?", "does state DICOM"),
        ("Does lungmask read DICOM but not NIfTI?", "does state NIfTI"),
        ("Doesn't fMRIPrep need Nipype?", "does state Nipype"),
        ("Liest TotalSegmentator nicht DICOM?", "im Gegenteil, er nennt DICOM"),
        ("¿No lee lungmask DICOM?", "al contrario, sí indica DICOM"),
    ],
)
def test_a_fact_that_a_question_denies_is_said_to_be_stated(
    question: str, words: str, asking: QuestionEngine
) -> None:
    assert words in asking.ask(question).evidence.answer[0].text


@pytest.mark.parametrize("question", ["Doesn't dcm2niix read CZI?", "Can lungmask not read CZI?"])
def test_what_is_denied_and_not_stated_stays_unstated(
    question: str, asking: QuestionEngine
) -> None:
    answer = asking.ask(question).evidence.answer[0].text
    assert "does not state that" in answer
    assert "on the contrary" not in answer


@pytest.mark.parametrize(
    "question",
    ["Where is the documentation of MNE-Python?", "What is the website of MNE-Python?"],
)
def test_the_page_of_a_tool_is_its_record_s(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    page = shipped["mne_python"].docs_url
    assert said(asking.ask(question)) == f"The page of MNE-Python is {page}."


def test_a_page_of_all_tools_is_not_left_out(asking: QuestionEngine) -> None:
    assert "documentation" in asking.ask("Which MRI tools have a documentation?").refused
