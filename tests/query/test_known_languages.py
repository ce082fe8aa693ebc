"""Languages that somebody knows are a choice; those that a tool must have are not."""

from __future__ import annotations

import pytest

from retrieval import parse_query
from retrieval.query.wishes import WishReader

READER = WishReader(stated={"language": 1.0})


def languages(text):
    return [(w.value, w.strength) for w in READER.read(parse_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I know a bit of R and a bit of Python and want to analyse EEG", "R or Python"),
        ("I can program in Python and MATLAB, need to segment hippocampus", "Python or MATLAB"),
        ("ich kann Python und R, Nierensegmentierung im CT", "Python or R"),
        ("je connais Python et MATLAB, recalage d'IRM", "Python or MATLAB"),
    ],
)
def test_languages_that_somebody_knows_are_a_choice(text, value):
    assert languages(text) == [(value, "wanted")]


@pytest.mark.parametrize(
    "text",
    [
        "something with bindings for Python and C++ to read DICOM",
        "library to call from Python and C++ for image registration",
        "I know what I want: registration in Python and C++",
    ],
)
def test_languages_of_the_tool_are_all_wanted(text):
    assert languages(text) == [("Python", "wanted"), ("C++", "wanted")]


def test_a_language_of_another_sentence_and_one_that_is_required_stand_alone():
    assert languages("I know Python. The tool must run in MATLAB; register MRI") == [
        ("Python", "wanted"),
        ("MATLAB", "required"),
    ]
