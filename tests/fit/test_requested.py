"""Verdicts that rest on what is asked as well as on the files."""

from __future__ import annotations

import pytest

from retrieval.core.codes import BodyPart, Dimension, Format, Modality, PulseSequence
from retrieval.core.types import Candidate, Fit, Needs, ScanInfo
from retrieval.fit.body_parts import may_show
from retrieval.fit.requested.remarks import (
    ONE_VOLUME,
    SEGMENTED,
    file_remarks,
    named_kind_remark,
    other_kind_remark,
)
from retrieval.fit.requested.request import Request
from retrieval.fit.stage import FitStage
from retrieval.fit.summary import summary_of
from tests.fakes import ids, make_pairs, make_state, make_tool

P = BodyPart
MR = {"formats_in": (Format.DICOM,), "modalities": (Modality.MRI,), "dimensions": (Dimension.D3,)}


def scan(part=None, sequence=None, modality=Modality.MRI, **fields):
    shape = {"dimension": Dimension.D3, "body_part": part, "sequence": sequence, **fields}
    return ScanInfo(**{"format": Format.DICOM, "modality": modality, **shape})


def run(tools, scans, **request):
    candidates = [Candidate(tool=t, score=1.0 - n / 10) for n, t in enumerate(tools)]
    stage = FitStage(requested=lambda query: Request(**request))
    return stage.run(make_state("x", *candidates, scans=tuple(scans), path="fit"))


def badges(result):
    return {c.tool.id: summary_of(c.fit).text for c in result.state.candidates}


LIVER = {"parts": (frozenset([P.LIVER]),)}


def test_a_scan_of_another_part_is_told_on_every_badge_that_would_be_fits():
    tools = [make_tool("a", **MR), make_tool("b", anatomy=(P.LIVER,), **MR)]
    assert badges(run(tools, [scan(P.BRAIN)], **LIVER)) == {
        "a": "Brain scan; liver is not in it",
        "b": "Made for liver",
    }


@pytest.mark.parametrize("part", [None, P.ABDOMEN, P.CHEST, P.WHOLE_BODY, P.LIVER, P.SPINE])
def test_a_scan_that_may_show_the_part_or_states_none_is_not_spoken_of(part):
    assert badges(run([make_tool("a", **MR)], [scan(part)], **LIVER)) == {"a": "Fits"}


def test_one_scan_or_one_named_part_that_agrees_is_enough():
    tools = [make_tool("a", **MR)]
    both = (frozenset([P.LIVER]), frozenset([P.BRAIN]))
    assert badges(run(tools, [scan(P.BRAIN)], parts=both)) == {"a": "Fits"}
    assert badges(run(tools, [scan(P.BRAIN), scan(P.ABDOMEN)], **LIVER)) == {"a": "Fits"}


@pytest.mark.parametrize(
    ("scan_part", "part", "may"),
    [
        (P.BRAIN, P.LIVER, False),
        (P.BRAIN, P.EYE, True),
        (P.BRAIN, P.SPINAL_CORD, True),
        (P.KNEE, P.BRAIN, False),
        (P.PROSTATE, P.BLADDER, True),
        (P.PROSTATE, P.LUNG, False),
        (P.HEART, P.LIVER, True),
        (P.BREAST, P.BRAIN, False),
        (P.BRAIN, P.VESSEL, True),
        (P.BRAIN, P.CELL, True),
        (P.WHOLE_BODY, P.LIVER, True),
    ],
)
def test_a_region_may_show_its_neighbours(scan_part, part, may):
    assert may_show(scan_part, part) is may


LABELS = scan(modality=Modality.SEG)
SEGMENTS = {"segments": True, "tasks": frozenset({"segmentation"})}


