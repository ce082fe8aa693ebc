"""Questions about a list in a real browser: where a tool went, what if, what is similar."""

from __future__ import annotations

import json


def test_where_a_tool_went_and_what_a_lever_moves(desktop):
    first = desktop.find("segment lungs").cards()[0]
    page = desktop.page
    desktop.open("#why")
    page.fill("#whytool input", "freesurfr")
    page.keyboard.press("Enter")
    page.click("#whyask")
    page.wait_for_selector("#whytold >> text=Did you mean")
    page.locator('#whytold [data-act="where"]').first.click()
    page.wait_for_selector("#whytold table")
    page.click("#whatif-graph")
    page.wait_for_selector("#whytold >> text=/Without the graph/")
    assert desktop.cards()[0] == first
    assert desktop.errors == []


def test_similar_tools_leave_the_search_as_it_is(desktop):
    before = desktop.find("segment lungs").cards()
    page = desktop.page
    page.locator('#detail [data-act="similar"]').first.click()
    page.wait_for_selector("#similarlist .card")
    found = page.eval_on_selector_all("#similarlist .card", "e => e.map(x => x.dataset.tool)")
    assert before[0] not in found
    page.locator("#wishes label", has_text="Open licence").click()
    page.wait_for_function(
        "(old) => document.querySelectorAll('#similarlist .card').length > 0 && "
        "JSON.stringify([...document.querySelectorAll('#similarlist .card')]"
        ".map(x => x.dataset.tool)) !== old",
        arg=json.dumps(found, separators=(",", ":")),
    )
    assert desktop.cards() == before
    assert desktop.errors == []
