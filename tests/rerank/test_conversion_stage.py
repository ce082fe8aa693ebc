"""Tools whose records state the conversion that a request names stand first."""

from __future__ import annotations

import pytest

from retrieval.core import StageUnavailable
from retrieval.core.codes import Conversion, Format
from retrieval.core.types import Candidate, State
from retrieval.rerank import ConversionStage
from tests.fakes import make_query, make_tool


def pair(before, after, what="image"):
    return Conversion(Format(before), Format(after), what, "https://example.org")


TOOLS = (
    make_tool("images", converts=(pair("DICOM", "NIfTI"),)),
    make_tool("back", converts=(pair("NIfTI", "DICOM-SEG", "label"),)),
    make_tool("silent"),
    make_tool("labels", converts=(pair("DICOM-SEG", "NIfTI", "label"),)),
    make_tool("header", converts=(pair("DICOM-SEG", "NIfTI", "metadata"),)),
)
ASKED = pair("DICOM-SEG", "NIfTI", "label")


def run(asked=ASKED, tools=TOOLS, **query):
    listed = tuple(Candidate(tool=tool, score=1 - n / 10) for n, tool in enumerate(tools))
    state = State(query=make_query("convert", **query), candidates=listed, path="conversion")
    return ConversionStage(lambda text: asked).run(state)


def test_the_pair_itself_for_the_same_data_comes_first_and_the_other_way_round_sinks():
    result = run()
    assert [c.tool.id for c in result.state.candidates] == [
        *("labels", "images", "silent", "back", "header"),
    ]
    assert result.note == "1 state DICOM-SEG to NIfTI for labels"
    assert result.metrics == {"conversion_stated": 1}


def test_each_that_moves_says_what_its_record_states():
    whys = {c.tool.id: [w.text for w in c.why] for c in run().state.candidates}
    assert whys == {
        "labels": ["Its record states DICOM-SEG to NIfTI for labels"],
        "images": ["Its record states other conversions than DICOM-SEG to NIfTI for labels"],
        "silent": [],
        "back": ["Its record states NIfTI to DICOM-SEG only"],
        "header": ["Its record states other conversions than DICOM-SEG to NIfTI for labels"],
    }


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        (None, "no conversion is named"),
        (pair("NRRD", "NIfTI"), "no record found states NRRD to NIfTI"),
    ],
)
def test_nobody_moves_where_no_pair_is_named_or_stated(asked, note):
    result = run(asked)
    assert [c.tool.id for c in result.state.candidates] == [tool.id for tool in TOOLS]
    assert (result.listed, result.note) == (False, note)


def test_it_can_be_switched_off():
    with pytest.raises(StageUnavailable, match="switched off"):
        run(off=frozenset({"conversion"}))