def test_a_segmentation_is_no_image_to_segment_and_tools_that_edit_one_stand_above():
    silent = make_tool("silent", tasks=("segmentation", "measurement"))
    editor = make_tool("editor", tasks=("viewing", "segmentation"))
    seg = make_tool("seg", tasks=("segmentation",), modalities=(Modality.SEG,))
    takes = make_tool("takes", tasks=("segmentation",), needs=Needs(data=("label",)))
    last = make_tool("zz", tasks=("segmentation",))
    result = run([silent, editor, seg, takes, last], [LABELS], **SEGMENTS)
    assert ids(result) == ["editor", "seg", "takes", "silent", "zz"]
    assert [i for i, text in badges(result).items() if text == "Needs an image"] == ["silent", "zz"]


def test_a_segmentation_may_be_measured_and_an_image_beside_it_segmented():
    silent = make_tool("silent", tasks=("segmentation", "measurement"))
    for scans, request in (([LABELS], {}), ([LABELS, scan()], SEGMENTS)):
        assert badges(run([silent], scans, **request))["silent"] != "Needs an image"


THICKNESS = {"tasks": frozenset({"cortical thickness"})}


def suite(**part):
    whole = make_tool("suite", name="Suite", tasks=("viewing", "cortical thickness"), **MR)
    fields = {"tasks": ("cortical thickness",), "suite": "Suite", **part}
    return whole, make_tool("part", name="stream", **{**MR, **fields})


T1_ONLY = Needs(sequences=(PulseSequence.T1,))
FLAIR = scan(P.BRAIN, PulseSequence.FLAIR)


def test_a_suite_does_not_fit_where_its_program_for_the_task_fails():
    result = run(suite(needs=T1_ONLY), [FLAIR], **THICKNESS)
    assert badges(result)["suite"] == "Its program stream states T1"


@pytest.mark.parametrize(
    ("part", "task", "one"),
    [
        ({"needs": T1_ONLY}, "viewing", FLAIR),
        ({"needs": T1_ONLY}, "cortical thickness", scan(P.BRAIN, PulseSequence.T1)),
        ({"needs": T1_ONLY, "interfaces": ("plugin",)}, "cortical thickness", FLAIR),
        ({"anatomy": (P.LIVER,)}, "cortical thickness", FLAIR),
        ({"needs": T1_ONLY, "suite": "Other"}, "cortical thickness", FLAIR),
    ],
)
def test_a_suite_fits_by_itself_where_no_such_program_fails(part, task, one):
    result = run(suite(**part), [one], tasks=frozenset({task}))
    assert badges(result)["suite"] == "Fits"


def test_one_program_that_works_is_enough_for_a_suite():
    other = make_tool("other", tasks=("cortical thickness",), suite="Suite", **MR)
    result = run((*suite(needs=T1_ONLY), other), [FLAIR], **THICKNESS)
    assert badges(result)["suite"] == "Fits"


def converts(have, goal_formats, content):
    steps = (("NIfTI", "converter", "DICOM-SEG"),)
    return steps if "DICOM-SEG" in goal_formats else None


def converted(**tool):
    fields = {"formats_in": (Format.DICOM_SEG,), "modalities": (Modality.SEG,), **tool}
    labels = scan(modality=None, format=Format.NIFTI, notes=("label-map",))
    stage = FitStage(convert=converts, requested=lambda query: Request(goal="DICOM-SEG"))
    one = Candidate(tool=make_tool("a", **fields), score=1.0)
    result = stage.run(make_state("x", one, scans=(labels,), path="fit"))
    return next(f for f in result.state.candidates[0].fit if f.fact == "format").verdict


def test_no_chain_leads_through_the_format_that_is_asked_for():
    assert converted() == "fail"
    writes = {"formats_out": (Format.DICOM_SEG,)}
    assert converted(tasks=("conversion",), **writes) == "unknown"
    assert converted(tasks=("registration",), **writes) == "fail"
    stated = make_pairs("DICOM > DICOM-SEG")
    assert converted(tasks=("conversion",), converts=stated, **writes) == "fail"


def test_what_a_header_fails_costs_as_much_as_a_token_adds():
    tools = [make_tool("fails", anatomy=(P.LIVER,), **MR), make_tool("fits", **MR)]
    candidates = [Candidate(tool=t, score=s) for t, s in zip(tools, (1.0, 0.85), strict=True)]
    last = Candidate(tool=make_tool("c"), score=0.0)
    state = make_state("x", *candidates, last, scans=(scan(P.BRAIN),), path="fit")
    result = FitStage().run(state)
    assert ids(result) == ["fits", "fails", "c"]
    assert result.state.candidates[1].score == pytest.approx(0.8)


