"""With a wish and a scan the whole answer is in view, and one place starts and stops a search."""

from __future__ import annotations

import pytest

PLACES = """() => {
  const box = (one) => one && one.checkVisibility() ? one.getBoundingClientRect().toJSON() : null;
  const rows = [...document.querySelectorAll('#cards .card')].filter((c) => c.checkVisibility());
  const of = (selector) => box(document.querySelector(selector));
  return {
    first: box(rows[0]), fifth: box(rows[4]),
    all: {
      'scan line': of('#scan .inshort'), 'wish': of('#chips .chip-wish'),
      'token': of('#chips .chip-token'), 'heading of the detail': of('#detail h2'),
      'command': of('#detail .take pre'), 'copy': of('#detail .take .btn'),
      'row 1': box(rows[0]), 'row 5': box(rows[4]),
    },
    width: innerWidth, height: innerHeight, scrolled: scrollY,
  };
}"""
PLACE = "(e) => e.checkVisibility() ? e.getBoundingClientRect().toJSON() : null"


def inside(box, width, height):
    if box is None or min(box["top"], box["left"]) < 0:
        return False
    return box["bottom"] <= height and box["right"] <= width


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080)])
def test_rows_scan_wish_and_command_need_no_scrolling(desktop, shared_scans, width, height):
    page = desktop.page
    page.set_viewport_size({"width": width, "height": height})
    desktop.upload(shared_scans / "ext" / "dicom" / "ct_series.zip")
    desktop.find("segment lungs in Python").still()
    page.wait_for_selector("#detail .take pre")
    at = page.evaluate(PLACES)
    assert at["scrolled"] == 0
    outside = [name for name, box in at["all"].items() if not inside(box, width, height)]
    assert outside == []
    assert at["first"]["top"] <= 360


def place(page, id):
    """The box of a button in whole pixels, or None where it is not to be seen."""
    box = page.eval_on_selector(f"#{id}", PLACE)
    return box and [round(box[side]) for side in ("left", "top", "width", "height")]


def test_stop_stands_where_find_stood(visit, held):
    page = visit.find("segment lungs").page
    find = place(page, "find")
    assert place(page, "stop") is None
    page.fill("#query textarea", "segment lungs slowly")
    page.click("#find")
    page.wait_for_selector("#stop:visible")
    assert place(page, "find") is None
    assert place(page, "stop") == find
    held.set()
    visit.done()
    assert place(page, "find") == find


def test_while_a_file_is_read_stop_stands_where_find_stood(visit, nifti, reading):
    page = visit.page
    find = place(page, "find")
    assert find
    page.set_input_files("#files input[type=file]", str(nifti))
    page.wait_for_selector("#status >> text=/Reading/")
    page.wait_for_selector("#stop:visible")
    assert place(page, "find") is None
    # What is said of the reading may stand above; the place in its row is the same.
    assert place(page, "stop") == find
    reading.set()
    page.wait_for_selector("#scan .scan")
    page.wait_for_selector("#find:visible")
    assert visit.errors == []
