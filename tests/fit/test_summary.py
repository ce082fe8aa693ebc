"""A tool has one verdict: the worst that is true of it, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.types import Fit, Needs, ScanInfo
from retrieval.fit import summary_of
from retrieval.fit.check import fit_of
from retrieval.fit.kinds import modality_fit
from tests.fakes import make_tool

WAY = "formats_in: NIfTI, after dcm2niix: DICOM to NIfTI"


def fit(verdict, fact="modality", tool="modalities: MRI", asked=None):
    return Fit(fact=fact, verdict=verdict, scan="CT", tool=tool, asked=asked)


READS = fit("pass", "format", "formats_in: DICOM")
CONVERTS = fit("after conversion", "format", WAY)
NO_LICENCE = fit("unknown", "purpose", None, "commercial, wanted")
SILENT = fit("unknown", "gpu", None, "GPU, unwanted")
OLD = fit("unknown", "since", "last_commit: 2019-01-01", "maintained, wanted")
NO_DATE = fit("unknown", "since", None, "2024, wanted")
MORE = "also needs a label map and a table"
SILENT_ON_KIND = "Modality not stated; what is stated fits"
NEEDS_MORE = fit("unknown", "data", f"requirements.data: image, label, table; {MORE}")
TURNED = fit("after conversion", "orientation", "requirements.orientation: RAS, after reorienting")
RECORDED = fit("fail", "data", "requirements.data: signal")
ACROSS = fit("fail", "orientation", "requirements.orientation: sagittal")
GPU = fit("fail", "gpu", "gpu: required", "GPU, unwanted")
IN_PYTHON = fit("pass", "language", "languages: Python", "Python, wanted")

ELSEWHERE = fit("unknown", "task", "polyp not stated", "what you ask for")
ON_TABLET = fit("pass", "system", "platforms: browser", "iOS, wanted")
ON_WINDOWS = fit("pass", "system", "platforms: browser, Windows", "Windows, wanted")


@pytest.mark.parametrize(
    ("fits", "verdict", "text"),
    [
        ((READS,), "pass", "Fits"),
        ((CONVERTS,), "after conversion", "Fits after dcm2niix"),
        ((READS, fit("fail")), "fail", "States MRI only"),
        ((CONVERTS, fit("fail", "species", "description: mice")), "fail", "Made for mice"),
        ((READS, GPU), "fail", "Needs a GPU"),
        ((IN_PYTHON,), "pass", "As wished"),
        ((READS, IN_PYTHON), "pass", "Fits"),
        ((IN_PYTHON, ELSEWHERE), "unknown", "Polyp not stated; else as wished"),
        ((READS, IN_PYTHON, ELSEWHERE), "unknown", "Polyp not stated; else fits"),
        ((NO_LICENCE, ELSEWHERE), "unknown", "Licence not stated"),
        ((ON_TABLET,), "pass", "Runs in the browser"),
        ((READS, ON_TABLET), "pass", "Fits; runs in the browser"),
        ((ON_WINDOWS,), "pass", "As wished"),
        ((READS, NO_LICENCE), "unknown", "Licence not stated"),
        ((CONVERTS, NO_LICENCE), "unknown", "Licence not stated"),
        ((NO_LICENCE, SILENT), "unknown", "Licence not stated, GPU use not stated"),
        ((NO_LICENCE, GPU), "fail", "Needs a GPU"),
        ((READS, OLD), "unknown", "No recent release or commit stated"),
        ((READS, NO_DATE), "unknown", "Last release not stated"),
        ((READS, fit("unknown", tool=None)), "unknown", SILENT_ON_KIND),
        (
            (READS, replace(fit("unknown"), scan=None)),
            "unknown",
            "Modality of the scan not stated; what is stated fits",
        ),
        (
            (READS, fit("unknown", tool=None), replace(fit("unknown", "dimension"), scan=None)),
            "unknown",
            "Modality not stated, dimension of the scan not stated; what is stated fits",
        ),
        ((fit("unknown", "format", None),), "unknown", "Fit not stated"),
        (
            (READS, replace(fit("unknown"), scan="label map")),
            "unknown",
            "States MRI, scan is label map; what else is stated fits",
        ),
        (
            (CONVERTS, replace(fit("unknown"), scan="label map")),
            "unknown",
            "States MRI, scan is label map; what else is stated fits after dcm2niix",
        ),
        (
            (CONVERTS, replace(fit("unknown"), scan=None)),
            "unknown",
            "Modality of the scan not stated; what is stated fits after dcm2niix",
        ),
        ((READS, NEEDS_MORE), "unknown", "Fits, also needs a label map and a table"),
        ((CONVERTS, NEEDS_MORE), "after conversion", f"Fits after dcm2niix, {MORE}"),
        ((READS, fit("unknown", tool=None), NEEDS_MORE), "unknown", f"{SILENT_ON_KIND}, {MORE}"),
        ((CONVERTS, TURNED), "after conversion", "Fits after dcm2niix and reorienting"),
        ((READS, fit("fail", "data", "requirements.data: label")), "fail", "Needs a label map"),
        ((READS, ACROSS), "fail", "Needs sagittal slices"),
        ((READS, RECORDED), "fail", "Needs a recorded signal"),
    ],
)
def test_the_worst_is_told(fits, verdict, text):
    summary = summary_of(fits)
    assert (summary.verdict, summary.text) == (verdict, text)


def test_nothing_is_told_where_nothing_was_compared():
    assert summary_of(None) is None
    assert summary_of(()) is None


def test_both_tools_of_a_chain_are_named():
    way = "formats_in: MGH, after a: DICOM to NIfTI, then b: NIfTI to MGH"
    summary = summary_of((fit("after conversion", "format", way),))
    assert summary.text == "Fits after a and b"


def test_several_facts_that_differ_are_clauses_of_their_own():
    kind, form = fit("unknown"), fit("unknown", "format", "formats_in: BIDS")
    text = summary_of((READS, form, kind)).text
    assert text == "States BIDS, scan is CT; states MRI, scan is CT; what else is stated fits"


def test_three_facts_that_are_not_stated_are_listed():
    silent = [fit("unknown", fact, None) for fact in ("format", "modality", "dimension")]
    shown = summary_of((fit("pass", "channels"), *silent)).text
    assert shown == "Format, modality and dimension not stated; what is stated fits"


def test_a_badge_names_the_sequence_that_a_tool_requires_and_the_scan_does_not_state():
    scan = ScanInfo(format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3)
    facts = {
        "formats_in": (Format.NIFTI,),
        "modalities": (Modality.MRI,),
        "dimensions": (Dimension.D3,),
    }
    needs = Needs(sequences=(PulseSequence.T1,))
    required = summary_of(fit_of(make_tool("a", needs=needs, **facts), scan))
    assert (required.verdict, required.text) == (
        "unknown",
        "Sequence of the scan not stated; what is stated fits",
    )
    assert summary_of(fit_of(make_tool("a", **facts), scan)).text == "Fits"
    pet = replace(scan, modality=Modality.PET)
    both = {**facts, "modalities": (Modality.PET, Modality.MRI)}
    assert summary_of(fit_of(make_tool("a", needs=needs, **both), pet)).text == "Fits"
    t1 = replace(scan, sequence=PulseSequence.T1)
    assert summary_of(fit_of(make_tool("a", needs=needs, **facts), t1)).text == "Fits"


def test_a_badge_says_once_that_a_file_is_one_slice():
    lone = "one slice of a 3D series"
    facts = (
        Fit(fact="format", verdict="pass", scan="DICOM", tool="formats_in: DICOM"),
        Fit(fact="dimension", verdict="unknown", scan=lone, tool="dimensions: 3D"),
        Fit(
            fact="volumes",
            verdict="unknown",
            scan=lone,
            tool="tasks: tracking; needs images in time",
        ),
    )
    assert summary_of(facts).text == f"States 3D, scan is {lone}; what else is stated fits"
    planar = replace(facts[1], verdict="pass", tool="dimensions: 2D, 3D")
    assert summary_of((facts[0], planar, facts[2])).text == (
        f"Needs images in time, scan is {lone}; what else is stated fits"
    )


def test_a_kind_of_image_that_was_said_is_no_scan_that_fits():
    """Only the modality is compared with an answer of the visitor; of a scan every fact is."""

    def badge(*kinds):
        tool = make_tool("a", modalities=kinds)
        return summary_of(
            (modality_fit(tool, ScanInfo(format=Format.DICOM, modality=Modality.MRI)),)
        )

    assert (badge(Modality.CT, Modality.MRI).verdict, badge(Modality.MRI).text) == (
        "pass",
        "States MRI",
    )
    assert badge(Modality.FMRI).text == "States fMRI, you said MRI"
    assert badge().text == "Modality not stated"
