"""Names whose letters could deceive are noted, and honest names of any script are not."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.catalog.name_letters import name_remarks

DECEIVING = (
    ("\u202egnp.exe", "reading direction (U+202E RIGHT-TO-LEFT OVERRIDE)"),
    ("FSL\u2066x\u2069", "reading direction (U+2066"),
    ("Free\u200bSurfer", "not visible (U+200B ZERO WIDTH SPACE)"),
    ("Free\u00adSurfer", "not visible (U+00AD SOFT HYPHEN)"),
    ("F\u0405L", "look like Latin ones (U+0405 CYRILLIC CAPITAL LETTER DZE)"),
    ("\u0405\u0420\u041c", "look like Latin ones (U+0405"),
    ("dcm2niix \u0391NTs", "look like Latin ones (U+0391 GREEK CAPITAL LETTER ALPHA)"),
    ("\uff26SL", "look like Latin ones (U+FF26 FULLWIDTH LATIN CAPITAL LETTER F)"),
    ("\U0001d405SL", "look like Latin ones (U+1D405"),
)
HONEST = (
    "3D Slicer",
    "\u00b5Manager",
    "\u03bcManager",
    "\u03b1-synuclein atlas",
    "M\u00fcller-R\u00f6ntgen",
    "\u0422\u043e\u043c\u043e\u0433\u0440\u0430\u0444",
    "\u533b\u7528\u753b\u50cf",
    "\u5d4c\u30bb\u30e9\u30d4\u30b9\u30c8",
    "\u05e8\u05d5\u05e4\u05d0",
)


@pytest.mark.parametrize(("name", "remark"), DECEIVING)
def test_a_name_that_could_pass_for_another_is_remarked_upon(name: str, remark: str) -> None:
    (text,) = name_remarks(name)
    assert remark in text
    assert text.isascii()


@pytest.mark.parametrize("name", HONEST)
def test_names_of_other_scripts_and_signs_of_science_are_not(name: str) -> None:
    assert name_remarks(name) == ()


def test_a_name_of_many_such_letters_gives_a_short_remark() -> None:
    (text,) = name_remarks("".join(map(chr, range(0xFF21, 0xFF3B))))
    assert text.endswith(", 23 more)")


def test_a_record_with_such_a_name_stays_and_is_noted_by_line_and_field(tmp_path) -> None:
    rows = [
        {"id": "a", "name": "F\u0405L", "description": "d"},
        {"id": "b", "name": "FSL", "description": "d", "suite": "F\u200bSL"},
    ]
    path = tmp_path / "tools.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    catalog = load_catalog(path)
    assert [record.id for record in catalog.records] == ["a", "b"]
    assert [(n.line, n.id, n.text.partition(" ")[0]) for n in catalog.notes] == [
        (1, "a", "name:"),
        (2, "b", "suite:"),
    ]
