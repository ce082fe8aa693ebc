"""The formats that a text says its files have count for tools, where no file is added."""

from __future__ import annotations

import pytest

from retrieval.fit import no_conversion
from retrieval.planning import other_format, unread_format
from retrieval.query import formats_at_hand
from tests.fakes import make_tool

FLOW = make_tool("flow", formats_in=("FCS",))
SILENT = make_tool("silent")
SLIDES = make_tool("reader", formats_in=("CZI",))


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("I have a DICOM CT series and want to segment the liver", ["DICOM"]),
        ("my files are .lif, segment nuclei", ["LIF"]),
        ("data is in BIDS, preprocess fMRI", ["BIDS"]),
        ("read .czi files in R", ["CZI"]),
        ("convert CZI to OME-TIFF", ["CZI"]),
        ("we have no DICOM but NIfTI", []),
        ("I have CT and want NIfTI", []),
        ("segment nuclei and save as CSV", []),
        ("our DICOM viewer", []),
        ("segment lungs", []),
    ],
)
def test_the_formats_at_hand_are_what_is_had_read_or_converted(text, formats):
    assert [str(one) for one in formats_at_hand(text)] == formats


def test_a_tool_that_reads_other_formats_fails_by_the_format_at_hand():
    fit = other_format("I have a LIF file", FLOW, no_conversion)
    assert (fit.fact, fit.verdict, fit.scan, fit.tool) == (
        "format",
        "fail",
        "LIF",
        "formats_in: FCS",
    )
    assert other_format("I have a CZI file", SLIDES, no_conversion) is None
    assert other_format("I have a CZI file", SILENT, no_conversion) is None
    assert other_format("segment nuclei", FLOW, no_conversion) is None


def test_no_tool_fails_that_a_conversion_reaches():
    def by_reader(have, goal_formats, content):
        return ((have, "Reader", goal_formats[0]),)

    nifti = make_tool("nifti", formats_in=("NIfTI",))
    assert other_format("I have a DICOM CT", nifti, by_reader) is None


def test_what_a_record_does_not_state_of_reading_and_writing_is_named():
    assert unread_format("read .czi files in R", FLOW) == "reading CZI not stated"
    assert unread_format("read .czi files in R", SILENT) == "reading CZI not stated"
    assert unread_format("read .czi files in R", SLIDES) == ""
    assert unread_format("convert CZI to OME-TIFF in R", SLIDES) == "writing OME-TIFF not stated"
    # What somebody only has may be converted first.
    assert unread_format("I have a CZI file and count cells in R", FLOW) == ""
