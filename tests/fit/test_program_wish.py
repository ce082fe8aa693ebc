"""Tools of a program that is wished, and those that need it, stand above all others."""

from __future__ import annotations

import pytest

from retrieval.core import Wish
from retrieval.fit import wish_fit
from retrieval.fit.summary import summary_of
from tests.fakes import make_tool

FSL = Wish(kind="tool", value="FSL", text="with FSL", strength="wanted")


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"suite": "FSL"}, "pass"),
        ({"name": "FSL"}, "pass"),
        ({"requires_tool": ("fsl",)}, "pass"),
        ({"requires_tool": ("spm",)}, "fail"),
        ({}, "fail"),
    ],
)
def test_a_tool_passes_that_is_of_the_program_or_needs_it(facts, verdict):
    assert wish_fit(make_tool("one", **facts), FSL).verdict == verdict


def test_the_badge_of_another_tool_says_that_it_is_not_of_the_program():
    summary = summary_of([wish_fit(make_tool("one", suite="SPM"), FSL)])
    assert summary is not None
    assert summary.text == "Not of FSL"


@pytest.mark.parametrize(("strength", "verdict"), [("wanted", "pass"), ("unwanted", "fail")])
def test_a_workflow_is_of_the_program_in_whose_language_it_is_written(strength, verdict):
    workflow = make_tool("one", languages=("Nextflow",), requires_tool=("ashlar",))
    wish = Wish(kind="tool", value="Nextflow", text="", strength=strength)
    assert wish_fit(workflow, wish).verdict == verdict


@pytest.mark.parametrize(
    ("text", "facts", "verdict"),
    [
        ("like FreeSurfer", {"keywords": ("FreeSurfer alternative",)}, "pass"),
        ("Alternative zu FreeSurfer", {"description": "A replacement for FreeSurfer."}, "pass"),
        ("without FreeSurfer", {"keywords": ("FreeSurfer alternative",)}, "fail"),
        ("like FreeSurfer", {"keywords": ("FreeSurfer statistics",)}, "fail"),
    ],
)
def test_a_stated_alternative_meets_a_wish_for_the_like_of_what_it_needs(text, facts, verdict):
    wish = Wish(kind="tool", value="FreeSurfer", text=text, strength="unwanted")
    tool = make_tool("one", **{"requires_tool": ("freesurfer",), **facts})
    assert wish_fit(tool, wish).verdict == verdict


@pytest.mark.parametrize("wished", ["Fiji", "ImageJ", "ImageJ2"])
@pytest.mark.parametrize("stated", ["Fiji", "ImageJ"])
def test_a_plugin_of_fiji_is_one_of_imagej(wished, stated):
    plugin = make_tool("one", interfaces=("plugin",), platforms=(stated,))
    wish = Wish(kind="host", value=wished, text="", strength="wanted")
    assert wish_fit(plugin, wish).verdict == "pass"
    unwanted = Wish(kind="tool", value=wished, text="", strength="unwanted")
    assert wish_fit(plugin, unwanted).verdict == "fail"
    assert wish_fit(make_tool("two", platforms=("QuPath",)), wish).verdict == "fail"


@pytest.mark.parametrize(
    "description",
    [
        "Denoising, distortion and motion correction through FSL, then fits.",
        "Runs pipelines on T1 with FreeSurfer, SPM, FSL and ANTs.",
        "Combining AFNI and FSL tools.",
        "Preprocessing scripts use FSL.",
        "Bundles what it needs, built on FSL6.",
    ],
)
def test_whether_a_tool_does_without_a_program_that_it_works_by_is_unknown(description):
    tool = make_tool("one", description=description)
    unwanted = Wish(kind="tool", value="FSL", text="not FSL", strength="unwanted")
    assert wish_fit(tool, unwanted).verdict == "unknown"
    assert wish_fit(tool, FSL).verdict == "unknown"


@pytest.mark.parametrize(
    "description",
    [
        "Arithmetic on volumes without installing FSL.",
        "Works with FSL.",
        "Writes a registration file or FSL matrix.",
        "Command line with a window and an FSL plugin.",
    ],
)
def test_a_record_that_names_a_program_beside_its_work_does_without_it(description):
    tool = make_tool("one", description=description, compatible_with=("fsl",))
    unwanted = Wish(kind="tool", value="FSL", text="not FSL", strength="unwanted")
    assert wish_fit(tool, unwanted).verdict == "pass"


@pytest.mark.parametrize(
    ("platforms", "verdict"),
    [(("Fiji",), "fail"), (("Fiji", "ImageJ"), "fail"), (("Fiji", "Linux"), "pass"), ((), "pass")],
)
def test_what_runs_in_a_program_alone_does_not_do_without_it(platforms, verdict):
    tool = make_tool("one", platforms=platforms, interfaces=("desktop",))
    unwanted = Wish(kind="tool", value="Fiji", text="no Fiji", strength="unwanted")
    assert wish_fit(tool, unwanted).verdict == verdict
