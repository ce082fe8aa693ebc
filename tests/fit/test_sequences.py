"""Tools that take several MR sequences together, against uploads with one of them or all."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.types import Needs, ScanInfo
from retrieval.fit.check import fit_of_kinds
from retrieval.fit.series import kinds_of
from retrieval.fit.summary import summary_of
from tests.fakes import make_tool

S = PulseSequence
FOUR = (S.T1, S.T2, S.FLAIR, S.CONTRAST)


def scan(sequence, modality=Modality.MRI):
    return ScanInfo(
        format=Format.NIFTI, modality=modality, dimension=Dimension.D3, sequence=sequence
    )


def of(sequences, scans, fact="sequence", **fields):
    needs = Needs(sequences=sequences, channels=fields.pop("channels", None))
    fields = {"modalities": (Modality.MRI,), "dimensions": (Dimension.D3,), **fields}
    tool = make_tool("a", needs=needs, formats_in=(Format.NIFTI,), **fields)
    fits = fit_of_kinds(tool, kinds_of(scans))
    return next(f for f in fits if f.fact == fact), summary_of(fits)


def test_one_of_four_sequences_is_no_pass_and_the_badge_names_the_others():
    fit, badge = of(FOUR, [scan(S.T2)])
    assert fit.verdict == "unknown"
    assert fit.tool.endswith("; also needs T1, FLAIR and contrast")
    assert (badge.verdict, badge.text) == ("unknown", "Fits, also needs T1, FLAIR and contrast")


def test_all_sequences_in_one_upload_pass():
    fit, badge = of(FOUR, [scan(one) for one in (S.T1, S.T2, S.FLAIR, S.CONTRAST)])
    assert (fit.verdict, badge.text) == ("pass", "Fits")


def test_the_phase_of_a_contrast_agent_is_the_sequence_with_contrast():
    fit, _ = of((S.T1, S.CONTRAST), [scan(S.T1), scan(S.CONTRAST_VENOUS)])
    assert fit.verdict == "pass"


@pytest.mark.parametrize(
    "description",
    ["Takes a T1, T2 or PD volume.", "Tissues from T1w and/or T2w images.", "T1-weighted or a T2."],
)
def test_a_description_with_or_takes_any_one_of_them(description):
    fit, badge = of((S.T1, S.T2), [scan(S.T2)], description=description)
    assert (fit.verdict, badge.text) == ("pass", "Fits")


@pytest.mark.parametrize(
    "fields",
    [{"channels": 1}, {"tasks": ("quality control", "reporting")}],
)
def test_a_tool_for_one_image_at_a_time_takes_any_one_of_them(fields):
    assert of((S.T1, S.T2), [scan(S.T1)], **fields)[0].verdict == "pass"


def test_phases_are_alternatives():
    phases = (S.CONTRAST_ARTERIAL, S.CONTRAST_VENOUS)
    scans = [scan(S.CONTRAST_ARTERIAL, Modality.CT)]
    assert of(phases, scans, modalities=(Modality.CT,))[0].verdict == "pass"


def test_another_sequence_fails_as_before():
    assert of(FOUR, [scan(S.PD)])[1].text == "States T1, T2, FLAIR, ... only"


def test_channels_that_are_sequences_are_called_so():
    _, badge = of(FOUR, [scan(S.T2)], channels=4)
    assert badge.text == "Needs channels: 4, one per sequence"
    assert of((), [scan(S.T2)], channels=4)[1].text == "Needs channels: 4"
