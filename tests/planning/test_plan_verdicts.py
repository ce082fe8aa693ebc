"""A plan is sound only where every step is known to fit, by the verdicts of a card."""

from dataclasses import replace

import pytest

from retrieval import Settings
from retrieval.catalog.load import load_catalog
from retrieval.core.codes import BodyPart, Dimension, Format, Modality, PulseSequence
from retrieval.core.types import Needs, ScanInfo, Tool
from retrieval.fit import fit_of
from retrieval.planning.checks import output_of
from retrieval.planning.cwl import plan_json
from retrieval.planning.plan import plan_of

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
MR = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
RADIOGRAPH = ScanInfo(
    format=Format.DICOM,
    modality=Modality.XR,
    dimension=Dimension.D2,
    body_part=BodyPart.CHEST,
)
LABELS = replace(CT, modality=Modality.SEG, notes=("label-map",))


@pytest.fixture(scope="module")
def tools():
    catalog = load_catalog(Settings(_env_file=None).catalog)
    return {tool.id: tool for tool in catalog.tools}


def of_mr(id: str, task: str, **facts) -> Tool:
    stated = {
        "formats_in": ("NIfTI",),
        "formats_out": ("NIfTI",),
        "modalities": ("MRI",),
        "dimensions": ("3D",),
    }
    return Tool(**{"id": id, "name": id, "description": id, "tasks": (task,), **stated, **facts})


BRAIN = of_mr("brain", "segmentation", anatomy=("brain",), species=("human",))
LABELLED = Needs(data=("label",))


def measuring(**facts) -> list[str]:
    """The last steps of a plan for the brain with one tool that may measure."""
    one = of_mr("measure", "measurement", **{"needs": LABELLED, **facts})
    plan = plan_of({"brain": BRAIN, "measure": one}, BRAIN, replace(MR, body_part=BodyPart.BRAIN))
    return [step.tool.id for step in plan.steps[1:]]


@pytest.mark.parametrize(
    ("request_text", "task", "also", "species"),
    [
        ("track and measure cells of mice", "tracking", ("measurement",), "pass"),
        ("measure the cells of a patient", "measurement", (), "fail"),
        ("what is in here", "measurement", (), "unknown"),
    ],
)
def test_a_step_has_the_species_and_the_tasks_of_the_request(request_text, task, also, species):
    one = of_mr("one", "tracking", species=("mouse",))
    one = replace(one, tasks=("tracking", "segmentation", "measurement"))
    others = {id: of_mr(id, "measurement") for id in ("a", "b")}
    tools = {"one": one, **others}
    [step] = plan_of(tools, one, MR, order=["a", "b"], request=request_text, measure=False).steps
    assert (step.task, step.also) == (task, also)
    assert {check.fact: check.verdict for check in step.checks}["species"] == species


def test_a_tool_that_needs_a_mask_beside_the_image_is_not_known_to_fit_an_image_alone(tools):
    plan = plan_of(tools, tools["pyradiomics"], CT)
    assert not plan.sound
    assert plan.verdict == "unknown"
    assert plan.open_facts == ("PyRadiomics: Also needs a label map",)


def test_a_mask_in_the_same_upload_is_what_such_a_tool_needs(tools):
    assert plan_of(tools, tools["pyradiomics"], CT, others=[LABELS]).sound


def test_the_step_of_a_chosen_tool_has_every_failing_fact_of_its_card(tools):
    plan_scan = ScanInfo(format=Format.DICOM, modality=Modality.RTPLAN, notes=("not-an-image",))
    for scan in (CT, replace(MR, sequence=PulseSequence.T2), RADIOGRAPH, plan_scan):
        for tool in list(tools.values())[::23]:
            plan = plan_of(tools, tool, scan, measure=False)
            step = next(step for step in plan.steps if step.tool.id == tool.id)
            there = replace(scan, format=Format(step.takes))
            failed = {fit.fact for fit in fit_of(tool, there) if fit.verdict == "fail"}
            shown = {check.fact for check in step.checks if check.verdict == "fail"}
            assert failed - {"format"} <= shown, tool.id
            assert not (plan.sound and failed - {"format"}), tool.id


def test_a_plan_that_is_not_sound_says_why(tools):
    for scan in (CT, MR, RADIOGRAPH):
        for tool in list(tools.values())[::11]:
            plan = plan_of(tools, tool, scan)
            assert plan.sound or plan.problems or plan.open_facts, tool.id
            assert plan_json(plan)["sound"] == (not plan.problems and not plan.open_facts)


