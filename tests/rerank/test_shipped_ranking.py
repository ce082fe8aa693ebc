"""The learned ranking and the names over the shipped catalog with the real weights."""

from __future__ import annotations

import pytest

from tests.fakes import ids, parts_of

pytestmark = pytest.mark.model


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("FSL", "FSL"),
        ("fsl", "FSL"),
        ("FLIRT (FSL)", "FLIRT (FSL)"),
        ("SPM12", "SPM"),
        ("3D Slicer", "3D Slicer"),
        ("itk-snap", "ITK-SNAP"),
        ("nnu net", "nnU-Net"),
        ("freesurfr", "FreeSurfer"),
        ("tottalsegmentator", "TotalSegmentator"),
        ("BET", "BET (FSL)"),
    ],
)
def test_a_name_as_people_type_it_puts_that_tool_first(engine, text, name):
    answer = engine.run(text)
    first = answer.candidates[0]
    assert first.tool.name == name
    assert any(w.kind == "name" for w in first.why)
    assert "names" in {n.name for n in answer.result.stages()}


def test_a_suite_is_given_before_other_tools(engine):
    found = engine.run("FSL").candidates
    assert all(c.tool.suite == "FSL" for c in found[1:8])


def test_a_name_beside_a_task_lifts_its_tool_and_leaves_the_task_alone(engine):
    named = engine.run("segment lungs with TotalSegmentator").candidates
    assert named[0].tool.name == "TotalSegmentator"
    assert sum("lung" in candidate.tool.anatomy for candidate in named[:8]) >= 4


@pytest.mark.parametrize("text", ["segment lungs", "denoise images", "register brain MRI", "DTI"])
def test_a_task_is_not_taken_for_a_name(engine, text):
    assert parts_of(engine.run(text).result)["names"].note == "no name of a tool"


def test_every_share_of_the_learned_score_is_told_and_they_add_up(engine):
    for candidate in parts_of(engine.run("segment lungs").result)["rank"].state.candidates[:15]:
        shares = [w.value for w in candidate.why if w.kind == "share" and w.stage == "rank"]
        assert sum(shares) == pytest.approx(candidate.scores["rank"], abs=1e-5)
        assert len(shares) >= 3


@pytest.mark.requirement("S1-06")
def test_without_reranking_the_learned_ranking_stays(engine):
    answer = engine.run("register brain MRI [NO_RERANK]")
    assert ids(answer.candidates) == ids(parts_of(answer.result)["rank"])[:15]


def test_the_learned_ranking_can_be_switched_off(engine):
    answer = engine.run("segment lungs", off=("rank", "parts", "names"))
    assert ids(answer.candidates) == ids(parts_of(answer.result)["graph"])[:15]


OUT_OF_SCOPE = ("repair a car engine", "compose a piano sonata", "book a flight to Paris")


@pytest.mark.parametrize("text", OUT_OF_SCOPE)
@pytest.mark.requirement("W2", "S1-13", "S1-14")
def test_on_the_full_catalog_two_retries_fire_and_differ(engine, text):
    nodes = engine.run(text, "plaza").result.walk()
    asked = [n.note for n in nodes if n.name.endswith("/query 1")]
    assert len(asked) == 2
    assert len({text, *asked}) == 3


@pytest.mark.parametrize("text", OUT_OF_SCOPE)
@pytest.mark.requirement("W12")
def test_a_text_out_of_scope_is_answered_with_doubt_and_not_as_if_it_fitted(engine, text):
    assert engine.run(text).low_confidence


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("convert a DICOM segmentation to NIfTI", ["dcmqi"]),
        ("save a NIfTI mask of the liver as DICOM SEG", ["dcmqi"]),
        ("write an RTSTRUCT from a NIfTI mask", ["rt_utils"]),
        ("RTSTRUCT to NIfTI masks", ["dcmrtstruct2nii", "dicom_rt_to_mask"]),
        ("NIfTI to DICOM", ["nii2dcm", "plastimatch"]),
        ("DICOM in BIDS umwandeln", ["dcm2bids"]),
        ("export OME-Zarr from ND2", ["bioformats2raw"]),
    ],
)
def test_the_direction_of_a_conversion_counts(engine, text, first):
    """Words are the same both ways: dcmrtstruct2nii stood first for what rt_utils does alone."""
    assert engine.run(text).candidates[0].tool.id in first
