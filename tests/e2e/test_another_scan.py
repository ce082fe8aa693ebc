"""A list that was made for another scan says so, until Find makes one for this scan."""

from __future__ import annotations

STALE = "#stale .stale"


def marked(visit, words):
    visit.page.wait_for_selector(f"{STALE} >> text={words}")


def test_a_second_upload_marks_the_list_until_find(desktop, dicom_folder, nifti):
    desktop.find("segment lungs")
    assert desktop.page.locator(STALE).count() == 0
    desktop.upload(*sorted(dicom_folder.iterdir()))
    marked(desktop, "The scan has changed")
    desktop.find()
    desktop.page.wait_for_selector(STALE, state="detached")
    desktop.page.set_input_files("#files input[type=file]", str(nifti))
    marked(desktop, "The scan has changed")
    desktop.find()
    desktop.page.wait_for_selector(STALE, state="detached")
    assert desktop.errors == []


def test_the_mark_of_a_list_for_another_scan_is_in_view_wherever_the_visitor_is(visit, nifti):
    page = visit.find("segment lungs").page
    page.evaluate("window.scrollTo(0, 900)")
    page.set_input_files("#files input[type=file]", str(nifti))
    marked(visit, "The scan has changed")
    page.evaluate("window.scrollTo(0, 900)")
    box = page.locator(STALE).bounding_box()
    bar = page.locator("#bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert 0 <= box["y"] - (bar["y"] + bar["height"]) < 20
    grey = "e => getComputedStyle(e).filter"
    assert page.locator("#cards .badges").first.evaluate(grey) == "grayscale(1)"
    visit.find()
    assert page.locator("#cards .badges").first.evaluate(grey) == "none"


def test_another_series_marks_the_list_until_find(desktop, shared_scans):
    folder = shared_scans / "ext" / "dicom"
    desktop.upload(folder / "mr_series.zip", folder / "ct_series.zip").find("segment lungs")
    assert desktop.page.locator(STALE).count() == 0
    desktop.page.click("#scan .unfold")
    desktop.page.click("#scan [aria-label='Use series 2 alone']")
    marked(desktop, "The scan has changed")
    desktop.find()
    desktop.page.wait_for_selector(STALE, state="detached")
    assert desktop.errors == []


def test_while_a_scan_is_read_the_list_says_that_it_does_not_count(desktop, dicom_folder, reading):
    desktop.find("segment lungs")
    files = [str(path) for path in sorted(dicom_folder.iterdir())]
    desktop.page.set_input_files("#files input[type=file]", files)
    marked(desktop, "A scan is being read")
    reading.set()
    marked(desktop, "The scan has changed")
    assert desktop.page.locator(STALE).count() == 1
    assert desktop.errors == []


def test_what_was_asked_of_a_list_and_scan_goes_with_them(desktop, dicom_folder, nifti):
    page = desktop.page
    desktop.upload(*sorted(dicom_folder.iterdir())).find("segment all organs with TotalSegmentator")
    page.click('#cards [data-act="select"][data-id="totalsegmentator"]')
    page.click('#right .tabs [data-tab="get"]')
    page.wait_for_selector("#recipe pre")
    desktop.open("#why")
    page.click("#whatif-graph")
    page.wait_for_selector("#whytold [role=status]")
    page.set_input_files("#files input[type=file]", str(nifti))
    marked(desktop, "The scan has changed")
    # An empty part gives way to the overview, and its tab asks anew.
    page.wait_for_selector('#right[data-tab="overview"]')
    assert page.inner_text("#recipe").strip() == ""
    page.click('#right .tabs [data-tab="get"]')
    page.wait_for_selector("#recipe pre")
    assert page.locator('#right[data-tab="get"]').count() == 1
    assert page.inner_text("#whytold").strip()
    desktop.find("denoise")
    assert page.inner_text("#whytold").strip() == page.inner_text("#recipe").strip() == ""
    assert desktop.errors == []
