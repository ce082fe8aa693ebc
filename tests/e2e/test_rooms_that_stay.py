"""Cohort keeps what it has while one is elsewhere; the catalog's record stays beside its list."""

from __future__ import annotations

from test_rooms import at_home, room, to

from tests.cohort.making import subjects, zipped

PANE = """() => {
  const {top, bottom} = document.querySelector('#right').getBoundingClientRect();
  const bar = document.querySelector('#browselist').getBoundingClientRect();
  return {top, bottom, list: bar.top, scrolled: scrollY, high: innerHeight};
}"""


def test_cohort_keeps_its_subjects_words_and_tool_while_one_is_in_search(desktop, tmp_path):
    packed = zipped(subjects(tmp_path / "data"), tmp_path / "subjects.zip")
    page = desktop.page
    to(page, "Cohort")
    cohort = room(desktop, "Cohort")
    cohort.fill("#cohorttext textarea", "segment organs")
    cohort.set_input_files("#files input[type=file]", str(packed))
    cohort.wait_for_selector("body[data-search=done]", timeout=120_000)
    shown = cohort.inner_text("#cohort")
    name = cohort.query_selector("#cohort .card .name")
    tool = name.get_attribute("data-id")
    name.click()
    cohort.wait_for_selector(f'#detail .detail[data-tool="{tool}"]')
    to(cohort, "Search")
    at_home(desktop).find("segment lungs")
    to(page, "Cohort")
    again = room(desktop, "Cohort")
    assert again.inner_text("#cohort") == shown
    assert again.input_value("#cohorttext textarea") == "segment organs"
    assert again.query_selector(f'#detail .detail[data-tool="{tool}"]') is not None
    # The session behind it is the same: what was read can be searched again.
    again.fill("#cohorttext textarea", "register images")
    again.press("#cohorttext textarea", "Enter")
    again.wait_for_function(
        "(old) => document.querySelector('#cohort').innerText !== old", arg=shown, timeout=120_000
    )
    again.wait_for_selector("#cohort .card")
    assert desktop.errors == []


def test_the_record_stays_beside_the_list_of_the_catalog_however_far_that_is_scrolled(desktop):
    page = desktop.go("catalog").page
    name = page.locator("#browselist .name").nth(1)
    name.click()
    page.wait_for_selector(f'#detail .detail[data-tool="{name.get_attribute("data-id")}"]')
    page.locator("#browselist .name").nth(30).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, 400)
    # The turn of a wheel may take effect long after it was sent.
    page.wait_for_function("(y) => scrollY >= y + 399", arg=before)
    assert page.evaluate("scrollY") > 1200
    at = page.evaluate(PANE)
    assert at["list"] < 0
    assert 0 <= at["top"] <= 120
    assert at["bottom"] <= at["high"]
    # Another row opens in the same place, and the page stays where it is.
    other = page.locator("#browselist .name").nth(32)
    other.click()
    page.wait_for_selector(f'#detail .detail[data-tool="{other.get_attribute("data-id")}"]')
    now = page.evaluate(PANE)
    assert abs(now["scrolled"] - at["scrolled"]) < 2
    assert 0 <= now["top"] <= 120
    assert desktop.errors == []
