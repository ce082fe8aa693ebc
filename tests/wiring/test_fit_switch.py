"""Fit is a stage and a switch of its own: what it does to the order can be seen and undone."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality, PulseSequence
from retrieval.core.types import ScanInfo
from tests.fakes import ids, small_engine

MR = ScanInfo(
    format=Format.NIFTI, modality=Modality.MRI, dimension=Dimension.D3, sequence=PulseSequence.T1
)
TEXT = "segment lungs on chest CT volumes"


@pytest.fixture(scope="module")
def engine():
    return small_engine()


def stages(answer):
    return {stage.name: stage for stage in answer.result.stages()}


def test_a_tool_for_ct_sinks_below_with_an_mr_scan_and_is_still_there(engine):
    with_fit = engine.run(TEXT, scans=(MR,))
    without = engine.run(TEXT, scans=(MR,), off=frozenset({"fit"}))
    assert ids(without.candidates)[0] == "lungmask"
    assert ids(with_fit.candidates)[0] != "lungmask"
    assert sorted(ids(with_fit.candidates)) == sorted(ids(without.candidates))
    sunk = next(c for c in with_fit.candidates if c.tool.id == "lungmask")
    assert [(f.fact, f.verdict, f.scan) for f in sunk.fit][1] == ("modality", "fail", "MRI")
    [why] = [w for w in sunk.why if w.kind == "fit"]
    assert "modality" in why.text
    assert why.value < 0


def test_what_fit_takes_away_is_the_difference_between_two_stages(engine):
    told = stages(engine.run(TEXT, scans=(MR,)))
    before = {c.tool.id: c.score for c in told["tokens"].state.candidates}
    after = {c.tool.id: c for c in told["fit"].state.candidates}
    for tool, candidate in after.items():
        cost = sum(w.value for w in candidate.why if w.kind == "fit")
        assert candidate.score == pytest.approx(before[tool] + cost, abs=2e-6)


def test_switched_off_it_says_so_and_marks_nobody(engine):
    answer = engine.run(TEXT, scans=(MR,), off=frozenset({"fit"}))
    fit = stages(answer)["fit"]
    assert (fit.status, fit.note) == ("skipped", "switched off for this search")
    assert all(c.fit is None for c in answer.candidates)


@pytest.mark.parametrize("off", [frozenset(), frozenset({"fit"})])
@pytest.mark.requirement("S1-06")
def test_without_reranking_fit_stays(engine, off):
    answer = engine.run(f"{TEXT} [NO_RERANK]", scans=(MR,), off=off)
    assert ids(answer.candidates) == ids(engine.run(TEXT, scans=(MR,), off=off).candidates)
    assert stages(answer)["rerank"].status == "skipped"


def test_the_demotion_is_the_same_in_every_run(engine):
    first, second = (engine.run(TEXT, scans=(MR,)) for _ in range(2))
    assert [(c.tool.id, c.score, c.fit) for c in first.candidates] == [
        (c.tool.id, c.score, c.fit) for c in second.candidates
    ]
