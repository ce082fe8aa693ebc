"""Texts that are no request: open questions about a file, names, what no software answers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from retrieval.core import Wish
from retrieval.core.codes import Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.engine.questions import is_elsewhere, judged_text, without_open_question
from retrieval.explain import Confidence
from retrieval.query import parse_query
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

CT = ScanInfo(format=Format.NIFTI, modality=Modality.CT)
SNAPSHOT = SimpleNamespace(gaps=gap_judge((make_tool("viewer"),)))
REFUSED = Confidence(score=-5.0, signals={})


@pytest.mark.parametrize("text", ["what can I do with this?", "what can I do with my CT scan?"])
def test_an_open_question_about_a_file_asks_what_an_empty_text_asks(text):
    assert without_open_question(parse_query(text, scans=(CT,)), SNAPSHOT).text == ""
    assert without_open_question(parse_query(text), SNAPSHOT).text == text


@pytest.mark.parametrize("text", ["segment the liver", "what is on this brain scan", "weather"])
def test_a_text_that_names_something_is_searched_with_the_file(text):
    assert without_open_question(parse_query(text, scans=(CT,)), SNAPSHOT).text == text


SR = ScanInfo(format=Format.DICOM, modality=Modality.SR, notes=("not-an-image",))


@pytest.mark.parametrize(
    ("text", "scan"),
    [
        ("structured report to JSON", SR), ("DICOM SR to JSON", SR), ("JSON", SR),
        ("SR en JSON", SR), ("to NIfTI", SR), ("CT to MRI", CT), ("PET from CT", CT),
        ("NIfTI to DICOM", CT),
    ],
)  # fmt: skip
def test_what_a_file_is_to_become_is_searched(text, scan):
    assert without_open_question(parse_query(text, scans=(scan,)), SNAPSHOT).text == text


@pytest.mark.parametrize(
    ("text", "scan"),
    [
        ("what can I do with my MRI?", CT), ("what can I do with this DICOM file?", CT), ("CT", CT),
        ("was kann ich mit dem NIfTI machen?", CT), ("what can I do with a structured report?", SR),
        ("what can I do with this X-ray?", ScanInfo(format=Format.PNG)),
    ],
)  # fmt: skip
def test_a_kind_of_file_that_is_named_by_the_way_is_nothing_to_look_for(text, scan):
    assert without_open_question(parse_query(text, scans=(scan,)), SNAPSHOT).text == ""


@pytest.mark.parametrize(("rest", "is_named"), [("how", True), ("pizza recipes", False)])
def test_a_text_of_a_tool_and_light_words_is_not_refused(rest, is_named):
    wish = Wish(kind="tool", value="elastix", text="do I use elastix", strength="wanted")
    query = replace(parse_query(rest), wishes=(wish,))
    assert judged_text(query, REFUSED).named is is_named
    unwanted = replace(query, wishes=(replace_strength(wish),))
    assert not judged_text(unwanted, REFUSED).named


def replace_strength(wish):
    return Wish(kind=wish.kind, value=wish.value, text=wish.text, strength="unwanted")


def test_what_no_software_answers_is_refused_though_it_names_a_kind_of_image():
    sure = Confidence(score=5.0, signals={}, near=0.9, in_field=True)
    assert judged_text(parse_query("how much does a CT scan cost"), sure).abstains
    assert not judged_text(parse_query("low cost CT reconstruction"), sure).abstains


@pytest.mark.parametrize(
    ("text", "parts", "confidence", "expected"),
    [
        ("pizza recipes", (), REFUSED, True),
        ("help", (), REFUSED, False),
        ("count colonies", ("colony",), REFUSED, False),
        ("pizza recipes", (), Confidence(score=1.0, signals={}), False),
        (
            "cost of a CT scan",
            ("CT",),
            Confidence(score=1.0, signals={}, beyond_software=True),
            True,
        ),
    ],
)
def test_what_is_of_no_field_here_is_not_asked_back(text, parts, confidence, expected):
    insight = SimpleNamespace(confidence=confidence, parts=parts)
    assert is_elsewhere(SimpleNamespace(query=parse_query(text), insight=insight)) is expected
