"""A wish is ruled out by its own sentence, and a year counts where a release is meant."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from retrieval.wiring.concepts import every_language
from tests.fakes import make_query, make_tool

TOOLS = tuple(
    make_tool(name.lower().replace(" ", "_"), name=name)
    for name in ("FSL", "napari", "Cellpose", "TrackMate")
)
STATED = dict.fromkeys(("language", "interface", "host", "system", "tool", "since"), 0.9)
READER = WishReader(TOOLS, STATED, concepts=every_language().concepts)


def wishes(text, strength):
    query = READER.read(make_query(text))
    return {w.value for w in query.wishes if w.strength == strength}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the usual statistics over them. They have used Slicer in a course, no code", "3D Slicer"),
        ("classes did not help much. We would like to see it in TrackMate", "TrackMate"),
        ("I have masks and Python, and I do not want to write the geometry again", "Python"),
    ],
)
def test_a_denial_ends_with_its_sentence_and_clause(text, value):
    assert value not in wishes(text, "unwanted")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("brain extraction, anything beyond FSL", "FSL"),
        ("segment nuclei. Not Cellpose", "Cellpose"),
        ("no MATLAB. Python please. deconvolve", "MATLAB"),
    ],
)
def test_what_is_ruled_out_in_its_own_sentence_stays_so(text, value):
    assert value in wishes(text, "unwanted")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("they wrote a grade only since 2019. I need density classification", set()),
        ("tractography that has been updated since 2022, I need it for stroke", {"2022"}),
    ],
)
def test_a_year_of_the_story_is_no_release(text, years):
    read = READER.read(make_query(text)).wishes
    assert {w.value for w in read if w.kind == "since"} == years
