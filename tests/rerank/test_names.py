"""Names of tools in a text: what is found, what is left alone, and where the tools then stand."""

from __future__ import annotations

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.core.types import Selection
from retrieval.lexical.mentions import MentionTable
from retrieval.lexical.name_match import NameMatch
from retrieval.lexical.names import NameIndex
from retrieval.wiring.ranking import kinds_in
from tests.fakes import ids, make_candidate, make_state, make_tool

TOOLS = (
    make_tool("fsl", name="FSL", description="A library for brain images."),
    make_tool("flirt", name="FLIRT (FSL)", suite="FSL", description="Aligns brain scans."),
    make_tool("bet", name="BET (FSL)", suite="FSL", description="You bet it strips the skull."),
    make_tool("spm", name="SPM", description="Maps statistics of scans."),
    make_tool("slicer", name="3D Slicer", description="A desktop for images."),
    make_tool("itk_snap", name="ITK-SNAP", description="Segments by hand."),
    make_tool("nnunet", name="nnU-Net", description="Segments with networks that set themselves."),
    make_tool("total", name="TotalSegmentator", description="Segments the whole body."),
    make_tool("surfer", name="FreeSurfer", description="Reconstructs the cortex."),
    make_tool("sorter", name="sort", description="Sorts files; sorting and sorted output."),
)
BY_ID = {tool.id: tool for tool in TOOLS}


@pytest.fixture(scope="module")
def index():
    return NameIndex(TOOLS, MentionTable(TOOLS))


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("FSL", "fsl"),
        ("fsl", "fsl"),
        ("FLIRT (FSL)", "flirt"),
        ("flirt", "flirt"),
        ("SPM12", "spm"),
        ("spm 12", "spm"),
        ("3D Slicer", "slicer"),
        ("3dslicer", "slicer"),
        ("itk-snap", "itk_snap"),
        ("ITK SNAP", "itk_snap"),
        ("itk_snap", "itk_snap"),
        ("nnunet", "nnunet"),
        ("nnU-Net v2", "nnunet"),
        ("sort", "sorter"),
    ],
)
def test_a_text_that_is_a_name_in_any_case_punctuation_or_version_names_the_tool(index, text, tool):
    found = index.find(text)
    assert found.tools == (tool,)
    assert (found.extent, found.misspelt) == ("whole", False)


@pytest.mark.parametrize(
    ("text", "tool"),
    [("freesurfr", "surfer"), ("tottalsegmentator", "total"), ("frezsurfer", "surfer")],
)
def test_a_misspelt_name_is_read_as_the_nearest(index, text, tool):
    found = index.find(text)
    assert found.tools == (tool,)
    assert found.misspelt


def test_a_name_typed_in_two_words_is_found(index):
    assert index.find("nnu net").tools == ("nnunet",)
    assert index.find("segment with nnu net").tools == ("nnunet",)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("I want ITK-SNAP for my PC", 0.5),
        ("where do I get the manual of ITK-SNAP for Windows", 0.5),
        ("give me ITK-SNAP", 1.0),
    ],
)
def test_words_that_say_nothing_of_a_task_do_not_hide_a_name(index, text, share):
    found = index.find(text)
    assert found.tools == ("itk_snap",)
    assert found.share == pytest.approx(share)


def test_a_name_among_many_words_of_a_task_is_not_asked_for(index):
    assert index.find("volumes of grey matter of which ITK-SNAP drew outlines last year") is None


@pytest.mark.parametrize(
    "text",
    [
        "segment lungs",
        "sort the output files",
        "I bet it works",
        "segments",
        "alternatives to FSL",
        "segment without FreeSurfer",
        "something like FSL",
        "a wrapper round FreeSurfer for many subjects at once",
        "",
        "分割肺部",
    ],
)
def test_plain_words_and_names_to_avoid_name_no_tool(index, text):
    assert index.find(text) is None


def test_an_ordinary_word_is_a_name_where_it_is_written_as_one(index):
    assert index.find("strip the skull with BET").tools == ("bet",)


def test_a_suite_is_named_with_its_tools(index):
    found = index.find("FSL")
    assert (found.tools, found.suite) == (("fsl",), ("bet", "flirt"))


