"""Questions about the list are answered from the records and change no search."""

from __future__ import annotations

import pytest

from tests.dialogue.talking import DIALOGUE
from tests.fakes import make_query, make_tool

BEFORE = make_query("segment brain on MRI")
LISTED = (
    make_tool("a", name="Alpha", gpu="required", platforms=("macOS",), license="MIT"),
    make_tool("b", name="Beta", gpu="optional", formats_in=("NIfTI",), license="MIT"),
    make_tool("c", name="Gamma", gpu=None, anatomy=("liver",)),
)


def answer(text, listed=LISTED):
    told = DIALOGUE.follow_up(BEFORE, text, listed)
    assert told.query == BEFORE
    assert told.talk
    return told.understood[0]


@pytest.mark.parametrize(
    "text",
    [
        "which of these need a GPU?",
        "do any of these require a GPU?",
        "welche davon brauchen eine GPU?",
        "lesquels ont besoin d'un GPU ?",
        "quais destes precisam de GPU?",
        "\u8fd9\u4e9b\u5de5\u5177\u4e2d\u54ea\u4e9b\u9700\u8981GPU\uff1f",
        "\u3053\u306e\u4e2d\u3067GPU\u304c\u5fc5\u8981\u306a\u306e\u306f\u3069\u308c\u3067\u3059\u304b\uff1f",
    ],
)
def test_a_need_is_answered_by_what_the_records_require(text):
    assert "yes for 1 (Alpha), no for 1, not stated by 1" in answer(text)


def test_what_is_asked_may_be_a_wish_a_format_or_a_task():
    assert "yes for 2 (Alpha, Beta)" in answer("which ones are free?")
    assert "yes for 1 (Beta)" in answer("which of them work with NIfTI?")
    assert "yes for 1 (Gamma)" in answer("do any of them work on the liver?")


def test_a_place_of_the_list_is_the_tool_that_stands_there():
    assert answer("does the first one need a GPU?").endswith("the record of Alpha says yes")
    assert answer("does the second one need a GPU?").endswith("the record of Beta says no")


def test_without_a_list_or_a_fact_the_question_is_told_as_one():
    assert "asks about the list" in answer("which of these need a GPU?", ())
    assert "asks about the list" in answer("which of these is the best?")


@pytest.mark.parametrize(
    "text",
    ["only those of them that need a GPU", "any of them for CT instead?", "which is in Python?"],
)
def test_a_remark_that_narrows_the_list_is_no_question_about_it(text):
    assert DIALOGUE.follow_up(BEFORE, text, LISTED).query != BEFORE
