"""Verdicts that people gave from headers and sources, against those of the code."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core import codes
from retrieval.core.types import ScanInfo
from retrieval.fit.check import fit_of_kinds
from retrieval.fit.series import kinds_of
from retrieval.planning.bridge import FormatBridge
from retrieval.settings import ROOT

DATA = ROOT / "tests" / "data"
CATALOG = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl")
CODES = {
    "format": codes.Format,
    "modality": codes.Modality,
    "dimension": codes.Dimension,
    "body_part": codes.BodyPart,
    "sequence": codes.PulseSequence,
}


def _rows(name):
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def _scan(fields):
    known = {key: CODES[key](value) if key in CODES else value for key, value in fields.items()}
    listed = {key: tuple(v) if isinstance(v, list) else v for key, v in known.items()}
    return ScanInfo(**listed)


ROWS = _rows("fit_verdicts.jsonl")
SCANS = {r["name"]: tuple(map(_scan, r["scans"])) for r in _rows("fit_verdicts.scans.jsonl")}
TOOLS = {tool.id: tool for tool in CATALOG.tools}


@cache
def _given(tool, scan):
    fits = fit_of_kinds(TOOLS[tool], kinds_of(SCANS[scan]), _bridge().chain)
    return {fit.fact: fit for fit in fits}


@cache
def _bridge():
    return FormatBridge(CATALOG.tools)


def _differing():
    told = ((row, _given(row["tool"], row["scan"])[row["fact"]]) for row in ROWS)
    return [(row, fit) for row, fit in told if fit.verdict != row["expected"]]


def test_at_least_300_verdicts_are_judged_over_many_tools_and_kinds_of_scan():
    keys = [(row["scan"], row["tool"], row["fact"]) for row in ROWS]
    assert len(set(keys)) == len(keys) >= 300
    assert len({row["tool"] for row in ROWS}) >= 50
    assert {row["scan"] for row in ROWS} == set(SCANS)
    scans = next(iter(SCANS.values()))
    facts = {fit.fact for fit in fit_of_kinds(CATALOG.tools[0], kinds_of(scans))}
    assert {row["fact"] for row in ROWS} == facts
    assert all(row["reason"] and row["source"].startswith("http") for row in ROWS)


def test_no_verdict_is_a_false_pass():
    false = [(r["scan"], r["tool"], fit) for r, fit in _differing() if fit.verdict == "pass"]
    assert false == []


def test_at_least_98_of_100_verdicts_agree():
    differing = [(r["scan"], r["tool"], r["expected"], fit) for r, fit in _differing()]
    assert len(differing) <= 0.02 * len(ROWS), differing


def test_at_most_30_of_100_verdicts_are_unknown():
    counts = Counter(_given(row["tool"], row["scan"])[row["fact"]].verdict for row in ROWS)
    assert counts["unknown"] <= 0.30 * len(ROWS), counts
    assert min(counts[verdict] for verdict in ("pass", "unknown", "fail")) > 20


@pytest.mark.parametrize("scan", sorted(SCANS))
def test_every_verdict_that_is_known_names_what_the_header_and_the_catalog_say(scan):
    for tool in TOOLS.values():
        for fit in fit_of_kinds(tool, kinds_of(SCANS[scan])):
            known = fit.verdict != "unknown"
            assert not known or (fit.scan and fit.tool), (tool.id, fit)
            assert fit.tool is None or fit.tool.split(":")[0] in FIELDS, fit


FIELDS = {
    "formats_in",
    "modalities",
    "dimensions",
    "anatomy",
    *(f"requirements.{name}" for name in ("channels", "units", "spacing", "min_slices")),
    *(f"requirements.{name}" for name in ("sequences", "data", "orientation")),
}


def test_feature_1_a_ct_in_hu_tool_fails_modality_on_mr_and_units_on_a_scaled_ct():
    on_mr, scaled = _given("lungmask", "t1_brain"), _given("lungmask", "ct_rescaled")
    told = on_mr["modality"]
    assert (told.verdict, told.scan, told.tool) == ("fail", "MRI", "modalities: CT")
    units = scaled["units"]
    assert (units.verdict, units.scan, units.tool) == (
        "fail",
        "normalised",
        "requirements.units: HU",
    )


def test_feature_1_a_field_that_the_catalog_does_not_fill_is_unknown_for_every_scan():
    for tool in TOOLS.values():
        for scan in SCANS:
            given = _given(tool.id, scan)
            assert tool.modalities or given["modality"].verdict == "unknown"
            assert tool.dimensions or given["dimension"].verdict == "unknown"
            assert tool.formats_in or given["format"].verdict == "unknown"
            assert tool.anatomy or given["body part"].verdict == "unknown"
            assert tool.needs.units or given["units"].verdict == "unknown"


def test_feature_3_a_dicom_series_reaches_a_reader_of_nifti_through_one_converter():
    fit = _given("synthseg", "mri_unnamed")["format"]
    assert fit.verdict == "after conversion"
    assert fit.scan == "DICOM"
    tool, _, pair = fit.tool.removeprefix("formats_in: NIfTI, after ").partition(": ")
    assert tool in TOOLS
    assert pair == "DICOM to NIfTI"
