"""What a remark allows as well stands beside what is wished: "or MIT", "Python is fine too"."""

from __future__ import annotations

import pytest

from tests.dialogue.test_follow_up import BEFORE, after
from tests.fakes import make_query


@pytest.mark.parametrize(
    ("before", "remark", "text"),
    [
        ("segment brain, BSD licence", "or MIT", "segment brain, BSD licence or MIT"),
        ("brain, BSD licence", "or MIT, Apache", "brain, BSD licence or MIT or Apache"),
        ("segment brain, R package", "or Python", "segment brain, R package or Python"),
        ("segment brain, in Python", "or in MATLAB", "segment brain, in Python or MATLAB"),
        ("segment brain in MATLAB", "Python is fine too", "segment brain in MATLAB or Python"),
        ("segment brain in Python", "R is also fine", "segment brain in Python or R"),
        ("segment brain in Python", "o en R", "segment brain in Python or R"),
        ("segment brain on Linux", "Windows works too", "segment brain on Linux or Windows"),
        ("brain, napari plugin", "or a Fiji plugin", "brain, napari plugin or a Fiji plugin"),
        ("segment brain with a GUI", "or command line", "segment brain with a GUI or command line"),
        ("segment brain in Python", "or R, without a GPU", "segment brain in Python or R"),
    ],
)
def test_another_value_widens_the_wish_that_it_is_another_value_of(before, remark, text):
    told = after(remark, make_query(before))
    assert told.query.text == told.query.raw == text
    assert told.query.filters.licenses == frozenset()
    assert told.understood[0].startswith("wished for: ")


def test_another_value_widens_a_filter():
    told = after("or GPL", after("only MIT").query)
    assert told.query.filters.licenses == {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"}
    assert told.understood == ("licence: only GPL and its kind as well (72 tools)",)
    assert after("a GPU is fine", after("no GPU").query).query.filters.gpu >= {"none", "required"}


@pytest.mark.parametrize(
    ("remark", "text"),
    [
        ("or CT", "segment brain on MRI or CT"),
        ("CT is fine too", "segment brain on MRI or CT"),
        ("also CT", "segment brain on MRI and CT"),
        ("or liver", "segment brain or liver on MRI"),
        ("CT", "segment brain on CT"),
    ],
)
def test_another_subject_stands_beside_the_one_before(remark, text):
    assert after(remark).query.text == text


def test_a_task_that_is_added_is_no_new_search():
    before = make_query("SPECT dosimetry in Python")
    told = after("SPECT reconstruction too", before)
    assert told.query.text == "SPECT dosimetry in Python, SPECT reconstruction"


@pytest.mark.parametrize(
    ("before", "remark"),
    [
        ("segment brain, no MATLAB", "Python is fine"),
        ("segment brain in Python", "or on Linux"),
        ("segment brain in Python", "R"),
    ],
)
def test_what_is_no_other_value_of_a_wish_is_a_wish_of_its_own(before, remark):
    told = after(remark, make_query(before))
    assert " or " not in told.query.text
    assert told.query.text != before


def test_what_may_be_missing_widens_nothing():
    assert after("GPU or not", BEFORE).query.text == BEFORE.text
