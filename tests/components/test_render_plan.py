"""A plan as HTML: every step with its verdicts, what is missing, nothing that runs."""

import re

from building import CT, HOSTILE, tool

from components.render.results.plan import no_scan, plan_panel
from retrieval import plan_of

SEGMENT = tool("s", name=HOSTILE, tasks=("segmentation",), formats_in=("MINC",))


def test_steps_verdicts_and_problems_are_shown_as_text():
    html = plan_panel(plan_of({"s": SEGMENT}, SEGMENT, CT, measure=False), SEGMENT, {})
    assert "Reads MINC only" in html
    assert "Modality not stated" in html
    assert "Nothing in the catalog turns DICOM (CT, 3D) into MINC." in html
    assert "<script" not in html
    assert "<img" not in html


def test_a_sound_plan_says_so_and_offers_files():
    kinds = {"formats_in": ("DICOM",), "modalities": ("CT",), "dimensions": ("3D",)}
    one = tool("s", tasks=("radiomics",), **kinds)
    html = plan_panel(plan_of({"s": one}, one, CT), one, {})
    assert "Every step takes what the one before it gives." in html
    assert html.count("planfile") == 2


def test_a_step_names_all_tasks_of_the_request_and_its_marks_are_those_of_the_fit():
    one = tool("s", tasks=("segmentation", "measurement"), formats_in=("DICOM",))
    html = plan_panel(plan_of({"s": one}, one, CT, request="segment and measure"), one, {})
    assert "1. Segmentation and measurement" in html
    assert re.search(r"<span[^>]*unknown[^>]*>\? Dimension not stated", html)


def test_a_plan_with_a_fact_that_is_not_stated_is_not_said_to_fit():
    one = tool("s", tasks=("radiomics",), formats_in=("DICOM",), modalities=("CT",))
    html = plan_panel(plan_of({"s": one}, one, CT), one, {})
    assert "No fact speaks against it, but not every step is known to fit" in html
    assert "Dimension not stated" in html


def test_a_tool_whose_record_states_no_output_is_said_to_be_silent_and_nothing_is_missing():
    one = tool("s", name="Tool S", tasks=("segmentation",), formats_in=("DICOM",))
    html = plan_panel(plan_of({"s": one}, one, CT), one, {})
    assert "the record of Tool S does not state the format that it writes" in html
    assert "missing" not in html
    other = tool("t", tasks=("segmentation",), formats_in=("MINC",))
    assert "Something is missing" in plan_panel(plan_of({"t": other}, other, CT), other, {})


def test_what_is_to_be_installed_as_well_is_named_as_in_the_catalog():
    one = tool("s", tasks=("radiomics",), formats_in=("DICOM",), requires_tool=("t", "gone"))
    tools = {"s": one, "t": tool("t", name="Torch <x>")}
    html = plan_panel(plan_of(tools, one, CT), one, tools)
    assert "To be installed as well: Torch &lt;x&gt;" in html


def test_a_plan_without_a_number_at_its_end_says_so():
    kinds = {"formats_in": ("DICOM",), "formats_out": ("NIfTI",)}
    viewer = tool("v", tasks=("viewing",), **kinds)
    html = plan_panel(plan_of({"v": viewer}, viewer, CT), viewer, {})
    assert "No number comes out of this plan: it ends in NIfTI." in html
    measures = tool("m", tasks=("radiomics",), **kinds)
    assert "No number" not in plan_panel(plan_of({"m": measures}, measures, CT), measures, {})


def test_without_a_scan_it_says_what_to_do():
    assert "Add a scan first" in no_scan()
