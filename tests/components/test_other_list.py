"""What was asked for beside a list, or of a scan, goes when another list or scan comes."""

from __future__ import annotations

import gradio as gr
import pytest
from building import CT, MR, answer, replace, upload

from components.data import SWITCHES, Data, Form, Shown
from components.page import Page
from components.panels.search import memory
from components.panels.search.scan import _scan_updates, with_upload
from components.render.search.stale import after_refusal
from components.run import emptied, search, whatever_happens
from retrieval import Settings
from tests.fakes import small_engine

ENGINE = small_engine()
OFF = frozenset(SWITCHES)
NOTHING, NO_DATA = Shown(), Data()
VALUES = ["segment", "hybrid", True, False, [], *([] for _ in range(6)), []]


@pytest.fixture(scope="module")
def page():
    with gr.Blocks():
        return Page(ENGINE, Settings(_env_file=None))


def of_text(text):
    return Shown(answer=answer(), form=Form(text=text, off=OFF))


def asked_of_a_list(parts):
    results = parts.results
    return [results.recipe, results.plan, results.why.output, results.compare.output]


def test_another_list_empties_what_was_asked_for_beside_the_one_before(page):
    views = [v for v in search(ENGINE, Form(text="segment"), Data()) if "shown" in v]
    for view in (*views, emptied(())):
        placed = page.parts.placed(view)
        assert [placed[box] for box in asked_of_a_list(page.parts)] == [""] * 4


def test_another_scan_empties_recipe_and_plan_and_leaves_what_was_asked_of_the_list(page):
    data = with_upload(with_upload(Data(), upload(CT)), upload(MR))
    updates = _scan_updates(page.parts, ENGINE, data, VALUES)
    recipe, plan, *of_the_list = asked_of_a_list(page.parts)
    assert (updates[recipe], updates[plan]) == ("", "")
    assert not updates.keys() & set(of_the_list)


def refused(page, text="[NO_RERANK]", on_page=NOTHING, data=NO_DATA):
    *_, last = page.run(on_page, text, *VALUES[1:], data)
    return last


def test_each_refusal_is_a_status_of_its_own_over_which_the_script_may_have_written(page):
    statuses = [refused(page)[page.parts.query.status] for _ in range(2)]
    assert all("The search did not run." in one for one in statuses)
    assert statuses[0] != statuses[1]


def test_the_list_that_stays_after_a_refusal_tells_whose_it_is(page):
    stale = page.parts.stale
    assert (
        "of the search before: “lungs &lt;b&gt;”"
        in refused(page, on_page=of_text("lungs <b>"))[stale]
    )
    assert "of the search before: the scan alone" in refused(page, on_page=of_text(""))[stale]
    other_scan = replace(of_text("lungs"), scan_facts=with_upload(NO_DATA, upload(CT)).scan_facts)
    with_mr = with_upload(NO_DATA, upload(MR))
    line = after_refusal(Form(text="ribs", off=OFF), with_mr, other_scan)
    assert "“lungs”. The scan has changed" in line
    for same in (NOTHING, of_text("[NO_RERANK]")):
        assert refused(page, on_page=same)[stale] == ""


def test_no_verdict_of_a_removed_scan_stays_where_the_text_cannot_be_searched(page):
    parts = page.parts
    scan_facts = with_upload(NO_DATA, upload(CT)).scan_facts
    view = refused(page, on_page=replace(of_text("lungs"), scan_facts=scan_facts))
    assert (view[parts.results.cards], view[parts.stale]) == ("", "")
    assert view[parts.shown] == NOTHING
    assert "The search did not run." in view[parts.query.status]


def test_a_search_that_breaks_after_its_first_list_leaves_that_without_a_line():
    first = {"shown": of_text("lungs")}

    def breaking():
        yield first
        raise ValueError

    views = whatever_happens(breaking(), first["shown"].form, NO_DATA, of_text("ribs"), ENGINE)
    assert [view.get("stale") for view in views] == [None, ""]


def test_a_list_is_compared_with_the_taste_once_that_is_erased_or_switched_off():
    with gr.Blocks() as blocks:
        page = Page(ENGINE, Settings(_env_file=None))
        memory.events(page.parts, ENGINE)
    compared = [fn for fn in blocks.fns.values() if page.parts.stale in fn.outputs]
    assert len(compared) == 2
