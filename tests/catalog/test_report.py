"""The report on a catalog: fill rates, gaps, duplicates, weak and stale records."""

from __future__ import annotations

import json
from datetime import date

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.catalog.report import report_of, report_text
from retrieval.cli import main

TODAY = date(2026, 11, 21)
LONG = " ".join(["word"] * 30)
ROWS = [
    {
        "id": "good",
        "name": "Good Tool",
        "description": LONG,
        "repo": "https://github.com/A/Good.git",
        "keywords": ["k"],
        "domain": "radiology",
        "tasks": ["segmentation"],
        "modalities": ["CT"],
        "dimensions": ["3D"],
        "formats_in": ["DICOM"],
        "license": "MIT",
        "sources": [
            {
                "url": "https://github.com/A/Good",
                "facts": ["repo", "tasks", "modalities", "dimensions", "formats_in", "license"],
            }
        ],
        "checked_on": "2026-11-01",
    },
    {"id": "twin", "name": "Twin", "description": LONG, "repo": "https://www.github.com/a/good/"},
    {"id": "goodtool2", "name": "good-tool", "description": "short", "domain": "microscopy"},
    {"id": "spm8", "name": "Mapping 8", "description": LONG, "checked_on": "2024-01-01"},
    {"id": "spm12", "name": "Mapping 12", "description": LONG, "modalities": ["RNA-seq"]},
    {"id": "bet", "name": "BET", "suite": "FSL", "description": LONG, "url": "https://fsl.example"},
    {
        "id": "fast",
        "name": "FAST",
        "suite": "FSL",
        "description": LONG,
        "url": "https://fsl.example",
    },
    {"id": "fsl", "name": "FSL", "description": LONG, "url": "https://fsl.example/"},
]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "catalog.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)) + "\n{half\n")
    return file


@pytest.fixture
def report(path):
    return report_of(load_catalog(path), TODAY)


def test_the_fill_rate_of_every_field_for_all_and_for_imaging_records(report):
    fill = {f.field: f for f in report.fill}
    assert (report.records, report.imaging) == (8, 2)
    assert (fill["name"].filled, fill["name"].share) == (8, 1.0)
    assert (fill["modalities"].filled, fill["modalities"].imaging_filled) == (2, 1)
    assert fill["formats_in"].imaging_share == 0.5
    assert "requirements" in fill
    assert fill["requirements"].filled == 0


def test_gaps_name_the_imaging_records_without_an_expected_fact(report):
    gaps = {g.field: g.ids for g in report.gaps}
    assert gaps["dimensions"] == ("goodtool2",)
    assert gaps["license"] == ("goodtool2",)


def test_duplicates_by_address_and_by_name_but_not_within_a_suite(report):
    told = {d.ids: d.reason for d in report.duplicates}
    assert told == {
        ("good", "twin"): "same repo: github.com/a/good",
        ("good", "goodtool2"): "near-equal names: Good Tool, good-tool",
    }


def test_weak_records_with_every_reason(report):
    weak = {w.id: w.reasons for w in report.weak}
    assert "good" not in weak
    assert weak["goodtool2"][0] == "the description has 1 words, fewer than 25"
    assert "no tasks" in weak["twin"]
    assert "no source for: repo" in weak["twin"]
    assert "neither url nor repo" in weak["spm8"]


def test_records_nobody_looked_at_for_a_year_are_stale(report):
    assert "good" not in report.stale
    assert {"spm8", "twin"} <= set(report.stale)
    # Never checked ones, by id, then the oldest check.
    assert report.stale == ("bet", "fast", "fsl", "goodtool2", "spm12", "twin", "spm8")


def test_the_fill_within_each_domain_the_largest_first(report):
    domains = [(d.domain, d.records) for d in report.domains]
    assert domains == [("no domain", 6), ("microscopy", 1), ("radiology", 1)]
    shares = {d.domain: d.shares for d in report.domains}
    assert (shares["radiology"]["license"], shares["microscopy"]["license"]) == (1.0, 0.0)
    assert shares["no domain"]["url"] == 0.5


def test_the_text_for_a_reader_holds_every_part(report):
    text = report_text(report)
    for part in ("8 records, 2 of them imaging", "formats_in", "same repo", "line 9: not a JSON"):
        assert part in text


def test_the_command_prints_json_or_text(path, capsys):
    assert main(["catalog", "report", "--catalog", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["records"] == 8
    assert told["refused"] == [{"line": 9, "reason": "not a JSON object", "id": "", "record": 0}]
    assert main(["catalog", "report", "--catalog", str(path)]) == 0
    assert capsys.readouterr().out.startswith("8 records")


def test_a_catalog_that_is_not_there_is_a_usage_error(tmp_path, capsys):
    assert main(["catalog", "report", "--catalog", str(tmp_path / "none")]) == 2
    assert "could not be read" in capsys.readouterr().err


def test_an_empty_catalog_has_a_report_too(tmp_path):
    (tmp_path / "empty").write_text("")
    report = report_of(load_catalog(tmp_path / "empty"), TODAY)
    assert (report.records, report.duplicates) == (0, ())
    assert report_text(report).startswith("0 records")
