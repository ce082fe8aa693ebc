"""The conversion bridge: the shortest chain of converters, the dedicated one of each step."""

from __future__ import annotations

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.codes import Format
from retrieval.planning.bridge import FormatBridge
from retrieval.settings import ROOT
from tests.fakes import make_tool

SHIPPED = FormatBridge(load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools)


def converter(tool_id, *others, reads=(Format.DICOM,), writes=(Format.NIFTI,), by=()):
    tasks = ("conversion", *others)
    return make_tool(tool_id, tasks=tasks, formats_in=reads, formats_out=writes, interfaces=by)


def named(*tools):
    [(_, tool, _)] = FormatBridge(tools).chain("DICOM", ["NIfTI"])
    return tool


def test_a_tool_that_does_little_else_is_named_before_one_that_does_much():
    assert named(converter("a", "viewing", "registration"), converter("z")) == "z"


def test_of_equally_dedicated_tools_the_one_of_the_command_line_is_named():
    assert named(converter("a", by=("desktop",)), converter("z", by=("command line",))) == "z"


def test_of_equal_tools_the_first_by_id_is_named_whatever_their_order():
    tools = [converter("b"), converter("a"), converter("c")]
    assert named(*tools) == named(*tools[::-1]) == "a"


def test_a_shorter_chain_wins_over_more_dedicated_tools():
    long = (
        converter("a", writes=(Format.NRRD,)),
        converter("b", reads=(Format.NRRD,)),
    )
    assert named(*long, converter("z", "viewing")) == "z"


def test_a_chain_goes_through_other_formats_and_what_cannot_be_is_none():
    bridge = FormatBridge(
        [converter("a", writes=(Format.NRRD,)), converter("b", reads=(Format.NRRD,))]
    )
    assert bridge.chain("DICOM", ["NIfTI"]) == (("DICOM", "a", "NRRD"), ("NRRD", "b", "NIfTI"))
    assert bridge.chain("NIfTI", ["DICOM"]) is None
    assert bridge.chain("SVS", ["NIfTI"]) is None
    assert bridge.chain("DICOM", ["DICOM", "NIfTI"]) == ()


def test_a_tool_without_the_task_converts_nothing_and_a_table_becomes_no_image():
    viewer = make_tool("v", tasks=("viewing",), formats_in=("DICOM",), formats_out=("NIfTI",))
    assert FormatBridge([viewer]).chain("DICOM", ["NIfTI"]) is None
    table = converter("t", reads=(Format.CSV,))
    assert FormatBridge([table]).chain("CSV", ["NIfTI"]) is None


@pytest.mark.parametrize(("have", "tool"), [("DICOM", "dcm2niix"), ("MGH", "nibabel")])
def test_the_shipped_catalog_names_the_converter_that_people_use(have, tool):
    assert SHIPPED.chain(have, ["NIfTI"]) == ((have, tool, "NIfTI"),)