def run(index, text, *listed, **fields):
    candidates = [make_candidate(i, score) for i, score in listed]
    known = [c.__class__(tool=BY_ID[c.tool.id], score=c.score) for c in candidates]
    return NameMatch(index, BY_ID).run(make_state(text, *known, path="names", **fields))


def test_a_name_alone_puts_its_tool_first_and_its_suite_behind_it(index):
    result = run(index, "FSL", ("spm", 0.9), ("flirt", 0.5), ("bet", 0.6), ("surfer", 0.1))
    assert ids(result) == ["fsl", "bet", "flirt", "spm", "surfer"]
    assert result.note == "named FSL"


def test_a_tool_that_was_not_found_before_is_added_with_its_reason(index):
    first = run(index, "freesurfr", ("spm", 0.9), ("bet", 0.6)).state.candidates[0]
    assert first.tool.id == "surfer"
    [why] = [w for w in first.why if w.kind == "name"]
    assert why.text == "named FreeSurfer (typed freesurfr)"


def test_a_name_beside_a_task_lifts_the_tool_by_half_the_span(index):
    listed = (("spm", 0.9), ("bet", 0.8), ("total", 0.3), ("surfer", 0.1))
    result = run(index, "segment lungs with TotalSegmentator", *listed)
    scores = {c.tool.id: c.score for c in result.state.candidates}
    assert scores["total"] == pytest.approx(0.3 + 0.4)
    assert ids(result) == ["spm", "bet", "total", "surfer"]


def test_a_name_in_a_long_text_gains_little(index):
    text = "find out how muscle and fat change with age using TotalSegmentator and then tables"
    listed = (("spm", 0.9), ("bet", 0.8), ("total", 0.3), ("surfer", 0.1))
    result = run(index, text, *listed)
    scores = {c.tool.id: c.score for c in result.state.candidates}
    assert 0.3 < scores["total"] < 0.5


def test_the_gain_is_what_the_score_has_more_than_before(index):
    result = run(index, "FSL", ("spm", 0.9), ("fsl", 0.5))
    first = result.state.candidates[0]
    assert first.score == pytest.approx(0.5 + sum(w.value for w in first.why if w.kind == "name"))


@pytest.mark.requirement("S1-05")
def test_an_excluded_tool_does_not_come_back_by_its_name(index):
    refused = Selection(drop=frozenset(["fsl"]))
    result = run(index, "FSL", ("spm", 0.9), selection=refused)
    assert "fsl" not in ids(result)


def test_without_a_name_the_list_is_as_it_was(index):
    result = run(index, "align scans", ("spm", 0.9), ("bet", 0.6))
    assert ids(result) == ["spm", "bet"]
    assert not result.listed


def test_the_stage_can_be_switched_off(index):
    with pytest.raises(StageUnavailable, match="switched off"):
        run(index, "FSL", ("spm", 0.9), off=frozenset(["names"]))


@pytest.mark.parametrize(
    "text",
    ["DICOM", "JavaScript (DICOM)", "FLAIR", "flair MRI", "multi organ segmentation"],
)
def test_16_10_a_kind_of_image_of_file_or_of_task_is_no_name(text):
    tools = (*(make_tool(n.casefold(), name=n) for n in ("DICOM", "FLAIR", "AFNI")),)
    tools += (make_tool("organs", name="Multi organ segmentation"),)
    tools += tuple(make_tool(f"t{n}", formats_in=("DICOM",)) for n in range(9))
    assert NameIndex(tools, MentionTable(tools), kinds_in(tools)).find(text) is None


@pytest.mark.parametrize("text", ["DICOM", "FLAIR", "multi organ segmentation"])
def test_16_10_without_concepts_a_name_is_a_name(text):
    tools = (make_tool("one", name=text),)
    assert NameIndex(tools, MentionTable(tools)).find(text) is not None


def test_16_10_a_format_that_few_records_state_stays_the_name_of_its_tool():
    tools = (make_tool("afni", name="AFNI"), *(make_tool(f"t{n}") for n in range(30)))
    found = NameIndex(tools, MentionTable(tools), kinds_in(tools)).find("AFNI")
    assert found is not None
    assert found.tools == ("afni",)
