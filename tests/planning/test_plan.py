"""The typed chain: every input was uploaded or produced, every edge is checked."""

from dataclasses import replace

import pytest
import yaml

from retrieval import Settings
from retrieval.catalog.load import load_catalog
from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.types import Needs, ScanInfo, Tool
from retrieval.fit import fact_words, modality_fit
from retrieval.planning.cwl import plan_cwl, plan_json
from retrieval.planning.plan import MEASURES, Plan, plan_of
from tests.fakes import CountdownDeadline, make_pairs

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)


@pytest.fixture(scope="module")
def tools():
    catalog = load_catalog(Settings(_env_file=None).catalog)
    return {tool.id: tool for tool in catalog.tools}


NIFTI = {"formats_in": ("NIfTI",), "formats_out": ("NIfTI",)}


def made(id: str, **facts) -> Tool:
    return Tool(**{"id": id, "name": id, "description": id, **facts})


SMALL = {
    "convert": made(
        "convert",
        tasks=("conversion",),
        converts=make_pairs("DICOM > NIfTI"),
        modalities=("CT",),
    ),
    "even": made("even", tasks=("resampling",), **NIFTI, modalities=("CT",), dimensions=("3D",)),
    "segment": made(
        "segment",
        tasks=("segmentation",),
        **NIFTI,
        modalities=("CT",),
        dimensions=("3D",),
        requires_tool=("torch",),
    ),
    "measure": made(
        "measure",
        tasks=("radiomics",),
        formats_in=("NIfTI",),
        formats_out=("CSV",),
        modalities=("CT",),
        dimensions=("3D",),
        needs=Needs(data=("image", "label")),
    ),
    "silent": made("silent", tasks=("segmentation",)),
    "lone": made("lone", tasks=("segmentation",), formats_in=("MINC",)),
}


def ids(plan: Plan) -> list[str]:
    return [step.tool.id for step in plan.steps]


def test_feature_9_convert_preprocess_segment_measure_in_this_order():
    plan = plan_of(SMALL, SMALL["segment"], CT, repairs=["resampling"])
    assert ids(plan) == ["convert", "even", "segment", "measure"]
    assert [(s.takes, s.gives) for s in plan.steps] == [
        ("DICOM", "NIfTI"),
        ("NIfTI", "NIfTI"),
        ("NIfTI", "NIfTI"),
        ("NIfTI", "CSV"),
    ]
    assert plan.sound
    assert plan.installs == ("torch",)


def test_what_no_source_states_is_unknown_and_no_pass():
    plan = plan_of(SMALL, SMALL["silent"], CT)
    assert {c.verdict for c in plan.steps[0].checks} == {"unknown"}
    assert "does not state what it writes" in plan.problems[0]
    assert not plan.sound


def test_an_impossible_conversion_is_a_problem_in_words():
    plan = plan_of(SMALL, SMALL["lone"], CT, measure=False)
    assert plan.problems == ("nothing in the catalog turns DICOM (CT, 3D) into MINC",)
    assert plan.steps[-1].checks[0].verdict == "fail"


def test_the_missing_measurement_names_the_kind_of_image_that_it_was_looked_for():
    mr = replace(CT, format=Format.NIFTI, modality=Modality.MRI)
    plan = plan_of(SMALL, SMALL["segment"], mr)
    assert plan.missing == ("no tool states that it measures, reads NIfTI and works on MRI",)


def test_a_check_has_the_words_of_the_card():
    mr = replace(CT, format=Format.NIFTI, modality=Modality.MRI, sequence=PulseSequence.DWI)
    wide = made("wide", tasks=("segmentation",), **NIFTI, modalities=("MRI", "fMRI"))
    labels = replace(mr, notes=("label-map",))
    for scan in (CT, mr, labels):
        for tool in (SMALL["segment"], SMALL["silent"], wide):
            checks = plan_of(SMALL | {"wide": wide}, tool, scan, measure=False).steps[-1].checks
            kind = modality_fit(tool, scan)
            shown = "Modality fits" if kind.verdict == "pass" else fact_words(kind)
            assert (checks[1].verdict, checks[1].words) == (kind.verdict, shown)


def test_a_repair_that_nothing_does_is_a_problem_in_words():
    plan = plan_of(SMALL, SMALL["segment"], CT, repairs=["bias field correction"])
    assert "no tool is known to do bias field correction on DICOM" in plan.problems[0]


