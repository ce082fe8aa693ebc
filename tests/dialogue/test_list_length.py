"""A remark on the length of the list changes that alone, in any language that is read."""

from __future__ import annotations

import pytest

from retrieval.dialogue.list_length import length_in
from tests.dialogue.talking import DIALOGUE
from tests.fakes import make_query

BEFORE = make_query("segment brain on MRI")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("only the first three", 3),
        ("just show me the top 5", 5),
        ("show 30 tools", 30),
        ("5 results are enough", 5),
        ("not more than 6", 6),
        ("only the best one", 1),
        ("ten more tools, please", 25),
        ("nur die ersten drei", 3),
        ("dame los 5 mejores", 5),
        ("seulement les trois premiers", 3),
        ("apenas os tr\u00eas primeiros", 3),
        ("solo i primi tre", 3),
        ("\u53ea\u8981\u524d\u4e09\u4e2a", 3),
        ("\u6700\u521d\u306e3\u3064\u3060\u3051", 3),
    ],
)
def test_a_number_of_tools_is_the_length_of_the_list(text, length):
    told = DIALOGUE.follow_up(BEFORE, text)
    assert told.query.top_k == length
    assert told.query.text == BEFORE.text
    assert told.understood == (f"a list of {length} tool{'' if length == 1 else 's'}",)


@pytest.mark.parametrize(
    "text",
    [
        "only two channels",
        "first order features",
        "only 3 tesla",
        "5 mm slices",
        "the top lobe only",
        "only 2D",
        "the first one",
        "compare the first two",
        "only",
    ],
)
def test_a_number_of_something_else_is_no_length(text):
    assert length_in(text, None) is None


def test_a_length_stays_within_bounds():
    assert length_in("only the first 400", None) == 50
    assert length_in("20 more", 45) == 50
