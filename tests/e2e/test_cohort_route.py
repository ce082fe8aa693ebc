"""The cohort route agrees with the command line, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from planting import sizes
from test_checks_page import violations

from tests.cohort.making import subjects, zipped

AGAIN = """before => document.body.dataset.search === "done"
  && document.querySelector("#cohort").innerHTML !== before
  && document.querySelector("#cohort .card [data-tool]")"""
BEYOND_CARDS = """() => [...document.querySelectorAll("#cohort .card")].flatMap(card => {
  const edge = card.getBoundingClientRect().right + 1;
  return [...card.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > edge)
    .map(one => one.innerText);
})"""
ROOT = Path(__file__).resolve().parents[2]


def test_page_and_command_line_agree_on_a_zip_of_subjects(desktop, settings, upload_dir, tmp_path):
    packed = zipped(subjects(tmp_path / "data"), tmp_path / "XQ77ZEBU.zip")
    before = set(sizes(upload_dir))
    page = desktop.go("cohort").page
    page.fill("#cohorttext textarea", "segment organs")
    page.set_input_files("#files input[type=file]", str(packed))
    page.wait_for_selector("body[data-search=done]", timeout=120_000)
    assert page.locator("#cohort .card").count() == 2
    assert page.locator("#cohort table tbody tr").count() == 1
    assert violations(page) == []
    name = page.locator("#cohort .card .name").first
    name.click()
    page.wait_for_selector(f'#detail .detail[data-tool="{name.get_attribute("data-id")}"]')
    page.click('#detail [data-tab="fit"]')
    assert page.locator('#detail [data-part="fit"] table').is_visible()
    assert violations(page) == []
    desktop.closed()
    assert set(sizes(upload_dir)) <= before
    assert "XQ77ZEBU" not in page.content()
    shown = json.loads(desktop.exported("cohortjson"))
    assert "missing-slices" in desktop.exported("cohortcsv")
    told = {
        **os.environ,
        "SCANSCOUT_CATALOG": str(settings.catalog),
        "SCANSCOUT_INDEX_DIR": str(settings.index_dir),
        "SCANSCOUT_CACHE_DIR": str(settings.cache_dir),
    }
    done = subprocess.run(
        [sys.executable, "-m", "retrieval", "cohort", "segment organs", str(packed)],
        cwd=ROOT,
        env=told,
        capture_output=True,
        check=True,
        timeout=200,
    )
    assert json.loads(done.stdout) == shown
    assert desktop.errors == []


def test_names_and_verdicts_stay_inside_their_cards_at_every_width(desktop, tmp_path):
    packed = zipped(subjects(tmp_path / "data"), tmp_path / "subjects.zip")
    page = desktop.go("cohort").page
    page.fill("#cohorttext textarea", "segment the brain")
    page.set_input_files("#files input[type=file]", str(packed))
    page.wait_for_selector("#cohort .card .badge", timeout=120_000)
    for width in (1440, 1024, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(BEYOND_CARDS) == [], width
    assert desktop.errors == []


def test_another_task_is_searched_for_the_files_that_were_read(desktop, tmp_path):
    packed = zipped(subjects(tmp_path / "data"), tmp_path / "subjects.zip")
    page = desktop.go("cohort").page
    page.click("#find")
    page.wait_for_function("document.querySelector('#status').innerText.includes('Add a zip')")
    assert not page.locator("#export").is_visible()
    page.set_input_files("#files input[type=file]", str(packed))
    page.wait_for_selector("body[data-search=done]", timeout=120_000)
    first = desktop.exported("cohortjson")
    shown = page.locator("#cohort").inner_html()
    page.fill("#cohorttext textarea", "segment organs")
    page.press("#cohorttext textarea", "Enter")
    page.wait_for_function(AGAIN, arg=shown, timeout=120_000)
    assert desktop.exported("cohortjson") != first
    assert violations(page) == []
    assert desktop.errors == []