def test_a_label_map_is_not_segmented_again_and_a_plan_ends_with_what_the_tool_does_to_it():
    labels = replace(CT, format=Format.NIFTI, modality=None, notes=("label-map",))
    drawing = plan_of(SMALL, SMALL["segment"], labels, repairs=["registration"])
    assert ids(drawing) == ["segment"]
    assert drawing.missing == (
        "no tool is known to do registration on NIfTI (a label map) and to pass it on",
        "segment draws labels, and the scan is a label map already",
    )
    suite = made("suite", tasks=("segmentation", "measurement"), **NIFTI)
    editor = replace(SMALL["segment"], needs=Needs(data=("label",)))
    measured, edited = plan_of(SMALL, suite, labels), plan_of(SMALL, editor, labels)
    assert [(step.tool.id, step.task) for step in measured.steps] == [("suite", "measurement")]
    assert edited.steps[0].task == "segmentation"
    assert not edited.missing or "already" not in edited.missing[0]


def test_another_modality_fails_its_edge():
    mr = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
    plan = plan_of(SMALL, SMALL["segment"], mr, measure=False)
    assert {c.fact: c.verdict for c in plan.steps[0].checks}["modality"] == "fail"
    assert not plan.sound


@pytest.mark.parametrize("kind", [Format.DICOM, Format.NIFTI, Format.OME_TIFF, Format.NRRD])
def test_feature_9_no_step_has_an_input_that_is_not_produced_or_uploaded(tools, kind):
    scan = ScanInfo(format=kind, modality=Modality.CT, dimension=Dimension.D3)
    for chosen in list(tools.values())[::7]:
        plan = plan_of(tools, chosen, scan, repairs=["resampling"])
        there = {plan.start}
        for step in plan.steps:
            assert step.takes in there
            there |= {step.gives} - {None}
        assert chosen.id in ids(plan)


def test_the_shipped_catalog_takes_dicom_to_numbers(tools):
    plan = plan_of(tools, tools["totalsegmentator"], CT, order=["pyradiomics"])
    assert "totalsegmentator" in ids(plan)
    assert set(MEASURES) & set(plan.steps[-1].tool.tasks)


def test_a_tool_of_many_tasks_is_planned_for_the_one_its_neighbours_do():
    suite = made("suite", tasks=("viewing", "skull stripping", "segmentation"), **NIFTI)
    tools = {**SMALL, "suite": suite}
    alone = plan_of(tools, suite, CT, measure=False)
    among = plan_of(tools, suite, CT, measure=False, order=["suite", "segment", "silent", "even"])
    assert [plan.steps[-1].task for plan in (alone, among)] == ["viewing", "segmentation"]


def test_numbers_are_left_to_the_tool_that_writes_them_and_does_little_else():
    needs = Needs(data=("image", "label"))
    kinds = {**NIFTI, "modalities": ("CT",), "dimensions": ("3D",), "needs": needs}
    many = made("all", tasks=("segmentation", "measurement"), **kinds)
    images = made("atlas", tasks=("morphometry",), **kinds)
    tools = {**SMALL, "all": many, "atlas": images}
    assert ids(plan_of(tools, tools["segment"], CT, order=["all", "atlas"]))[-1] == "measure"
    partner = replace(images, compatible_with=("segment",))
    assert ids(plan_of({**tools, "atlas": partner}, tools["segment"], CT))[-1] == "atlas"


def test_a_result_that_nothing_measures_as_it_is_gets_converted_first():
    pairs = make_pairs("MGH > NIfTI", what="label")
    back = made("back", tasks=("conversion",), converts=pairs)
    surface = replace(SMALL["segment"], id="surface", formats_out=("MGH",))
    plan = plan_of({**SMALL, "back": back, "surface": surface}, surface, CT)
    assert ids(plan) == ["convert", "surface", "back", "measure"]
    assert plan.sound


def test_of_equally_short_conversions_the_format_that_is_stated_first_is_taken():
    either = replace(SMALL["convert"], id="either", converts=make_pairs("DICOM > MGH"))
    reader = replace(SMALL["segment"], id="reader", formats_in=("NIfTI", "MGH"))
    plan = plan_of({**SMALL, "either": either, "reader": reader}, reader, CT, measure=False)
    assert ids(plan) == ["convert", "reader"]


def test_the_export_tells_every_check_and_the_workflow_joins_every_step():
    plan = plan_of(SMALL, SMALL["segment"], CT, repairs=["resampling"])
    told = plan_json(plan)
    assert [s["step"] for s in told["steps"]] == [1, 2, 3, 4]
    assert told["steps"][2]["checks"][0] == {
        "fact": "format",
        "verdict": "pass",
        "have": "NIfTI",
        "wants": ["NIfTI"],
    }
    flow = yaml.safe_load(plan_cwl(plan))
    names = list(flow["steps"])
    sources = [step["in"]["input"] for step in flow["steps"].values()]
    assert sources == ["scan", *(f"{name}/output" for name in names[:-1])]
    assert flow["outputs"]["result"]["outputSource"] == f"{names[-1]}/output"


