"""Formats and dimensions are read from a text with their words; other meanings are left alone."""

from __future__ import annotations

import pytest

from retrieval.query import file_words


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


@pytest.mark.parametrize("text", ["volume of the liver", "segment with SAM", "text mining", ""])
def test_words_that_mean_something_else_are_left_alone(text):
    assert words(text) == []
