"""What a remark says is not left out, or not required."""

from __future__ import annotations

import pytest

from retrieval.core.types import Filters
from tests.dialogue.test_follow_up import BEFORE, after


@pytest.mark.parametrize(
    "text",
    [
        *(
            "don't exclude FSL",
            "do not leave out BET",
            "please do not remove FSL",
            "never skip FSL",
        ),
        *("FSL nicht weglassen", "ne pas exclure FSL", "no excluir FSL", "não excluir FSL"),
        *("not only FSL", "not just BET", "nicht nur FSL", "pas seulement FSL", "no solo FSL"),
        *("not necessarily in Python", "need not be open source", "nicht unbedingt in Python"),
        *("doesn't have to be Python", "pas forcément en Python", "need not run on Linux"),
    ],
)
def test_what_is_not_left_out_and_not_required_changes_nothing(text):
    told = after(text)
    assert told.query == BEFORE
    (line,) = told.understood
    assert line.startswith("nothing changed: ")


def test_tools_that_were_left_out_are_taken_back_by_name():
    before = after("without FSL and lungmask").query
    assert set(before.excluded) == {"fsl", "bet", "lungmask"}
    assert after("do not leave out lungmask", before).query.excluded == ("bet", "fsl")
    told = after("don't exclude FSL", before)
    assert (told.query.excluded, told.understood) == (("lungmask",), ("no longer left out: FSL",))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("only MIT", "not only MIT"),
        ("in Python", "not necessarily in Python"),
        ("on Linux", "it need not run on Linux"),
        ("only MRI", "not only MRI"),
        ("not in MATLAB", "don't avoid MATLAB"),
    ],
)
def test_what_is_not_required_any_more_is_taken_back(first, then):
    told = after(then, after(first).query)
    assert (told.query.filters, told.query.text) == (Filters(), BEFORE.text)
    assert told.understood[0].startswith("no longer ")


def test_not_only_one_value_but_another_asks_for_either():
    told = after("not only MIT but also GPL", after("only MIT").query)
    assert told.query.filters.licenses == {"MIT", "GPL-3.0-only", "MIT OR LicenseRef-Own"}
    assert told.understood == ("licence: MIT or only GPL and its kind (72 tools)",)
