"""Thanks and questions about the list change no search, and are told so."""

from __future__ import annotations

import pytest

from retrieval.dialogue.talk import without_opening
from tests.dialogue.talking import DIALOGUE
from tests.fakes import make_query

BEFORE = make_query("segment brain on MRI")


def after(text):
    return DIALOGUE.follow_up(BEFORE, text)


@pytest.mark.parametrize(
    "text",
    [
        "thanks",
        "thank you, that's great",
        "ok",
        "hmm, no",
        "never mind",
        "hello",
        "the second one please",
        "the last one",
        "why is that first?",
        "tell me more about the first one",
        "compare the first two",
        "how do I install it?",
        "what does it do?",
        "which of these is the best?",
        "can you explain the first result?",
        "show me why",
        "but why?",
        "I'd like to know why",
        "warum?",
        "\u00bfpor qu\u00e9?",
        "pourquoi ceux-ci ?",
        "\u4e3a\u4ec0\u4e48",
        "vielen Dank",
        "sort by date",
    ],
)
def test_talk_changes_nothing_and_says_so(text):
    told = after(text)
    assert told.query == BEFORE
    assert len(told.understood) == 1
    assert told.understood[0].startswith("nothing changed")


def test_why_not_a_tool_asks_and_leaves_it_in():
    told = after("why not FSL?")
    assert told.query == BEFORE
    assert "A tool you expected" in told.understood[0]
    assert after("not FSL").query.excluded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("anything for CT instead?", "segment brain on CT"),
        ("cool, and for CT?", "segment brain on CT"),
        ("no, on CT", "segment brain on CT"),
        ("back to CT", "segment brain on CT"),
        ("what about CT?", "segment brain on CT"),
        ("which segment the liver on CT?", "which segment liver CT"),
    ],
)
def test_words_of_talk_beside_a_change_are_no_words_of_the_search(text, words):
    assert after(text).query.text.casefold() in {
        words.casefold(),
        words.casefold().split(" ", 1)[1],
    }


@pytest.mark.parametrize(
    ("text", "filters"),
    [("thanks, but without GPU", "gpu"), ("which has a GUI?", "interfaces")],
)
def test_a_question_that_names_a_filter_sets_it(text, filters):
    assert getattr(after(text).query.filters, filters)


@pytest.mark.parametrize("text", ["undo 2", "undo the last two", "revert 3"])
def test_to_undo_several_remarks_is_told_how(text):
    told = after(text)
    assert (told.query, told.talk) == (BEFORE, True)
    assert "takes back the last remark" in told.understood[0]


def test_wait_is_no_word_of_a_search_and_what_is_forgotten_leaves_it():
    assert after("wait, also kidneys").query.text == "segment brain on MRI, kidneys"
    assert after("forget the brain").query.text == "segment on MRI"
    assert set(after("forget about FSL").query.excluded) == {"fsl", "bet"}


def test_what_i_know_already_is_left_out():
    assert "fsl" in after("I already know FSL, anything else?").query.excluded


def test_what_is_left_out_ends_at_a_comma():
    told = DIALOGUE.follow_up(make_query("segment brain on MRI"), "instead of the brain, the liver")
    assert "liver" in told.query.text
    assert "brain" not in told.query.text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("no, on MRI", "on MRI"),
        ("ok, great, in 3D", "in 3D"),
        ("no GPU", "no GPU"),
        ("fine cerebral vessels", "fine cerebral vessels"),
        ("thanks", "thanks"),
    ],
)
def test_only_what_a_comma_parts_is_an_opening(text, rest):
    assert without_opening(text) == rest
