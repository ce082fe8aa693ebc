"""S1-01 to S1-03 as far as the query sees them, and S1-05's exclusions as a selection."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import EVERYTHING, PARTLY_READ, Filters, ScanInfo
from retrieval.query.enrich import Enrich
from retrieval.query.parse import select
from tests.fakes import make_query, make_state, make_tool

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
MR = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)


@pytest.mark.requirement("S1-01")
def test_a_ct_volume_adds_exactly_format_modality_and_dimension():
    query = Enrich().run(make_state("segment lungs", scans=(CT,))).state.query
    assert query.search_text == "segment lungs format:DICOM format:CT format:3D"


@pytest.mark.requirement("S1-03")
def test_several_scans_give_the_union_in_stable_order():
    query = Enrich().run(make_state("x", scans=(CT, MR, CT))).state.query
    assert query.tokens == ("format:DICOM", "format:CT", "format:3D", "format:NIfTI", "format:MRI")


def test_a_fact_the_scan_lacks_gives_no_token():
    scan = ScanInfo(format=Format.NIFTI)
    assert Enrich().run(make_state("x", scans=(scan,))).state.query.tokens == ("format:NIfTI",)


def test_a_token_the_user_took_away_is_not_added_again():
    state = make_state("x", scans=(CT,), muted_tokens=frozenset({"format:CT"}))
    assert Enrich().run(state).state.query.tokens == ("format:DICOM", "format:3D")


def test_the_stage_says_what_it_added():
    assert (
        Enrich().run(make_state("x", scans=(CT,))).note == "added format:DICOM format:CT format:3D"
    )
    assert Enrich().run(make_state("x")).note == "no file, no tokens"


def test_switched_off_it_adds_nothing_and_says_so():
    result = Enrich().run(make_state("x", scans=(CT,), off=frozenset({"tokens"})))
    assert (result.status, result.state.query.tokens) == ("skipped", ())
    assert "switched off" in result.note


def test_with_a_text_tokens_of_facts_are_not_searched_with_and_those_of_tasks_are():
    tokens = ("format:NIfTI", "task:tracking")
    query = Enrich().run(make_state("follow cells", scans=(CT,), tokens=tokens)).state.query
    assert query.tokens == (*tokens, "format:DICOM", "format:CT", "format:3D")
    assert query.plain_text == query.worded_text == query.english_text
    assert query.plain_text == "follow cells task:tracking"


TASKS = {"strip the skull": {"task:skull_stripping"}, "follow cells": {"task:tracking"}}


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("strip the skull", "strip the skull"),
        ("follow cells", "follow cells task:tracking"),
        ("my images", "my images task:tracking"),
    ],
)
def test_a_task_that_files_suggest_is_not_searched_beside_another_one_that_is_typed(text, searched):
    stage = Enrich(tasks=lambda typed: TASKS.get(typed, ()))
    result = stage.run(make_state(text, scans=(CT,), tokens=("task:tracking",)))
    assert result.state.query.plain_text == searched
    assert "task:tracking" in result.state.query.tokens
    assert ("not searched" in result.note) == (text == searched)


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("compute volume of the labels", "compute volume of the masks"),
        ("volume of each label", "volume of each mask"),
        ("label the vertebrae", "label the vertebrae"),
        ("show the label map", "show the label map"),
    ],
)
def test_the_labels_of_a_map_of_labels_are_its_masks(typed, searched):
    labels = replace(MR, notes=("label-map",))
    assert Enrich().run(make_state(typed, scans=(labels,))).state.query.text == searched
    assert Enrich().run(make_state(typed, scans=(MR,))).state.query.text == typed


def test_without_a_text_the_tokens_are_what_is_searched_with():
    query = Enrich().run(make_state("", scans=(CT,))).state.query
    assert query.plain_text == "format:DICOM format:CT format:3D"


def test_switched_off_tokens_that_stand_in_the_text_are_not_searched_with_either():
    state = make_state("x", tokens=("format:CT",), off=frozenset({"tokens"}))
    assert Enrich().run(state).state.query.plain_text == "x"


TOOLS = [
    make_tool("lungmask", name="Lung Mask", license="MIT", modalities=(Modality.CT,)),
    make_tool("nnunet", name="nnU-Net", license="Apache-2.0", formats_in=(Format.NIFTI,)),
    make_tool("bare"),
]


@pytest.mark.parametrize("typed", ["lungmask", "LUNGMASK", "Lung Mask", "  lung mask "])
@pytest.mark.requirement("S1-05")
def test_an_exclusion_meets_id_or_name_case_folded(typed):
    selection = select(TOOLS, make_query(excluded=(typed,)))
    assert [t.id for t in TOOLS if selection.admits(t.id)] == ["nnunet", "bare"]


def test_an_exclusion_of_no_known_tool_drops_nothing():
    assert all(select(TOOLS, make_query(excluded=("lung",))).admits(t.id) for t in TOOLS)


def test_filters_keep_only_tools_that_state_the_fact():
    def kept(**asked):
        selection = select(TOOLS, make_query(filters=Filters(**asked)))
        return [t.id for t in TOOLS if selection.admits(t.id)]

    assert kept(licenses=frozenset({"MIT"})) == ["lungmask"]
    assert kept(modalities=frozenset({"CT", "MRI"})) == ["lungmask"]
    assert kept(formats=frozenset({"NIfTI"})) == ["nnunet"]
    assert kept(licenses=frozenset({"MIT"}), formats=frozenset({"NIfTI"})) == []
    assert kept() == ["lungmask", "nnunet", "bare"]


def test_nothing_asked_selects_everything():
    assert select(TOOLS, make_query()) is EVERYTHING


def test_the_stage_says_that_a_scan_was_read_in_part():
    cut = replace(CT, notes=(PARTLY_READ,))
    note = Enrich().run(make_state("x", scans=(MR, cut))).note
    assert note.endswith(
        "the scan was read in part: reading ended before all of its files were read"
    )
