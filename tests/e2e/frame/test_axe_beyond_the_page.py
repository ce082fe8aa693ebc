"""Axe finds nothing in what is there before the page, and in the table of many series."""

from __future__ import annotations

import pytest
from conftest import series_slice
from pydicom.uid import generate_uid
from test_checks_page import violations

BOTH = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


@pytest.fixture
def series(tmp_path):
    """Three DICOM series of one slice."""
    paths = []
    for number in range(3):
        path = tmp_path / f"{number}.dcm"
        series_slice(1, generate_uid()).save_as(path, enforce_file_format=True)
        paths.append(path)
    return paths


@BOTH
def test_axe_finds_nothing_in_the_first_list(visiting, size, dark):
    one = visiting(size, dark=dark, fresh=True)
    one.page.route("**/scanscout/pack-*.js", lambda request: None)
    one.page.goto(one.url, wait_until="commit")
    one.page.wait_for_selector("#firsttext")
    assert violations(one.page, "#first") == []
    one.page.fill("#firsttext", "segment lungs")
    one.page.press("#firsttext", "Enter")
    one.page.wait_for_selector("#first li")
    assert violations(one.page) == []


@BOTH
def test_axe_finds_nothing_in_the_table_of_series_before_and_after_a_choice(
    visiting, size, dark, series
):
    one = visiting(size, dark=dark).go().upload(*series)
    page = one.page
    assert page.locator("#scan input[type=radio]").count() == len(series)
    assert violations(page, "#scan") == []
    page.get_by_role("radio", name="Use series 2 alone", exact=True).click()
    page.wait_for_selector("#scan tr.picked")
    assert violations(page, "#scan") == []


@BOTH
def test_a_choice_of_a_series_is_drawn_as_the_browser_draws_one(visiting, dark, series):
    page = visiting(dark=dark).go().upload(*series).page
    look = "e => { const s = getComputedStyle(e); return [s.appearance, s.colorScheme]; }"
    drawn = page.locator("#scan input[type=radio]").first.evaluate(look)
    # An empty one of the light scheme is a white disc in the dark and looks chosen.
    assert drawn == ["auto", "dark" if dark else "normal"]
    assert "Use alone" in page.inner_text("#scan thead")
