"""Catalogs as CSV: every column that has a field, columns of one field, and rows that end late."""

from __future__ import annotations

import csv
import io

import pytest

from retrieval.catalog.importers.sheet import FIELDS
from tests.catalog.rows import texts

CELLS = {
    **{"id": "a", "name": "A", "description": "what A does", "domain": "radiology"},
    **{name: f"https://{name}.example" for name in ("url", "repo", "docs_url", "demo_url")},
    **dict.fromkeys(("license", "license_weights", "license_data", "license_output"), "MIT"),
    **dict.fromkeys(("requires_tool", "compatible_with", "co_used_with"), "other"),
    **{"keywords": "ct, lung", "tasks": "segmentation; denoising", "languages": "py|c++"},
    **{"interfaces": "CLI", "platforms": "mac", "gpu": "optional", "citation": "10.1000/example"},
    **{"formats_in": "DICOM, NIfTI", "formats_out": "NIfTI", "modalities": "CT", "suite": "S"},
    **{
        "dimensions": "3D",
        "anatomy": "lung",
        "last_release": "2026-01",
        "checked_on": "2026-01-02",
    },
}


def sheet(*rows, mark=","):
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows(rows)
    return text.getvalue()


@pytest.mark.requirement("W11")
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_column_of_every_field_fills_it(load, mark):
    assert CELLS.keys() == FIELDS
    catalog = load(sheet(CELLS.keys(), CELLS.values(), mark=mark))
    (record,) = catalog.records
    assert (catalog.refused, texts(catalog)) == ((), [])
    assert all(getattr(record, name) for name in CELLS)
    assert (record.keywords, record.tasks) == (["ct", "lung"], ["segmentation", "denoising"])
    assert (record.languages, record.platforms) == (["Python", "C++"], ["macOS"])


@pytest.mark.parametrize(
    ("column", "field"), [("tags", "keywords"), ("keyword", "keywords"), ("task", "tasks")]
)
def test_free_words_stay_as_they_are_written(load, column, field):
    (record,) = load(f"title,summary,{column}\nA,x,Odd Thing|py\n").records
    assert getattr(record, field) == ["Odd Thing", "py"]


def test_of_two_columns_for_one_field_the_filled_one_counts(load):
    (record,) = load("name,description,homepage,url\nA,x,https://a.org,\n").records
    assert record.url == "https://a.org"


def test_a_quote_that_nothing_closes_costs_its_own_row_alone(load):
    rows = "".join(f"C{n},tool {n}\n" for n in range(300))
    catalog = load(f'name,description\nA,x\nB,"broken\n{rows}"D","two\nlines"\n')
    assert len(catalog.records) == 302
    assert [refusal.line for refusal in catalog.refused] == [3]
    assert next(r for r in catalog.records if r.name == "D").description == "two lines"


def test_lines_that_end_in_carriage_returns_alone_are_refused_with_a_reason(load):
    catalog = load("name,description\rA,x\r")
    assert catalog.records == ()
    assert "CR alone" in catalog.refused[0].reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "tool_label,what_it_does\nA,segments\n",
            "no column for the name and none for the description; the columns are 'tool_label', "
            "'what_it_does'",
        ),
        (
            "Name;Beschreibung;Lizenz\nA;segmentiert;MIT\nB;x;y\n",
            "no column for the description; the columns are 'name', 'beschreibung', 'lizenz'",
        ),
    ],
)
def test_a_table_without_the_columns_of_a_catalog_is_refused_once_with_those_it_has(
    load, text, reason
):
    catalog = load(text)
    assert [(one.line, one.reason) for one in catalog.refused] == [(1, reason)]


@pytest.mark.parametrize(
    "text", ["one line, no more", "a\nb\n", "a, b\nc\n", '{"a": 1,\n"b", 2\n', "<p>a,\nb,c\n"]
)
def test_what_is_no_table_is_refused_as_before(load, text):
    assert {one.reason for one in load(text).refused} == {"not a JSON object"}
