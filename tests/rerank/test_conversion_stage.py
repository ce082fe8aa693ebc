"""Tools whose records state the conversion that a request names stand first."""

from __future__ import annotations

import pytest

from retrieval.core import StageUnavailable
from retrieval.core.codes import Conversion, Format
from retrieval.core.types import Candidate, State
from retrieval.fit import written_for
from retrieval.rerank import ConversionStage
from tests.fakes import make_query, make_tool


def pair(before, after, what="image"):
    return Conversion(Format(before), Format(after), what, "https://example.org")


TOOLS = (
    make_tool("other", converts=(pair("DICOM", "NIfTI"),)),
    make_tool("back", converts=(pair("NIfTI", "DICOM-SEG", "label"),)),
    make_tool("silent"),
    make_tool("both", formats_in=("DICOM-SEG",), formats_out=("NIfTI",)),
    make_tool("other output", formats_in=("DICOM-SEG",), formats_out=("NRRD",)),
    make_tool("labels", converts=(pair("DICOM-SEG", "NIfTI", "label"),)),
)
ASKED = pair("DICOM-SEG", "NIfTI", "label")


def run(asked=ASKED, tools=TOOLS, **query):
    listed = tuple(Candidate(tool=tool, score=1 - n / 10) for n, tool in enumerate(tools))
    state = State(query=make_query("convert", **query), candidates=listed, path="conversion")
    return ConversionStage(lambda text: asked, written_for).run(state)


def order(result):
    return [candidate.tool.id for candidate in result.state.candidates]


def test_the_pair_comes_first_then_its_two_formats_then_silence_and_other_outputs_last():
    result = run()
    assert order(result) == ["labels", "other", "both", "silent", "back", "other output"]
    both, others = "1 reading DICOM-SEG and writing NIfTI", "2 other outputs than NIfTI alone"
    assert result.note == f"1 of the list state DICOM-SEG to NIfTI for labels, {both}, {others}"
    assert result.metrics == {"conversion_stated": 1}


def test_each_that_moves_says_what_its_record_states():
    whys = {c.tool.id: [w.text for w in c.why] for c in run().state.candidates}
    assert whys == {
        "labels": ["Its record states DICOM-SEG to NIfTI for labels"],
        "both": ["Its record states reading DICOM-SEG and writing NIfTI, not this conversion"],
        "silent": [],
        "other": [],
        "back": ["Its record states NIfTI to DICOM-SEG only"],
        "other output": ["Its record states other outputs than NIfTI"],
    }


def test_who_cannot_write_the_format_sinks_where_no_record_states_the_pair():
    tools = (
        make_tool("cannot", formats_in=("NRRD",), formats_out=("NIfTI",)),
        make_tool("can", formats_in=("NRRD",), formats_out=("STL",)),
        make_tool("silent"),
    )
    result = run(pair("NRRD", "STL"), tools)
    assert order(result) == ["can", "cannot", "silent"]
    assert result.note.startswith("none of the list state NRRD to STL, 1 reading NRRD")


def test_no_image_becomes_contours_though_they_lie_in_dicom_files():
    contours = make_tool("contours", formats_in=("NIfTI",), formats_out=("RTSTRUCT",))
    images = make_tool("images", formats_in=("NIfTI",), formats_out=("DICOM",))
    result = run(pair("NIfTI", "DICOM"), (contours, images, make_tool("silent")))
    assert order(result) == ["images", "contours", "silent"]


def test_a_goal_alone_counts_against_converters_to_other_formats_and_nobody_else():
    tools = (
        make_tool("converter", tasks=("conversion",), formats_out=("NIfTI",)),
        make_tool("segmenter", tasks=("segmentation",), formats_out=("NIfTI",)),
        make_tool("right", tasks=("conversion",), formats_out=("DICOM-SEG",)),
    )
    result = run(Format.DICOM, tools)
    lowered = {c.tool.id: c.why[0].value < 0 for c in result.state.candidates if c.why}
    assert lowered == {"converter": True}
    assert result.note == "converters of the list that state other outputs than DICOM: 1"


def test_nobody_moves_where_no_format_is_asked_for():
    result = run(None)
    assert order(result) == [tool.id for tool in TOOLS]
    assert (result.listed, result.note) == (False, "no conversion is named")


def test_it_can_be_switched_off():
    with pytest.raises(StageUnavailable, match="switched off"):
        run(off=frozenset({"conversion"}))
