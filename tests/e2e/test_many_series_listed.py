"""An upload of more series than a page of the table holds: each of them is reached."""

from __future__ import annotations

import pytest
from conftest import series_slice
from pydicom.uid import generate_uid

NUMBERS = "e => e.map((x) => parseInt(x.textContent))"
ROWS = "#scan .facts th[scope=row]"


@pytest.fixture
def sixty(tmp_path):
    """Sixty DICOM series of one slice; the last is the only one of its size."""
    paths = []
    for number in range(60):
        one = series_slice(1, generate_uid())
        one.SeriesNumber = number + 1
        one.Rows = 8 if number == 59 else 16
        one.PixelData = bytes(2 * one.Rows * one.Columns)
        path = tmp_path / f"{number:02}.dcm"
        one.save_as(path, enforce_file_format=True)
        paths.append(path)
    return paths


def numbers(page) -> list[int]:
    return page.eval_on_selector_all(ROWS, NUMBERS)


def test_every_series_of_a_large_upload_has_its_row(desktop, sixty):
    page = desktop.upload(*sixty).page
    assert numbers(page) == list(range(1, 41))
    page.click("#scan .pager >> text=Next")
    page.wait_for_selector('#scan .pager [aria-current] >> text="2"')
    assert numbers(page) == list(range(41, 61))
    assert page.evaluate("document.activeElement.ariaLabel") == "Page 2"
    assert "8 × 16" in page.locator("#scan .facts tbody tr").last.inner_text()
    page.click("#scan .pager >> text=Previous")
    page.wait_for_selector('#scan .pager [aria-current] >> text="1"')
    assert numbers(page) == list(range(1, 41))
    assert desktop.errors == []


def test_a_picked_series_keeps_its_number_and_the_others_stay_listed(desktop, sixty):
    page = desktop.upload(*sixty).page
    page.get_by_label("Series 3:").check()
    page.wait_for_selector("#scan tr.picked")
    assert "using series 3" in page.inner_text("#scan .scanline")
    assert numbers(page) == list(range(1, 41))
    assert page.inner_text("#scan tr.picked th").split() == ["3", "used"]