def test_once_the_time_is_over_no_further_tool_is_tried_and_the_steps_so_far_stay():
    many = {f"x{n:04}": made(f"x{n:04}", tasks=("resampling",)) for n in range(1_000)}
    deadline = CountdownDeadline(10)
    plan = plan_of(
        {**many, **SMALL},
        SMALL["segment"],
        CT,
        repairs=["resampling"],
        order=sorted(many),
        deadline=deadline,
    )
    assert deadline.looks == -2, "looked at once more for the repair, once for the measurement"
    assert ids(plan) == ["convert", "segment"]
    assert not plan.sound
    assert plan.problems == (
        "the time for this query was used up: no tool was chosen for resampling",
        "the time for this query was used up: no tool was chosen for measurement",
    )


def test_an_image_that_is_needed_beside_the_result_is_converted_in_a_step_of_its_own():
    reads_dicom = replace(SMALL["segment"], id="direct", formats_in=("DICOM", "NIfTI"))
    first_other = replace(SMALL["measure"], formats_in=("NRRD", "NIfTI"))
    other = replace(SMALL["convert"], id="other", converts=make_pairs("DICOM > NRRD"))
    tools = {**SMALL, "direct": reads_dicom, "measure": first_other, "other": other}
    plan = plan_of(tools, reads_dicom, CT)
    assert [(s.tool.id, s.takes, s.gives, s.beside) for s in plan.steps] == [
        ("direct", "DICOM", "NIfTI", False),
        ("convert", "DICOM", "NIfTI", True),
        ("measure", "NIfTI", "CSV", False),
    ]
    assert plan.sound
    steps = [*yaml.safe_load(plan_cwl(plan))["steps"].values()]
    assert [step["in"] for step in steps] == [
        {"input": "scan"},
        {"input": "scan"},
        {"input": "step1_direct/output", "image": "step2_convert/output"},
    ]
    assert len(steps[2]["run"]["inputs"]) == 2


def test_a_step_that_needs_the_image_gets_the_file_that_it_was_checked_on():
    plan = plan_of(SMALL, SMALL["segment"], CT, repairs=["resampling"])
    steps = yaml.safe_load(plan_cwl(plan))["steps"]
    names = list(steps)
    (check,) = (c for c in plan.steps[-1].checks if c.fact == "format of the image")
    assert (check.have, plan.start) == ("NIfTI", "DICOM")
    # The image as it was segmented: converted and resampled, and not the scan.
    assert steps[names[3]]["in"] == {
        "input": f"{names[2]}/output",
        "image": f"{names[1]}/output",
    }


def test_the_skeleton_of_a_plan_that_cannot_work_says_so():
    mri = replace(SMALL["segment"], id="mri", modalities=("MRI",))
    plan = plan_of({**SMALL, "mri": mri}, mri, CT)
    remarks = yaml.safe_load(plan_cwl(plan))["doc"]
    assert plan.problems
    assert all(f"does not work as it stands: {text}" in remarks for text in plan.problems)


def test_a_plan_tells_whether_it_ends_in_numbers():
    assert plan_of(SMALL, SMALL["segment"], CT).ends_in_numbers
    viewer = made("viewer", tasks=("viewing",), formats_in=("DICOM",), formats_out=("NIfTI",))
    plan = plan_of({**SMALL, "viewer": viewer}, viewer, CT)
    assert not plan.ends_in_numbers
    assert plan_json(plan)["ends_in_numbers"] is False


def test_a_plan_ends_in_the_format_that_is_asked_for_or_says_that_its_tool_does_not_write_it():
    writer = made("writer", tasks=("conversion", "measurement"), formats_in=("DICOM",))
    writer = replace(writer, formats_out=("DICOM", "PNG"))
    plan = plan_of({"writer": writer}, writer, CT, request="convert to PNG")
    assert (plan.steps[-1].gives, plan.problems, plan.ends_in_numbers) == ("PNG", (), False)
    plan = plan_of({"writer": writer}, writer, CT, request="convert to MINC")
    assert plan.problems == ("no source states that writer writes MINC",)
    assert not plan.sound


def test_a_tool_that_gets_the_format_that_is_asked_for_is_no_step_towards_it():
    tools = {**SMALL, "back": made("back", tasks=("conversion",), **NIFTI)}
    plan = plan_of(tools, tools["back"], CT, request="convert to NIfTI")
    assert plan.problems == ("the data are in NIfTI before back gets them",)


def test_a_file_in_the_format_that_is_asked_for_needs_no_converter_to_it():
    there = replace(CT, format=Format.NIFTI)
    tool = made("back", tasks=("conversion",), formats_in=("NIfTI",), formats_out=("NIfTI",))
    plan = plan_of({"back": tool}, tool, there, request="convert to NIfTI")
    assert plan.problems == ("the data are in NIfTI before back gets them",)
    assert not plan.sound