def test_a_tool_for_a_part_that_is_not_in_the_scan_stands_below_one_for_both():
    liver = make_tool("liver", anatomy=(P.LIVER,), **MR)
    both = make_tool("both", anatomy=(P.LIVER, P.BRAIN), **MR)
    candidates = [Candidate(tool=liver, score=1.0), Candidate(tool=both, score=0.4)]
    last = Candidate(tool=make_tool("zz", **MR), score=0.0)
    stage = FitStage(requested=lambda query: Request(**LIVER))
    state = make_state("x", *candidates, last, scans=(scan(P.BRAIN),), path="fit")
    assert ids(stage.run(state)) == ["both", "liver", "zz"]


def test_that_a_part_is_not_in_the_scan_is_remarked_once():
    result = run([make_tool("a", **MR), make_tool("b", **MR)], [scan(P.BRAIN)], **LIVER)
    fits = [fit for c in result.state.candidates for fit in c.fit]
    remarks = file_remarks([scan(P.BRAIN)], {"segmentation"}, fits)
    assert remarks == ("By its header or name the scan shows the brain: liver is not in it.",)


PLAN = scan(modality=Modality.RTPLAN, dimension=None, notes=("not-an-image",))
MEAN = scan(format=Format.NIFTI)
SERIES = scan(format=Format.NIFTI, dimension=Dimension.D4)


@pytest.mark.parametrize(
    ("scans", "task", "remark"),
    [
        ([LABELS], "segmentation", SEGMENTED),
        ([LABELS], "lesion segmentation", SEGMENTED),
        ([LABELS], "measurement", None),
        ([LABELS, scan()], "segmentation", None),
        ([PLAN], "conversion", "A radiotherapy plan holds no image."),
        ([PLAN], "dose calculation", None),
        ([PLAN, scan()], "conversion", None),
        ([MEAN], "motion correction", ONE_VOLUME),
        ([SERIES], "motion correction", None),
        ([MEAN, MEAN], "motion correction", None),
        ([MEAN], "segmentation", None),
        ([], "segmentation", None),
    ],
)
def test_what_a_file_is_not_for_is_remarked(scans, task, remark):
    assert file_remarks(scans, {task}, []) == ((remark,) if remark else ())


def test_a_wish_that_is_not_stated_is_told_beside_the_part():
    wish = Fit(fact="licence", verdict="unknown", scan=None, tool=None, asked="open, wanted")
    part = Fit(fact="requested part", verdict="unknown", scan="brain", tool="request: liver")
    text = "Brain scan; liver is not in it, licence not stated"
    assert summary_of([part, wish]).text == text


@pytest.mark.parametrize(
    ("goal", "writes", "badge"),
    [
        ("DICOM", (Format.NIFTI, Format.BIDS), "Writes NIfTI, BIDS; DICOM is asked for"),
        ("DICOM", (Format.DICOM_SEG,), "Fits"),
        ("NIfTI", (Format.BIDS,), "Fits"),
        ("NRRD", (Format.NRRD,), "Fits"),
        ("NRRD", (), "Fits"),
        ("", (Format.NIFTI,), "Fits"),
    ],
)
def test_a_tool_that_writes_other_formats_than_the_one_asked_for_is_not_said_to_fit(
    goal, writes, badge
):
    tool = make_tool("a", tasks=("conversion",), formats_out=writes, **MR)
    assert badges(run([tool], [scan()], goal=goal)) == {"a": badge}


def tools_of(*kinds):
    return [make_tool(f"t{n}", modalities=(kind,)) for n, kind in enumerate(kinds)]


CT_FILE = scan(modality=Modality.CT)


