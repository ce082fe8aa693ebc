"""A tool's stated facts against the scan's; unknown is never a pass."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.errors import StageUnavailable
from retrieval.core.types import Needs, ScanInfo, Selection
from retrieval.fit.check import fit_of
from retrieval.fit.stage import FitStage
from retrieval.fit.summary import summary_of
from tests.fakes import ids, make_candidate, make_state, make_tool

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3, units="HU")
MR = ScanInfo(
    format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3, sequence=PulseSequence.T1
)


def verdicts(scan, **facts):
    return {f.fact: f.verdict for f in fit_of(make_tool("a", **facts), scan)}


def test_a_tool_for_ct_fails_on_modality_with_an_mr_scan():
    fits = fit_of(make_tool("a", modalities=(Modality.CT,)), MR)
    [one] = [f for f in fits if f.fact == "modality"]
    assert (one.verdict, one.scan, one.tool) == ("fail", "MRI", "modalities: CT")


def test_what_nobody_stated_is_unknown_and_never_a_pass():
    assert set(verdicts(CT).values()) == {"unknown"}
    assert all(f.tool is None for f in fit_of(make_tool("a"), CT))


def test_stated_facts_that_meet_the_scan_pass():
    facts = {
        "formats_in": (Format.DICOM,),
        "modalities": (Modality.CT,),
        "dimensions": (Dimension.D3,),
    }
    told = verdicts(CT, needs=Needs(units="HU"), **facts)
    passed = {fact for fact, verdict in told.items() if verdict == "pass"}
    assert passed == {"format", "modality", "dimension", "units"}


def test_units_other_than_the_tools_fail():
    scan = ScanInfo(format=Format.NIFTI, units="normalised")
    assert verdicts(scan, needs=Needs(units="HU"))["units"] == "fail"


def test_a_narrower_modality_passes_for_a_tool_of_the_wider_one_but_not_the_other_way():
    functional = ScanInfo(format=Format.NIFTI, modality=Modality.FMRI)
    assert verdicts(functional, modalities=(Modality.MRI,))["modality"] == "pass"
    assert verdicts(MR, modalities=(Modality.FMRI,))["modality"] == "fail"


def test_every_fact_gets_a_verdict_and_one_that_either_side_lacks_is_unknown():
    scan = ScanInfo(format=Format.NIFTI)
    told = verdicts(scan, modalities=(Modality.CT,), formats_in=(Format.NIFTI,))
    assert list(told) == [
        *("format", "modality", "dimension", "data", "channels", "units", "spacing", "slices"),
        *("orientation", "body part", "sequence"),
    ]
    assert {fact for fact, verdict in told.items() if verdict != "unknown"} == {"format"}


def test_a_sequence_is_held_against_the_tools_own():
    assert verdicts(MR, needs=Needs(sequences=(PulseSequence.T2,)))["sequence"] == "fail"
    assert verdicts(MR, needs=Needs(sequences=(PulseSequence.T1,)))["sequence"] == "pass"


def run(*tools, scans=(CT,), **fields):
    had = [make_candidate(t.id, 0.5) for t in tools]
    had = [type(c)(tool=t, score=c.score) for c, t in zip(had, tools, strict=True)]
    return FitStage().run(make_state("x", *had, scans=scans, path="fit", **fields))


def test_a_tool_that_cannot_work_sinks_below_one_that_nobody_knows_and_says_why():
    bad = make_tool("a", modalities=(Modality.MRI,))
    result = run(bad, make_tool("b"))
    assert ids(result) == ["b", "a"]
    sunk = result.state.candidates[1]
    assert [w.text for w in sunk.why] == ["does not fit: modality"]
    assert sunk.score == pytest.approx(-0.5)
    assert result.note == "1 marked down"


def test_no_candidate_is_lost_and_each_is_marked():
    result = run(make_tool("a", modalities=(Modality.MRI,)), make_tool("b"), make_tool("c"))
    assert sorted(ids(result)) == ["a", "b", "c"]
    assert all(c.fit for c in result.state.candidates)


def test_of_several_scans_the_one_that_suits_a_tool_best_counts():
    result = run(make_tool("a", modalities=(Modality.MRI,)), scans=(CT, MR))
    told = {f.fact: (f.verdict, f.scan) for f in result.state.candidates[0].fit}
    assert told["modality"] == ("pass", "MRI")


def test_a_report_beside_a_scan_asks_nothing_of_a_tool():
    report = ScanInfo(format=Format.DICOM, modality=Modality.SR)
    result = run(make_tool("a", modalities=(Modality.CT,)), scans=(report, MR))
    told = {f.fact: f.verdict for f in result.state.candidates[0].fit}
    assert told["modality"] == "fail"


def test_without_a_scan_or_when_switched_off_it_says_so():
    with pytest.raises(StageUnavailable, match="no scan"):
        run(make_tool("a"), scans=())
    with pytest.raises(StageUnavailable, match="switched off"):
        run(make_tool("a"), off=frozenset({"fit"}))


def test_a_conversion_over_a_tool_that_the_query_leaves_out_is_no_way_in():
    steps = (("DICOM", "dcm2niix", "NIfTI"),)
    stage = FitStage(lambda have, wanted, content: steps if "NIfTI" in wanted else None)
    tool = make_candidate("a", 0.5, formats_in=(Format.NIFTI,))
    fields = {"scans": (CT,), "path": "fit"}
    free = stage.run(make_state("x", tool, **fields)).state.candidates[0].fit[0]
    assert (free.verdict, free.tool) == (
        "after conversion",
        "formats_in: NIfTI, after dcm2niix: DICOM to NIfTI",
    )
    without = Selection(drop=frozenset(["dcm2niix"]))
    kept = stage.run(make_state("x", tool, selection=without, **fields))
    assert kept.state.candidates[0].fit[0].verdict == "fail"


def test_a_conversion_costs_a_little_and_says_so():
    steps = (("DICOM", "dcm2niix", "NIfTI"),)
    stage = FitStage(lambda have, wanted, content: () if have in wanted else steps)
    direct = make_candidate("b", 0.5, formats_in=(Format.DICOM,))
    through = make_candidate("a", 0.5, formats_in=(Format.NIFTI,))
    result = stage.run(make_state("x", direct, through, scans=(CT,), path="fit"))
    assert ids(result) == ["b", "a"]
    [why] = result.state.candidates[1].why
    assert (why.text, why.value) == ("needs a conversion first", -0.02)


MOUSE_TOOL = {"description": "Lung masks of mice. For CT.", "modalities": (Modality.CT,)}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("segment lungs", "unknown"),
        ("segment lungs of a patient", "fail"),
        ("lungs of murine models", "pass"),
        ("poumons de souris", "pass"),
        ("lungs of rats", "fail"),
    ],
)
def test_a_tool_for_mice_is_told_from_one_for_patients(text, verdict):
    stage = FitStage()
    tool = make_candidate("a", 0.5, **MOUSE_TOOL)
    fits = stage.run(make_state(text, tool, scans=(CT,), path="fit")).state.candidates[0].fit
    assert [f.verdict for f in fits if f.fact == "species"] == [verdict]
    summary = summary_of(fits)
    assert (summary.verdict == "pass") == (verdict == "pass") or "not stated" in summary.text
    assert ("Made for mice" in summary.text) == (verdict != "pass")


def test_a_tool_for_mice_stands_below_its_equal():
    for_mice, other = make_candidate("a", 0.5, **MOUSE_TOOL), make_candidate("b", 0.5)
    low = make_candidate("c", 0.0)
    stage = FitStage()
    ranked = stage.run(make_state("lungs", for_mice, other, low, scans=(CT,), path="fit"))
    assert [c.tool.id for c in ranked.state.candidates[:2]] == ["b", "a"]
