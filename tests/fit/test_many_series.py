"""Thousands of series in one search: the work grows with their kinds, the verdicts stay."""

from __future__ import annotations

import random

import pytest

from retrieval.core.codes import BodyPart, Dimension, Format, Modality, PulseSequence
from retrieval.core.types import PARTLY_READ, Candidate, Needs, ScanInfo
from retrieval.fit.check import best, fit_of, fit_of_kinds
from retrieval.fit.formats import data_of
from retrieval.fit.series import MOST_KINDS, UploadCounts, kinds_of
from retrieval.fit.stage import KINDS_LEFT_OUT, UNCHECKED, FitStage
from tests.fakes import CountdownDeadline, ids, make_candidate, make_state, make_tool

CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3, units="HU")
NOTES = ("label-map", "vector", "rgb", "not-hu", "single-slice", PARTLY_READ, "anisotropic")
MODALITIES = (
    *(None, Modality.CT, Modality.MRI, Modality.SEG, Modality.RTSTRUCT, Modality.ECG),
    *(Modality.RTDOSE, Modality.OT),
)


class CountingBridge:
    """A bridge that leads nowhere and counts how often it is asked for a way."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, have, wanted, content):
        self.calls += 1


def some_scan(draw: random.Random) -> ScanInfo:
    """A scan of few possible facts, so that many are alike."""
    return ScanInfo(
        format=draw.choice((Format.DICOM, Format.NIFTI, Format.TIFF)),
        modality=draw.choice(MODALITIES),
        dimension=draw.choice((None, Dimension.D2, Dimension.D3, Dimension.D4)),
        body_part=draw.choice((None, BodyPart.LUNG, BodyPart.BRAIN)),
        sequence=draw.choice((None, PulseSequence.T1, PulseSequence.DWI)),
        shape=draw.choice(((), (64, 64), (64, 64, 1), (64, 64, 30), (32, 32, 30))),
        spacing=draw.choice((None, (1.0, 1.0), (1.0, 1.0, 3.0), (3.0, 1.0, 1.0))),
        files=draw.randint(1, 3),
        channels=draw.choice((None, 1, 3)),
        units=draw.choice((None, "HU", "arbitrary")),
        axes=draw.choice(((), tuple("LPS"), tuple("RAS"), tuple("PIR"))),
        notes=tuple(draw.sample(NOTES, draw.randint(0, 2))),
    )


def some_tool(draw: random.Random, number: int):
    return make_tool(
        f"tool{number:02}",
        formats_in=tuple(draw.sample((Format.DICOM, Format.NIFTI, Format.PNG), draw.randint(0, 2))),
        modalities=tuple(
            draw.sample(
                (Modality.CT, Modality.MRI, Modality.DMRI, Modality.SEG), draw.randint(0, 2)
            )
        ),
        dimensions=tuple(draw.sample((Dimension.D3, Dimension.D4), draw.randint(0, 2))),
        anatomy=tuple(draw.sample((BodyPart.LUNG, BodyPart.HEAD), draw.randint(0, 2))),
        tasks=tuple(draw.sample(("viewing", "segmentation"), draw.randint(0, 2))),
        needs=Needs(
            units=draw.choice((None, "HU")),
            channels=draw.choice((None, 1, 2, 3)),
            min_slices=draw.choice((None, 10)),
            max_spacing_mm=draw.choice((None, 2.0)),
            sequences=draw.choice(((), (PulseSequence.T1,))),
            data=tuple(draw.sample(("image", "label", "contour", "table"), draw.randint(0, 2))),
            orientation=draw.choice((None, "RAS", "RPI", "axial", "sagittal")),
        ),
    )


def verdicts_one_by_one(tool, scans):
    """Every series held against a tool by itself: the plain reference."""
    images = [scan for scan in scans if scan.dimension or data_of(scan)] or scans
    outputs = {"label": Modality.SEG, "contour": Modality.RTSTRUCT}
    suited = [
        scan
        for scan in images
        if (scan.dimension and data_of(scan) not in outputs)
        or data_of(scan) in tool.needs.data
        or outputs.get(data_of(scan)) in tool.modalities
    ]
    suited = suited or [scan for scan in images if scan.dimension] or images
    return best([fit_of(tool, scan, counts=UploadCounts.of(images)) for scan in suited])


@pytest.mark.parametrize("seed", range(12))
def test_grouped_series_get_the_verdicts_that_each_series_by_itself_gives(seed):
    draw = random.Random(seed)
    scans = tuple(some_scan(draw) for _ in range(draw.choice((1, 5, 60))))
    tools = [some_tool(draw, number) for number in range(25)]
    for tool in tools:
        assert fit_of_kinds(tool, kinds_of(scans)) == verdicts_one_by_one(tool, scans)
    candidates = [Candidate(tool=t, score=0.5) for t in tools]
    marked = FitStage().run(make_state("x", *candidates, scans=scans, path="fit"))
    plain = {t.id: verdicts_one_by_one(t, scans) for t in tools}
    assert {c.tool.id: c.fit for c in marked.state.candidates} == plain


def ranked_ids(scans, tools):
    candidates = [Candidate(tool=t, score=0.5) for t in tools]
    return ids(FitStage().run(make_state("x", *candidates, scans=scans, path="fit")))


def test_the_same_series_a_thousand_times_keeps_the_order_that_one_of_each_gives():
    draw = random.Random(3)
    tools = [some_tool(draw, number) for number in range(25)]
    flat = [
        ScanInfo(format=Format.TIFF, modality=Modality.MRI, dimension=Dimension.D2),
        ScanInfo(format=Format.NIFTI, modality=Modality.CT, dimension=Dimension.D4),
    ]
    assert ranked_ids(tuple(flat * 1000), tools) == ranked_ids(tuple(flat), tools)


def test_the_work_grows_with_the_kinds_of_series_and_not_with_their_number():
    tool = make_tool("a", formats_in=(Format.NIFTI,))
    few, many = CountingBridge(), CountingBridge()
    fit_of_kinds(tool, kinds_of((CT,)), few)
    fit_of_kinds(tool, kinds_of((CT,) * 2_000), many)
    assert few.calls == many.calls == 1


def different(number: int) -> tuple[ScanInfo, ...]:
    """Volumes that all differ in how many slices they have."""
    return tuple(
        ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3, shape=(9, 9, n))
        for n in range(1, number + 1)
    )


def test_kinds_over_the_limit_are_not_compared_and_the_stage_says_how_many():
    bridge = CountingBridge()
    tool = make_tool("a", formats_in=(Format.NIFTI,))
    candidate = Candidate(tool=tool, score=1.0)
    state = make_state("x", candidate, scans=different(2_000), path="fit")
    result = FitStage(bridge).run(state)
    assert bridge.calls == MOST_KINDS
    assert result.status == "fallback"
    assert result.metrics[KINDS_LEFT_OUT] == 2_000 - MOST_KINDS
    assert result.note.startswith(
        f"compared {MOST_KINDS:,} of 2,000 kinds of series, the limit of one search"
    )


def test_as_many_kinds_as_the_limit_are_all_compared_and_nothing_is_said():
    state = make_state("x", make_candidate("a"), scans=different(MOST_KINDS), path="fit")
    result = FitStage().run(state)
    assert (result.status, result.note) == ("ok", "0 marked down")
    assert result.metrics[KINDS_LEFT_OUT] == 0


def test_over_the_limit_the_kinds_with_the_most_series_stay_in_the_order_of_the_upload():
    scans = (*different(MOST_KINDS + 50), *different(MOST_KINDS + 50)[-60:])
    kinds = kinds_of(scans)
    slices = [scan.shape[2] for scan in kinds.scans]
    assert len(slices) == MOST_KINDS
    assert kinds.left_out == 50
    assert slices == sorted(slices)
    assert slices[-60:] == list(range(MOST_KINDS - 9, MOST_KINDS + 51))


def test_once_the_time_is_over_the_verdicts_so_far_stay_and_the_rest_is_named_unchecked():
    tools = [make_tool(f"t{n}", modalities=(Modality.MRI,)) for n in range(5)]
    candidates = [Candidate(tool=t, score=1.0) for t in tools]
    state = make_state("x", *candidates, scans=(CT,), path="fit", deadline=CountdownDeadline(2))
    result = FitStage().run(state)
    assert [c.tool.id for c in result.state.candidates if c.fit] == ["t0", "t1"]
    assert len(result.state.candidates) == 5
    assert result.status == "fallback"
    assert result.metrics[UNCHECKED] == 3
    assert (
        "the time for this query was used up: 3 of 5 tools were not checked against" in result.note
    )


def test_verdicts_left_out_for_want_of_time_are_made_by_the_next_search_of_the_same_scan():
    stage = FitStage()
    candidates = [make_candidate(f"t{n}") for n in range(5)]
    late = make_state("x", *candidates, scans=(CT,), deadline=CountdownDeadline(2))
    assert stage.run(late).metrics[UNCHECKED] == 3
    after = stage.run(make_state("x", *candidates, scans=(CT,)))
    assert after.metrics[UNCHECKED] == 0
    assert all(c.fit for c in after.state.candidates)
