"""Every claim that a scan fits after a conversion, over all real scans and all tools."""

from __future__ import annotations

from itertools import pairwise

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.fit.check import fit_of_kinds
from retrieval.fit.formats import content_of
from retrieval.fit.series import kinds_of
from retrieval.planning.bridge import FormatBridge
from retrieval.scans.front import read_each
from retrieval.settings import ROOT
from tests.scans.makers import SHARED

TOOLS = {t.id: t for t in load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools}
AFTER = ", after "


@pytest.fixture(scope="module")
def scans():
    if not (SHARED / "truth.csv").is_file():
        pytest.skip("the folder of real scans (../shared/scans) is not here")
    notes = {".csv", ".md", ".py"}
    paths = sorted(p for p in SHARED.rglob("*") if p.is_file() and p.suffix not in notes)
    return [upload.scans for upload in read_each(paths) if upload.scans]


@pytest.fixture(scope="module")
def claims(scans):
    """Pairs of an upload's scans and the steps that lead from one to what a tool reads."""
    bridge = FormatBridge(TOOLS.values())
    found = []
    for upload in scans:
        for tool in TOOLS.values():
            fit = fit_of_kinds(tool, kinds_of(upload), bridge.chain)[0]
            if AFTER in (fit.tool or ""):
                assert (fit.fact, fit.verdict) == ("format", "after conversion")
                found.append((upload, tuple(fit.tool.split(AFTER)[1].split(", then "))))
    return found


def test_there_are_claims_to_check(scans, claims):
    assert len(scans) >= 50
    assert len(claims) >= 1_000


def test_every_step_of_every_claim_is_a_pair_that_its_record_states(claims):
    for upload, steps in claims:
        kinds = {content_of(scan).what for scan in upload}
        for step in steps:
            tool, _, ends = step.partition(": ")
            before, _, after = ends.partition(" to ")
            stated = {(c.before, c.after, c.what) for c in TOOLS[tool].converts}
            assert any((before, after, what) in stated for what in kinds), step


def test_every_chain_is_joined_and_reaches_another_format(claims):
    for _, steps in claims:
        ends = [step.partition(": ")[2].split(" to ") for step in steps]
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        assert ends[0][0] != ends[-1][1]


@pytest.mark.parametrize(
    "wrong",
    [
        "tifffile: DICOM to TIFF",
        "nibabel: DICOM to MGH",
        "nibabel: DICOM to NIfTI",
        "dcmqi: NIfTI to DICOM",
        "dcmqi: NRRD to DICOM",
        "simpleitk: DICOM to NIfTI",
    ],
)
def test_what_only_followed_from_formats_in_and_out_is_claimed_no_more(claims, wrong):
    assert wrong not in {step for _, steps in claims for step in steps}
