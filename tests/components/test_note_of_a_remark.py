"""What is said of a remark stands beside the list that the remark led to, and no other."""

from __future__ import annotations

from dataclasses import replace

import gradio as gr
import pytest

from components.data import SWITCHES, Data, Form, Shown
from components.page import Page
from components.panels.search.follow import _follower
from components.run import emptied, search
from retrieval import Settings
from tests.fakes import small_engine

ENGINE = small_engine()
VALUES = ["segment", "hybrid", True, False, [], *([] for _ in range(6)), list(SWITCHES)]
FORM = Form(text="segment")


@pytest.fixture(scope="module")
def parts():
    with gr.Blocks():
        return Page(ENGINE, Settings(_env_file=None)).parts


def remark(parts, words):
    updates = _follower(parts, ENGINE)(words, Shown(), *VALUES, Data())
    data = updates[parts.data]
    form = data.remarks[-1].after if data.remarks else FORM
    return form, data, updates[parts.follow.output]


def shown(form, data):
    """The note beside the list of a search, and the data after it."""
    views = list(search(ENGINE, form, data))
    data = next(view["data"] for view in views if "data" in view)
    return next(view["understood"] for view in views if "understood" in view), data


@pytest.mark.parametrize("words", ["show me more", "thanks", "undo", "[BAD"])
def test_the_search_that_a_remark_begins_shows_what_was_understood(parts, words):
    form, data, html = remark(parts, words)
    assert html
    note, data = shown(form, data)
    assert note == html
    assert shown(form, data)[0] == html


def test_every_other_search_takes_the_note_away_for_good(parts):
    form, data, _ = remark(parts, "show me more")
    for other in (FORM, replace(form, text="count cells"), replace(form, mode="keyword")):
        note, after = shown(other, data)
        assert note == ""
        assert shown(form, after)[0] == ""


def test_a_page_without_a_list_has_no_note():
    assert emptied(())["understood"] == ""
