"""A recipe for another conversion than a request asks is not offered, and the reason says why."""

from __future__ import annotations

import pytest

from retrieval.core import Format
from retrieval.planning import recipe_of_upload, why_no_recipe
from retrieval.planning.direction import made_formats
from tests.planning.test_recipe_filled import RECIPES, TOOLS


def offered(id, request, scans=()):
    return recipe_of_upload(RECIPES, TOOLS[id], scans, TOOLS.values(), request=request)


@pytest.mark.parametrize(
    ("id", "request_text"),
    [
        ("dcm2niix", "convert NIfTI to DICOM"),
        ("dcmqi", "convert a NIfTI mask to DICOM SEG"),
        ("slicerrt", "turn a NIfTI label map into RTSTRUCT"),
        ("bioformats2raw", "convert OME-Zarr to OME-TIFF"),
    ],
)
def test_a_recipe_of_the_other_direction_is_not_offered_and_the_reason_says_so(id, request_text):
    assert offered(id, request_text) is None
    reason = why_no_recipe(RECIPES, TOOLS[id], (), request_text).reason
    assert reason.startswith("Its recipe is for another conversion: it reads ")
    assert "No source on record states one from " in reason


@pytest.mark.parametrize(
    ("id", "request_text"),
    [
        ("dcm2niix", "convert DICOM to NIfTI"),
        ("dcmqi", "convert DICOM SEG to NIfTI"),
        ("rt_utils", "turn a NIfTI label map into RTSTRUCT"),
        ("totalsegmentator", "convert DICOM to NIfTI and segment the liver"),
        ("hd_bet", "convert DICOM to NIfTI and strip the skull"),
        ("convert3d", "convert NRRD to MetaImage"),
        ("dcm2niix", ""),
    ],
)
def test_a_recipe_of_the_direction_asked_or_for_another_task_is_offered(id, request_text):
    assert offered(id, request_text) is not None
    assert why_no_recipe(RECIPES, TOOLS[id], (), request_text) is None


def test_a_recipe_that_makes_another_format_of_the_same_says_which():
    assert offered("dcm2niix", "convert DICOM to NRRD").notes[0] == (
        "As written it makes NIfTI, JSON; you ask for NRRD."
    )
    assert not any("As written" in note for note in offered("dcm2niix", "DICOM to NIfTI").notes)


def test_what_a_recipe_makes_is_read_from_names_and_endings_of_its_outputs():
    assert made_formats(RECIPES.by_tool["qupath"]) == (Format.OME_TIFF,)
    assert made_formats(RECIPES.by_tool["oct_converter"]) == (Format.DICOM,)
