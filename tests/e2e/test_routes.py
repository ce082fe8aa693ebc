"""The routes beside the search: the catalog and the page about the product."""

from __future__ import annotations

import pytest
from test_checks_page import violations

ROUTES = ["", "catalog?tool=totalsegmentator", "catalog", "cohort", "ask", "about"]
"""Every route of the page; those with an answer are looked at in the tests of each."""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_of_ours_on_any_route(visiting, size, dark):
    one = visiting(size, dark=dark)
    for route in ROUTES:
        one.go(route)
        assert one.page.locator("h1").count() == 1
        assert one.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert violations(one.page) == []
    assert one.outside == []
    assert one.errors == []


def test_words_filters_and_pages_narrow_the_catalog(desktop):
    page = desktop.go("catalog").page
    every = page.locator("#browselist .sub").inner_text()
    page.fill("#browsewords textarea, #browsewords input", "lungs")
    page.wait_for_function(
        "(old) => document.querySelector('#browselist .sub').innerText !== old", arg=every
    )
    shown = page.eval_on_selector_all("#browselist .card", "e => e.map(x => x.innerText)")
    assert shown
    page.locator("#browselist .name").first.click()
    page.wait_for_selector("#detail .detail[data-tool]")
    assert page.locator("#detail h2").inner_text() in shown[0]


def test_no_card_of_the_catalog_stands_out_of_a_phone(visiting):
    page = visiting("phone").go("catalog").page
    page.wait_for_selector("#browselist .card")
    wide = "e => e.filter(x => x.getBoundingClientRect().right > innerWidth).length"
    assert page.eval_on_selector_all("#browselist .card", wide) == 0


def test_a_record_links_back_to_the_search(desktop):
    page = desktop.go("catalog?tool=totalsegmentator").page
    page.get_by_text("Search for what it does").click()
    search = page.wait_for_selector("iframe.room[title=Search]").content_frame()
    search.wait_for_selector('#cards .card[data-tool="totalsegmentator"]')
    assert "?q=" in desktop.address()
