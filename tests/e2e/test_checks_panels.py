"""Check 4 over everything that opens: folded panels, and what the buttons of a card lead to."""

from __future__ import annotations

import json

import pytest
from test_checks_page import violations

FOLDED = ("#controls", "#mine", "#memory")
BESIDE = ("#drawers", "#chosen", "#similar", "#right", "#web")
BELOW = ("#why", "#comparemodes", "#replayed", "#graphtable")
BOTH = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


OUTSIDE = """() => {
  const shown = (card) => [...card.querySelectorAll('*:not(.sr, .wide *)')]
    .filter((part) => part.checkVisibility());
  const right = (part) => part.getBoundingClientRect().right;
  return [...document.querySelectorAll('.detail, #cards .card, .notice')]
    .flatMap((card) => shown(card).filter((part) => right(part) > right(card) + 1))
    .map((part) => part.outerHTML.slice(0, 90));
}"""
"""What is drawn beyond the right edge of its card."""


def settled(one, *parts: str) -> None:
    assert violations(one.page, *parts) == []
    assert one.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def press(one, act: str, shown: str) -> None:
    one.page.locator(f'#detail [data-act="{act}"]').first.click()
    one.page.wait_for_selector(shown)


@BOTH
def test_check_04_axe_finds_nothing_in_drawers_and_beside_the_detail(visiting, size, dark):
    one = visiting(size, dark=dark, fresh=True).go()
    one.act("#examples .btn-try")
    page = one.page
    for panel in FOLDED:
        one.open(panel)
    page.check("#remember input")
    page.wait_for_selector("#taste >> text=Nothing yet")
    for id in one.cards()[:2]:
        page.locator(f'#cards [data-act="choose"][data-id="{id}"]').first.click()
        page.wait_for_selector(f'#chosen [data-chosen~="{id}"]')
    page.wait_for_selector("#taste >> text=chosen")
    page.locator("#gpu label", has_text="no").last.click()
    page.wait_for_selector("#cards >> text=/your terms/i")
    press(one, "similar", "#similarlist .card")
    press(one, "plan", "#plan .steps li")
    press(one, "recipe", "#recipe :is(pre, p)")
    press(one, "papers", "#web .notice")
    settled(one, *BESIDE)
    assert one.errors == []


def test_check_05_on_a_phone_nothing_stands_out_of_its_card(visiting):
    one = visiting("phone").go()
    for example in (1, 4):
        one.act(f"#examples .btn-try:nth-of-type({example})")
        one.page.wait_for_selector("#detail .fits")
        assert one.still().page.evaluate(OUTSIDE) == []


@BOTH
def test_check_04_axe_finds_nothing_in_what_is_asked_of_a_list(visiting, size, dark, tmp_path):
    one = visiting(size, dark=dark).go().find("segment lungs")
    page = one.page
    one.open("#why").open("#comparemodes")
    page.click("#whatif-graph")
    page.wait_for_selector("#whytold >> text=/Without the graph/")
    page.click("#comparego")
    page.wait_for_selector("#compared >> text=overlap@10")
    page.click("#graphtable summary")
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
    settled(one)


@BOTH
@pytest.mark.parametrize("route", ["cohort", "ask"])
def test_check_04_axe_finds_nothing_on_a_route(visiting, size, dark, route):
    one = visiting(size, dark=dark).go(route)
    settled(one)
    assert one.errors == []
