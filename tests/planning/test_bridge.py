"""The conversion bridge: the shortest chain of converters, the dedicated one of each step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.codes import Dimension, Format
from retrieval.core.types import ScanInfo
from retrieval.fit import Content, summary_of
from retrieval.fit.check import fit_of
from retrieval.planning.bridge import FormatBridge
from retrieval.settings import ROOT
from tests.fakes import make_pairs, make_tool

SHIPPED = FormatBridge(load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools)


def converter(tool_id, *others, reads=(Format.DICOM,), writes=(Format.NIFTI,), by=()):
    tasks = ("conversion", *others)
    pairs = make_pairs(*(f"{a} > {b}" for a in reads for b in writes))
    return make_tool(tool_id, tasks=tasks, converts=pairs, interfaces=by)


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


def test_a_badge_says_the_name_of_a_converter_and_not_its_id():
    one = replace(converter("turner"), name="Turner: 2")
    scan = ScanInfo(format=Format.DICOM, dimension=Dimension.D3)
    fits = fit_of(make_tool("a", formats_in=(Format.NIFTI,)), scan, FormatBridge([one]).named_chain)
    summary = summary_of([fit for fit in fits if fit.fact == "format"])
    assert summary is not None
    assert summary.text == "Fits after Turner: 2"


@pytest.mark.parametrize(("have", "tool"), [("DICOM", "dcm2niix"), ("MGH", "dicm2nii")])
def test_the_shipped_catalog_names_the_converter_that_people_use(have, tool):
    assert SHIPPED.chain(have, ["NIfTI"]) == ((have, tool, "NIfTI"),)


def test_a_record_without_pairs_converts_nothing_whatever_it_reads_and_writes():
    tool = make_tool(
        "t", tasks=("conversion",), formats_in=(Format.DICOM,), formats_out=(Format.NIFTI,)
    )
    assert FormatBridge([tool]).chain("DICOM", ["NIfTI"]) is None


def test_two_pairs_of_one_tool_give_no_third():
    tool = make_tool("t", converts=make_pairs("DICOM > NIfTI", "TIFF > OME-TIFF"))
    bridge = FormatBridge([tool])
    assert bridge.chain("DICOM", ["OME-TIFF"]) is None
    assert bridge.chain("TIFF", ["NIfTI"]) is None


def test_a_pair_leads_one_way():
    bridge = FormatBridge([make_tool("t", converts=make_pairs("DICOM > NIfTI"))])
    assert bridge.chain("NIfTI", ["DICOM"]) is None


def test_every_step_of_a_chain_carries_the_same_kind_of_data():
    first = make_tool("a", converts=make_pairs("NRRD > NIfTI", what="label"))
    image = make_tool("b", converts=make_pairs("NIfTI > MGH"))
    label = make_tool("c", converts=make_pairs("NIfTI > MGH", what="label"))
    labels = Content(what="label")
    assert FormatBridge([first, image]).chain("NRRD", ["MGH"], labels) is None
    chain = FormatBridge([first, image, label]).chain("NRRD", ["MGH"], labels)
    assert chain == (("NRRD", "a", "NIfTI"), ("NIfTI", "c", "MGH"))


@pytest.mark.parametrize("middle", ["PNG", "DICOM", "DICOM-SEG"])
def test_no_chain_goes_on_from_a_picture_or_a_made_up_dicom_header(middle):
    there = make_tool("a", converts=make_pairs(f"NRRD > {middle}"))
    on = make_tool("b", converts=make_pairs(f"{middle} > NIfTI"))
    assert FormatBridge([there, on]).chain("NRRD", ["NIfTI"]) is None
    assert FormatBridge([there, on]).chain("NRRD", [middle]) == (("NRRD", "a", middle),)


def test_a_tool_that_two_sources_give_the_same_pair_is_one_step():
    twice = make_pairs("DICOM > NIfTI") * 2
    assert named(make_tool("t", converts=twice)) == "t"


def test_of_two_formats_the_one_that_a_converter_writes_is_taken():
    perfusion = make_tool(
        "m", tasks=("perfusion quantification",), converts=make_pairs("DICOM > Analyze")
    )
    bridge = FormatBridge([perfusion, converter("z")])
    assert bridge.chain("DICOM", ["Analyze", "NIfTI"]) == (("DICOM", "z", "NIfTI"),)
    assert bridge.chain("DICOM", ["Analyze"]) == (("DICOM", "m", "Analyze"),)
