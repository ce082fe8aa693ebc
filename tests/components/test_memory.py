"""What is remembered of a visitor: only while it is on, only ids, and never in a link."""

from __future__ import annotations

import pytest
from building import CT, HOSTILE, answer, stage, tool, upload

from components.data import Data, Form
from components.edits import Ask, edited
from components.panels.results.card_actions import toggled
from components.render.downloads.export import as_csv, as_json
from components.render.search.form import memory_panel
from components.run import sought
from components.share import query_string
from components.taste import MOST, NO_TASTE, Taste, taste_of
from retrieval import parse_query

CATALOG = {id: tool(id) for id in "abc"}
ON = Data(taste=Taste(on=True))


def act(name, id, data, kind="", form=None):
    ask = Ask(form=form or Form(text="x"), data=data, id=id, kind=kind, catalog=CATALOG)
    return edited(name, ask)


@pytest.mark.requirement("S1-33")
def test_memory_is_off_by_default_and_nothing_enters_it_then():
    assert not Data().taste.on
    _, data = act("exclude", "a", toggled(Data(), "b"))
    assert data.taste == NO_TASTE
    assert sought(Form(), data)["liked"] == ()


def test_choosing_and_excluding_are_remembered_and_taken_back():
    _, data = act("exclude", "a", toggled(ON, "b"))
    assert (data.taste.liked, data.taste.disliked) == (("b",), ("a",))
    form = Form(text="x", excluded=("a",))
    _, undone = act("undo", "a", data, form=form)
    assert undone.taste.disliked == ()
    _, unchipped = act("remove", "a", data, "exclude", form)
    assert unchipped.taste.disliked == ()
    assert toggled(data, "b").taste.liked == ()


def test_what_is_excluded_later_is_liked_no_more_and_the_other_way_round():
    taste = Taste(on=True).likes("a").dislikes("a")
    assert (taste.liked, taste.disliked) == ((), ("a",))
    assert taste.likes("a").disliked == ()


def test_only_tools_of_the_catalog_are_remembered():
    _, data = act("exclude", HOSTILE, ON)
    assert data.taste.disliked == ()


@pytest.mark.parametrize("name", ["example", "clear"])
def test_another_scan_leaves_the_taste_as_it_is(name):
    data = toggled(Data(upload=upload(CT), taste=Taste(on=True)), "b")
    _, after = act(name, "ct-lung", data)
    assert after.taste == data.taste


def test_a_switched_off_taste_is_kept_and_not_used():
    data = Data(taste=Taste(on=False, liked=("a",), disliked=("b",)))
    taken = sought(Form(), data)
    assert (taken["liked"], taken["disliked"]) == ((), ())
    assert "not used" in memory_panel(data.taste, CATALOG)
    assert data.taste.erased == NO_TASTE


def test_the_browser_keeps_a_switch_and_ids_and_nothing_of_words_or_scans():
    data = toggled(Data(upload=upload(CT), taste=Taste(on=True), typed=("format:CT",)), "b")
    assert data.taste.stored() == {"on": True, "liked": ["b"], "disliked": []}


@pytest.mark.parametrize(
    "stored",
    [None, 7, "x", [], {"on": "yes"}, {"liked": "abc"}, {"on": 1, "liked": [7, None, HOSTILE]}],
)
def test_what_a_browser_brings_is_believed_only_as_far_as_it_makes_sense(stored):
    taste = taste_of(stored, CATALOG)
    assert taste == NO_TASTE


def test_what_was_stored_comes_back_bounded_and_each_once():
    taste = Taste(on=True, liked=("a", "b"), disliked=("c",))
    assert taste_of(taste.stored(), CATALOG) == taste
    assert taste_of({"on": True, "liked": ["a", "a"], "disliked": ["a"]}, CATALOG).liked == ()
    many = Taste(on=True)
    for number in range(MOST + 5):
        many = many.likes(f"t{number}")
    assert len(many.liked) == MOST
    assert many.liked[-1] == f"t{MOST + 4}"


def test_a_link_never_carries_the_taste():
    data = toggled(ON, "b")
    assert query_string(Form(text="x"), data) == query_string(Form(text="x"), Data())


def test_an_export_does_not_carry_a_taste_that_changed_no_rank():
    told = answer(stage("rerank"), liked=("secret_one",), disliked=("secret_two",))
    assert "secret" not in as_json(told) + as_csv(told)


def test_the_panel_names_the_tools_and_escapes_them():
    hostile = {"a": tool("a", name=HOSTILE)}
    html = memory_panel(Taste(on=True, liked=("a",), disliked=("gone",)), hostile)
    assert "chosen" in html
    assert "excluded" in html
    assert "<script" not in html
    assert "Nothing yet" in memory_panel(Taste(on=True), {})


def test_the_library_takes_each_tool_once():
    query = parse_query("x", liked=("a", "a"), disliked=("b",))
    assert (query.liked, query.disliked) == (("a",), ("b",))
