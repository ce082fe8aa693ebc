"""An upload of more series than a page of the table holds: each is reached, and can be chosen."""

from __future__ import annotations

import pytest
from conftest import series_slice
from pydicom.uid import MRImageStorage, generate_uid

NUMBERS = "e => e.map((x) => parseInt(x.textContent))"
ROWS = "#scan .facts th[scope=row]"
PICKED = "#scan tr.picked"


@pytest.fixture
def sixty(tmp_path):
    """Sixty DICOM series of one slice; the last is the only one of its size, and of MR."""
    paths = []
    for number in range(60):
        one = series_slice(1, generate_uid())
        one.SeriesNumber = number + 1
        if number == 59:
            one.Modality, one.SOPClassUID = "MR", MRImageStorage
            one.file_meta.MediaStorageSOPClassUID = MRImageStorage
        one.Rows = 8 if number == 59 else 16
        one.PixelData = bytes(2 * one.Rows * one.Columns)
        path = tmp_path / f"{number:02}.dcm"
        one.save_as(path, enforce_file_format=True)
        paths.append(path)
    return paths


def numbers(page) -> list[int]:
    return page.eval_on_selector_all(ROWS, NUMBERS)


def on_page(page, number):
    """The table turned to a page by its button."""
    page.click(f'#scan .pager >> text="{number}"')
    page.wait_for_selector(f'#scan .pager [aria-current] >> text="{number}"')


def use(page, name):
    page.get_by_role("radio", name=name, exact=True).click()


def test_every_series_of_a_large_upload_has_its_row(desktop, sixty):
    page = desktop.upload(*sixty).page
    assert numbers(page) == list(range(1, 41))
    page.click("#scan .pager >> text=Next")
    page.wait_for_selector('#scan .pager [aria-current] >> text="2"')
    assert numbers(page) == list(range(41, 61))
    assert page.evaluate("document.activeElement.ariaLabel") == "Page 2"
    assert "16 × 8" in page.locator("#scan .facts tbody tr").last.inner_text()
    page.click("#scan .pager >> text=Previous")
    page.wait_for_selector('#scan .pager [aria-current] >> text="1"')
    assert numbers(page) == list(range(1, 41))
    assert desktop.errors == []


def test_a_picked_series_keeps_its_number_and_the_others_stay_listed(desktop, sixty):
    page = desktop.upload(*sixty).page
    use(page, "Use series 3 alone")
    page.wait_for_selector(PICKED)
    assert "using series 3" in page.inner_text("#scan .scanline")
    assert numbers(page) == list(range(1, 41))
    assert page.inner_text(f"{PICKED} th").split() == ["3", "used"]


def test_the_last_of_sixty_series_is_held_against_the_tools(desktop, sixty):
    page = desktop.upload(*sixty).page
    assert {"format:CT", "format:MRI"} <= set(desktop.chips())
    on_page(page, 2)
    use(page, "Use series 60 alone")
    page.wait_for_selector(PICKED)
    assert page.inner_text(f"{PICKED} th").split() == ["60", "used"]
    assert "MRI · 3D · 16 × 8" in page.inner_text("#scan .inshort")
    assert "Only the first few scans of an upload are drawn." in page.inner_text("#scan .scanleft")
    desktop.find("segment lungs")
    assert "format:MRI" in desktop.chips()
    assert "format:CT" not in desktop.chips()
    verdicts = [fact for one in desktop.answer()["candidates"] for fact in one["fit"]]
    seen = {fact["scan"] for fact in verdicts if fact["fact"] == "modality"}
    assert seen == {"MRI"}
    assert desktop.errors == []


def test_keys_choose_a_series_and_all_of_them_again(desktop, sixty):
    page = desktop.upload(*sixty).page
    on_page(page, 2)
    use(page, "Use series 59 alone")
    page.wait_for_selector(f"{PICKED} >> text=59")
    page.wait_for_function("document.activeElement.ariaLabel === 'Use series 59 alone'")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(f"{PICKED} >> text=60")
    page.wait_for_function("document.activeElement.ariaLabel === 'Use series 60 alone'")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(PICKED, state="detached")
    assert "using series" not in page.inner_text("#scan .scanline")
    assert {"format:CT", "format:MRI"} <= set(desktop.chips())
    assert desktop.errors == []


def test_many_series_leave_few_buttons(desktop, sixty):
    desktop.upload(*sixty).find("segment lungs")
    assert desktop.page.locator("button:enabled").count() <= 250
