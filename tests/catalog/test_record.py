"""One record, checked field by field."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from retrieval.catalog.record import Record, Requirements
from retrieval.core.codes import Format, Modality

PLAIN = {"id": "a", "name": "A", "description": "d"}
PAIR = {"from": "DICOM", "to": "NIfTI", "what": "image", "source": "https://example.org/manual"}


def record(**fields):
    return Record.model_validate({**PLAIN, **fields})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("id", "has space"),
        ("id", "../etc"),
        ("id", "x" * 101),
        ("name", ""),
        ("name", "x" * 201),
        ("description", ""),
        ("description", "x" * 4001),
        ("description", "bell \x07"),
        ("url", "javascript:alert(1)"),
        ("url", "ftp://example.org"),
        ("url", "https://user@example.org"),
        ("url", 'https://example.org/"><script>'),
        ("modalities", ["telepathy"]),
        ("dimensions", ["5D"]),
        ("formats_in", [".nii.gz"]),
        ("anatomy", ["soul"]),
        ("gpu", "maybe"),
        ("license", "Very Free"),
        ("citation", "https://doi.org/10.1038/x"),
        ("last_release", "yesterday"),
        ("requires_tool", ["a b"]),
        ("requirements", {"spacing": -1}),
        ("requirements", {"spacing": float("nan")}),
        ("requirements", {"colour": "red"}),
        ("requirements", {"data": ["holograms"]}),
        ("requirements", {"orientation": "RSA"}),
        ("converts", [{"from": "DICOM", "to": "NIfTI", "what": "image"}]),
        ("converts", [{**PAIR, "to": "DICOM"}]),
        ("converts", [{**PAIR, "what": "everything"}]),
        ("converts", [{**PAIR, "from": ".dcm"}]),
        ("converts", [{**PAIR, "source": "the manual"}]),
        ("converts", [{**PAIR, "lossless": True}]),
        ("install", [{"kind": "carrier pigeon", "line": "pip install a"}]),
        ("install", [{"kind": "pip", "line": ""}]),
        ("python_version", "a recent one"),
        ("last_commit", "yesterday"),
        ("unknown_field", 1),
    ],
)
def test_a_bad_value_is_refused_naming_its_field(field, value):
    with pytest.raises(ValidationError) as caught:
        record(**{field: value})
    assert caught.value.errors()[0]["loc"][0] == field


@pytest.mark.parametrize("field", ["id", "name", "description"])
def test_what_a_record_must_have(field):
    with pytest.raises(ValidationError):
        Record.model_validate({k: v for k, v in PLAIN.items() if k != field})


@pytest.mark.parametrize(
    "text", ["MIT", "MIT OR Apache-2.0", "GPL-3.0-or-later", "LicenseRef-Academic", "CC-BY-NC-4.0"]
)
def test_licences_are_spdx_or_a_reference_of_their_own(text):
    assert record(license=text).license == text


def test_a_record_without_facts_knows_nothing():
    bare = record()
    assert bare.license is None
    assert bare.modalities == []
    assert bare.unsourced() == []


@pytest.mark.parametrize("field", [n for n in Record.model_fields if n not in PLAIN])
def test_a_null_fact_is_unknown_whatever_its_field_holds(field):
    assert record(**{field: None}) == record()
    nested = {"requirements": dict.fromkeys(Requirements.model_fields)}
    assert record(**nested) == record()


@pytest.mark.parametrize("field", PLAIN)
def test_a_null_is_no_value_where_a_record_must_have_one(field):
    with pytest.raises(ValidationError):
        record(**{field: None})


def test_a_filled_fact_without_a_source_is_told():
    told = record(license="MIT", tasks=["segmentation"], gpu="none")
    assert told.unsourced() == ["tasks", "gpu", "license"]
    source = {"url": "https://example.org", "facts": ["license", "tasks"]}
    assert record(license="MIT", tasks=["x"], gpu="none", sources=[source]).unsourced() == ["gpu"]


def test_white_space_is_made_single():
    assert record(name=" A \n B ").name == "A B"


def test_one_word_stands_for_a_list_of_one():
    assert record(tasks="segmentation").tasks == ["segmentation"]


def test_the_engines_tool_has_the_records_facts():
    tool = record(
        modalities=["CT"],
        formats_in=["DICOM"],
        requirements={
            "spacing": 1.5,
            "units": "HU",
            "data": ["image", "label", "image"],
            "orientation": "axial",
        },
        license="MIT",
    ).tool()
    assert tool.modalities == (Modality.CT,)
    assert tool.formats_in == (Format.DICOM,)
    assert (tool.needs.max_spacing_mm, tool.needs.units) == (1.5, "HU")
    assert (tool.needs.data, tool.needs.orientation) == (("image", "label"), "axial")
    assert tool.license == "MIT"
    assert tool.url is None


def test_a_conversion_names_its_ends_its_data_and_its_source():
    one = record(converts=[PAIR, PAIR]).tool()
    assert [tuple(map(str, pair)) for pair in one.converts] == [tuple(PAIR.values())]


def test_a_record_with_conversions_needs_a_source_for_them_too():
    assert record(converts=[PAIR]).unsourced() == ["converts"]
    source = {"url": PAIR["source"], "facts": ["converts"]}
    assert record(converts=[PAIR], sources=[source]).unsourced() == []


def test_an_install_line_of_a_readme_is_told_without_markdown():
    line = "Get `a-[version].zip` from the [releases]( https://example.org/r) page"
    one = record(install=[{"kind": "plugin", "line": line, "source": "https://a.org"}])
    [(_, told, _)] = one.tool().install
    assert told == "Get a-[version].zip from the releases (https://example.org/r) page"


def test_a_tool_keeps_its_install_lines_in_order_with_their_sources():
    page = "https://example.org/readme"
    tool = record(
        install=[
            {"kind": "conda", "line": "conda install a", "source": page},
            {"kind": "pip", "line": "pip install a"},
        ],
        python_version=">=3.9,<3.13",
        last_commit="2026-08-01",
    ).tool()
    assert tool.install == (("conda", "conda install a", page), ("pip", "pip install a", ""))
    assert tool.python_version == ">=3.9,<3.13"
    assert str(tool.last_commit) == "2026-08-01"
