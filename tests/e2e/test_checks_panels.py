"""Check 4 over everything that opens: folded panels, and what the buttons of a card lead to."""

from __future__ import annotations

import json

import pytest
from test_checks_page import violations

FOLDED = ("#controls", "#mine", "#memory")
BESIDE = ("#line", "#left")
PARTS = {
    "fit": "#detail .fits",
    "get": "#recipe :is(pre, p)",
    "plan": "#plan .steps li",
    "similar": "#similarlist .card",
    "papers": "#web .head",
    "scores": "#detail .scoretable",
}
BELOW = ("#why", "#comparemodes", "#replayed", "#graphtable")
BOTH = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


OUTSIDE = """() => {
  const shown = (card) => [...card.querySelectorAll('*:not(.sr, .wide *, .tabs *)')]
    .filter((part) => part.checkVisibility());
  const right = (part) => part.getBoundingClientRect().right;
  return [...document.querySelectorAll('.detail, #cards .card, .notice')]
    .flatMap((card) => shown(card).filter((part) => right(part) > right(card) + 1))
    .map((part) => part.outerHTML.slice(0, 90));
}"""
"""What is drawn beyond the right edge of its card."""


def settled(one, *parts: str) -> None:
    # The bar that stays lies over whatever is scrolled under it.
    one.page.evaluate("window.scrollTo(0, 0)")
    assert violations(one.page, *parts) == []
    assert one.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def press(one, tab: str, shown: str) -> None:
    """Ask for a part of the detail; where that lies over the page, the list is under it."""
    one.page.click(f'#detail [data-tab="{tab}"]')
    one.page.wait_for_selector(shown)
    assert violations(one.page, "#right") == []


@BOTH
def test_check_04_axe_finds_nothing_in_drawers_and_beside_the_detail(visiting, size, dark):
    one = visiting(size, dark=dark, fresh=True).go()
    one.act("#examples .btn-try")
    page = one.page
    for panel in FOLDED:
        one.open(panel)
        settled(one, panel)
        if panel != FOLDED[-1]:
            one.folded()
    page.check("#remember input")
    page.wait_for_selector("#taste >> text=Nothing yet")
    settled(one.folded(), *BESIDE)
    for id in one.cards()[:2]:
        page.locator(f'#cards [data-act="choose"][data-id="{id}"]').first.click()
        page.wait_for_selector(f'#chosen [data-chosen~="{id}"]')
    if size == "desktop":
        page.wait_for_selector("#taste >> text=chosen")
    one.open("#mine")
    page.locator("#gpu label", has_text="no").last.click()
    page.wait_for_selector("#cards >> text=/your terms/i")
    one.folded()
    # The tray lies over what is scrolled under it, so the rest was looked at before.
    settled(one, "#chosen")
    page.click("#cards .card .name >> nth=0")
    for tab, shown in PARTS.items():
        press(one, tab, shown)
    assert one.errors == []


def test_check_05_on_a_phone_nothing_stands_out_of_its_card(visiting):
    one = visiting("phone").go()
    for example in (1, 4):
        one.go().act(f"#examples .btn-try:nth-of-type({example})")
        one.page.click("#cards .card .name >> nth=0")
        one.page.click('#detail [data-tab="fit"]')
        one.page.wait_for_selector("#detail .fits")
        assert one.still().page.evaluate(OUTSIDE) == []
        one.page.click("#detail .close")


@BOTH
def test_check_04_axe_finds_nothing_in_what_is_asked_of_a_list(visiting, size, dark, tmp_path):
    one = visiting(size, dark=dark).go().find("segment lungs")
    page = one.page
    one.open("#why").open("#comparemodes")
    page.click("#whatif-graph")
    page.wait_for_selector("#whytold >> text=/Without the graph/")
    page.click("#comparego")
    page.wait_for_selector("#compared >> text=overlap@10")
    one.table()
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(one.answer()), encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        page.click("#replay")
    chooser.value.set_files(str(file))
    page.wait_for_selector("#replayed [data-same]")
    settled(one, *BELOW)
    assert one.errors == []


@BOTH
def test_check_04_axe_finds_nothing_where_there_is_no_result(visiting, size, dark):
    one = visiting(size, dark=dark).go("?q=segment+lungs&lic=CC0-1.0&mod=EEG&mode=keyword").done()
    assert one.cards() == []
    settled(one)
    assert one.errors == []


@BOTH
@pytest.mark.parametrize("route", ["cohort", "ask"])
def test_check_04_axe_finds_nothing_on_a_route(visiting, size, dark, route):
    one = visiting(size, dark=dark).go(route)
    settled(one)
    assert one.errors == []