def test_that_all_tools_for_what_is_asked_state_another_kind_of_image_is_told():
    told = other_kind_remark([CT_FILE], "“tractography”", tools_of(Modality.DMRI, Modality.MRI))
    assert told == (
        "Of the 2 tools of the catalog whose records state “tractography” and their kind of image "
        "or input formats, all state another (MRI, dMRI) than your file (CT)."
    )
    one = other_kind_remark([CT_FILE], "“polyps”", tools_of(Modality.ES))
    assert one.startswith("The one tool of the catalog whose record states “polyps” and its kind")


def test_a_few_programs_for_everything_do_not_silence_it_and_many_do():
    many = tools_of(*[Modality.DMRI] * 9, Modality.CT)
    assert ", 9 state another (dMRI) than" in other_kind_remark([CT_FILE], "x", many)
    half = tools_of(Modality.DMRI, Modality.CT)
    assert other_kind_remark([CT_FILE], "x", half) == ""


def test_a_record_that_is_silent_on_its_kind_speaks_by_its_formats():
    reads_any = make_tool("any", formats_in=(Format.DICOM,))
    of_reads = make_tool("reads", formats_in=(Format.FASTQ,))
    assert other_kind_remark([CT_FILE], "x", [reads_any, make_tool("silent")]) == ""
    # One that opens the file is counted among those that state their formats.
    others = [of_reads, *tools_of(Modality.ES, Modality.ES)]
    told = other_kind_remark([CT_FILE], "x", [*others, reads_any, make_tool("silent")])
    assert told.startswith("Of the 4 tools of the catalog whose records state x")
    assert "3 state another (ES) than" in told


@pytest.mark.parametrize("file", [scan(modality=None), scan(modality=Modality.SR, dimension=None)])
def test_nothing_is_told_of_a_file_whose_kind_is_not_known(file):
    assert other_kind_remark([file], "x", tools_of(Modality.ES)) == ""
    assert other_kind_remark([CT_FILE, file], "x", tools_of(Modality.ES)) == ""
    assert other_kind_remark([], "x", tools_of(Modality.ES)) == ""


@pytest.mark.parametrize(
    ("named", "text", "remark"),
    [
        ({"MRI"}, "register two brain MRI", "You name MRI; by header or name your file is CT."),
        ({"MRI", "PET"}, "PET and MRI", "You name MRI and PET; by header or name your file is CT."),
        ({"PET"}, "tumour in PET/CT", ""),
        ({"MRI", "CT"}, "register MRI to CT", ""),
        ({"MRI", "T1-weighted MRI"}, "T1 MRI", ""),
        (set(), "register", ""),
    ],
)
def test_a_text_that_names_another_kind_of_image_than_the_file_is_remarked(named, text, remark):
    assert named_kind_remark([CT_FILE], named, text) == remark


def test_files_of_two_kinds_and_labels_are_no_other_kind_than_the_text_names():
    mri = scan()
    assert named_kind_remark([CT_FILE, mri], {"US"}, "ultrasound") == ""
    labels = scan(modality=Modality.SEG)
    assert named_kind_remark([labels], {"MRI"}, "brain MRI") == ""


@pytest.mark.parametrize(
    ("named", "text"),
    [
        ({"MRI"}, "register this to the MRI"),
        ({"PET"}, "fuse the PET with my scan"),
        ({"MRI"}, "co-register with an MRI"),
        ({"PET"}, "CT/PET attenuation correction"),
        ({"MRI"}, "synthesise an MRI from my scan"),
        ({"PET"}, "PET-CT viewer"),
    ],
)
def test_a_kind_that_is_the_partner_of_the_file_is_no_other_kind(named, text):
    assert named_kind_remark([CT_FILE], named, text) == ""


def test_two_partners_of_which_the_file_is_neither_are_told():
    text = "register this PET to the MRI"
    told = named_kind_remark([CT_FILE], {"MRI", "PET"}, text)
    assert told == "You name MRI and PET; by header or name your file is CT."


def test_the_spelling_of_a_scanner_counts_as_its_kind():
    assert named_kind_remark([scan()], {"PET"}, "PET/MR reconstruction") == ""
