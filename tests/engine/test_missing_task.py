"""The note that a text has wishes about software and names no task."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from retrieval.core import Wish
from retrieval.engine.missing_task import NOTE, missing_task
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

SNAPSHOT = SimpleNamespace(gaps=gap_judge((make_tool("one", tasks=("segmentation",)),)))
NO_PYTHON = Wish(kind="language", value="Python", text="without Python", strength="unwanted")


def note(text, wish=NO_PYTHON, scans=()):
    query = SimpleNamespace(text=text, wishes=(wish,) if wish else (), scans=scans)
    return missing_task(SimpleNamespace(query=query, candidates=("one",)), SNAPSHOT)


@pytest.mark.parametrize(
    "text", ["now without Python", "and the same, without Python?", "maintenant without Python"]
)
def test_a_follow_up_without_a_task_is_told_so(text):
    assert note(text) == NOTE


@pytest.mark.parametrize(
    "text",
    [
        "segmentation without Python",
        "proteins without Python",
        "DICOM without Python",
        "kayak hulls without Python",
        "",
    ],
)
def test_nothing_is_told_where_a_word_names_something(text):
    assert note(text) == ""


def test_nothing_is_told_of_a_file_of_no_wish_or_of_a_program_that_says_what_is_done():
    assert note("now without Python", scans=("scan",)) == ""
    assert note("now", wish=None) == ""
    fiji = Wish(kind="host", value="Fiji", text="in Fiji", strength="wanted")
    assert note("now in Fiji", wish=fiji) == ""