def test_an_image_of_another_sequence_is_a_problem_in_words(tools):
    t2 = replace(MR, sequence=PulseSequence.T2)
    plan = plan_of(tools, tools["freesurfer_recon_all"], t2, measure=False)
    assert plan.problems == ("recon-all (FreeSurfer): States T1 only",)


def test_only_a_tool_that_takes_labels_measures_labels():
    assert measuring() == ["measure"]
    assert measuring(needs=Needs(data=("image",))) == []
    assert measuring(needs=Needs(data=("image", "label"))) == ["measure"]


def test_a_tool_for_another_part_of_the_body_measures_nothing_of_it():
    assert measuring(anatomy=("brain", "spine")) == ["measure"]
    assert measuring(anatomy=("muscle",)) == []
    assert measuring(anatomy=("liver",)) == []


def test_a_tool_for_animals_measures_no_person():
    assert measuring(species=("human", "mouse")) == ["measure"]
    assert measuring(species=("any",)) == ["measure"]
    assert measuring(species=("mouse", "rat")) == []


def test_a_record_that_is_silent_about_labels_is_no_proof_that_a_step_fits():
    silent = of_mr("silent", "measurement")
    plan = plan_of({"brain": BRAIN, "silent": silent}, BRAIN, replace(MR, body_part="brain"))
    assert [step.tool.id for step in plan.steps] == ["brain", "silent"]
    assert plan.verdict == "unknown"
    assert plan.open_facts == ("silent: Data not stated",)


def test_of_two_tools_the_one_that_is_known_to_fit_is_planned():
    silent, known = of_mr("a", "measurement"), of_mr("b", "measurement", needs=LABELLED)
    tools = {"brain": BRAIN, "a": silent, "b": known}
    plan = plan_of(tools, BRAIN, replace(MR, body_part=BodyPart.BRAIN), order=["a", "b"])
    assert [step.tool.id for step in plan.steps] == ["brain", "b"]
    assert plan.sound


def test_nothing_is_measured_in_a_grade_or_in_a_brain_without_its_skull(tools):
    assert output_of("classification") is None
    assert output_of("skull stripping") is None
    assert output_of("bias field correction") is None
    assert output_of("lesion segmentation") == "label"
    plan = plan_of(tools, tools["deepknee"], replace(RADIOGRAPH, body_part=BodyPart.KNEE))
    assert [step.tool.id for step in plan.steps] == ["deepknee"]
    assert plan.sound


def test_what_opens_on_a_card_opens_in_a_plan(tools):
    ome = ScanInfo(format=Format.OME_TIFF, modality=Modality.FLUORESCENCE, dimension=Dimension.D2)
    plan = plan_of(tools, tools["stardist"], ome, measure=False)
    assert [step.tool.id for step in plan.steps] == ["stardist"]
    assert plan.steps[0].checks[0].verdict == "pass"


def test_a_missing_conversion_names_the_kind_of_image_that_none_is_stated_for(tools):
    slide = ScanInfo(format=Format.DICOM, modality=Modality.SM, dimension=Dimension.D2)
    plan = plan_of(tools, tools["stardist"], slide, measure=False)
    assert plan.problems == ("nothing in the catalog turns DICOM (SM, 2D) into TIFF",)


def test_streamlines_lie_in_a_format_for_streamlines(tools):
    diffusion = ScanInfo(
        format=Format.NIFTI,
        modality=Modality.MRI,
        dimension=Dimension.D4,
        sequence=PulseSequence.DWI,
        shape=(8, 8, 8, 30),
        body_part=BodyPart.BRAIN,
    )
    writer = of_mr(
        "tracts",
        "tractography",
        formats_out=("NIfTI", "TCK"),
        modalities=("dMRI",),
        dimensions=("4D",),
    )
    plan = plan_of({"tracts": writer}, writer, diffusion, measure=False)
    assert plan.steps[0].gives == "TCK"
    assert plan.sound


def test_a_task_that_draws_nothing_lacks_no_measurement():
    silent = of_mr("silent", "pipeline", formats_out=())
    plan = plan_of({"silent": silent}, silent, MR)
    assert plan.problems == ()
    assert plan.sound
