"""The drawer of filters says what is set in it; on a phone it is a sheet with a way back."""

from __future__ import annotations

HEAD = "#controls > .label-wrap"
OPEN = f"{HEAD}.open"
SHEET = """() => {
  const {top, bottom, left, right} = document.querySelector('#controls').getBoundingClientRect();
  const place = getComputedStyle(document.querySelector('#controls')).position;
  return {place, top, wide: right - left >= innerWidth - 1, low: bottom >= innerHeight - 1};
}"""
LINK = "?q=segment+brain+tissue&lic=MIT&lic=BSD-3-Clause&ex=fsl_bet"


def says(one, words: str) -> None:
    one.page.wait_for_selector(f'{HEAD} >> text="{words}"')


def test_the_head_of_the_drawer_says_how_many_filters_are_set(desktop):
    says(desktop, "Filters and mode")
    desktop.find("segment brain tissue").controls()
    page = desktop.page
    page.click("#filter-dimensions input")
    page.get_by_role("option").filter(has_text="3D (").first.click()
    says(desktop, "Filters (1) and mode")
    desktop.find()
    box = page.locator("#followtext :is(input, textarea)")
    box.fill("only open licences")
    desktop.after(lambda: box.press("Enter"))
    says(desktop, "Filters (2) and mode")
    desktop.act('#chips [data-kind="dimensions"]')
    says(desktop, "Filters (1) and mode")
    assert desktop.errors == []


def test_a_link_with_filters_is_counted_too(desktop):
    desktop.go(LINK).done()
    says(desktop, "Filters (2) and mode")
    assert desktop.errors == []


def test_one_drawer_is_open_at_a_time_and_escape_or_a_search_closes_it(desktop):
    desktop.controls().open("#memory")
    page = desktop.page
    page.wait_for_selector(OPEN, state="detached")
    page.wait_for_selector("#memory > .label-wrap.open")
    page.keyboard.press("Escape")
    page.wait_for_selector("#memory > .label-wrap.open", state="detached")
    desktop.controls()
    # The choices of a box are closed first.
    page.click("#filter-dimensions input")
    page.keyboard.press("Escape")
    assert page.locator(OPEN).count() == 1
    desktop.find("segment lungs")
    page.wait_for_selector(OPEN, state="detached")
    assert page.evaluate("document.activeElement.closest('#line')") is None
    assert desktop.errors == []


def test_on_a_phone_the_filters_are_a_sheet_and_back_closes_it(visiting):
    one = visiting("phone").go().find("segment lungs")
    page, cards = one.page, one.cards()
    page.click(HEAD)
    page.wait_for_selector(OPEN)
    at = page.evaluate(SHEET)
    assert (at["place"], at["wide"], at["low"]) == ("fixed", True, True)
    assert at["top"] >= 60
    page.go_back()
    page.wait_for_selector(OPEN, state="detached")
    assert one.cards() == cards
    assert page.evaluate("document.activeElement.matches('#controls > .label-wrap')")
    # The head closes it as well, and leaves no step behind.
    page.click(HEAD)
    page.wait_for_selector(OPEN)
    page.click(HEAD)
    page.wait_for_selector(OPEN, state="detached")
    page.wait_for_function("history.state?.scanscout !== 'drawer'")
    assert one.errors == []


def test_on_a_phone_a_search_from_the_sheet_is_one_step_back(visiting):
    one = visiting("phone").go().find("segment lungs")
    page, before = one.page, one.address()
    page.click(HEAD)
    page.uncheck("#rerank input")
    one.after(lambda: page.click("#find"))
    page.wait_for_selector(OPEN, state="detached")
    assert "nr=1" in one.address()
    one.after(page.go_back)
    assert one.address() == before
    assert one.errors == []


def test_on_a_phone_the_scan_is_removed_without_unfolding(visiting, dicom_folder):
    one = visiting("phone").go().upload(*sorted(dicom_folder.iterdir())).find("segment lungs")
    button = one.page.get_by_role("button", name="Remove scan")
    box = button.bounding_box()
    assert box["width"] >= 28
    assert box["x"] + box["width"] <= 390
    one.after(button.click)
    assert one.page.locator("#scan .scan").count() == 0
    assert one.errors == []
