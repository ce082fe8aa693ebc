"""Formats and dimensions are read from a text with their words; other meanings are left alone."""

from __future__ import annotations

import pytest

from retrieval.query import conversion_goal, conversion_of, file_words


def words(text):
    return [(w.kind, w.value, w.text, w.strength) for w in file_words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("segment 3D CT", [("dimension", "3D", "3D", "wanted")]),
        ("open a .nii.gz file", [("format", "NIfTI", ".nii.gz", "wanted")]),
        ("stitch OME TIFF tiles", [("format", "OME-TIFF", "OME TIFF", "wanted")]),
        ("register a time series", [("dimension", "4D", "time series", "wanted")]),
        (
            "view DICOM, not NIfTI",
            [("format", "DICOM", "DICOM", "wanted"), ("format", "NIfTI", "NIfTI", "unwanted")],
        ),
        ("DICOM to DICOM", [("format", "DICOM", "DICOM", "wanted")]),
    ],
)
def test_what_a_file_is_is_read_as_typed(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ["volume of the liver", "segment with SAM", "text mining", "3 channels", ""]
)
def test_words_that_mean_something_else_are_left_alone(text):
    assert words(text) == []


@pytest.mark.parametrize(
    ("text", "before", "after", "what"),
    [
        ("convert a DICOM segmentation to NIfTI", "DICOM-SEG", "NIfTI", "label"),
        ("write an RTSTRUCT from a NIfTI mask", "NIfTI", "RTSTRUCT", "contour"),
        ("save a NIfTI mask of the liver as DICOM SEG", "NIfTI", "DICOM-SEG", "label"),
        ("turn NRRD into NIfTI", "NRRD", "NIfTI", "image"),
        ("dcm -> nii", "DICOM", "NIfTI", "image"),
        ("export OME-Zarr from ND2", "ND2", "OME-Zarr", "image"),
        ("DICOM in BIDS umwandeln", "DICOM", "BIDS", "image"),
        ("convertir de DICOM a NIfTI", "DICOM", "NIfTI", "image"),
        ("convertire DICOM in NIfTI", "DICOM", "NIfTI", "image"),
        ("passer de DICOM vers NIfTI", "DICOM", "NIfTI", "image"),
        ("RTSTRUCT contours as NRRD", "RTSTRUCT", "NRRD", "contour"),
        ("nii2dicom", "NIfTI", "DICOM", "image"),
    ],
)
def test_a_conversion_is_read_with_its_direction_and_data(text, before, after, what):
    assert conversion_of(text)[:3] == (before, after, what)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "convert to NIfTI",
        "view DICOM and NIfTI",
        "view NIfTI in DICOM viewers",
        "NIfTI files as DICOM viewers show them",
        "dcm2niix on a cluster",
        "I have DICOM. To view NIfTI is easy",
        "not DICOM to NIfTI",
        "register PET to MRI",
        "NIfTI to NIfTI",
        "we read DICOM and later on somebody asked us to give NIfTI",
    ],
)
def test_no_conversion_is_read_where_none_is_asked(text):
    assert conversion_of(text) is None


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("convert to nifti", "NIfTI"),
        ("turn this into a NIfTI file", "NIfTI"),
        ("in NIfTI umwandeln", "NIfTI"),
        ("convertir a NIfTI", "NIfTI"),
        ("save it as NRRD", "NRRD"),
        ("view NIfTI", None),
        ("convert NIfTI", None),
        ("to view NIfTI, NRRD", None),
        ("convert to NIfTI and NRRD", None),
        ("register to a template", None),
    ],
)
def test_the_goal_of_a_conversion_is_read_where_the_text_names_no_other_format(text, goal):
    assert conversion_goal(text) == goal
