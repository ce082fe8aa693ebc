"""Stop ends a reading: the files read until then are a scan, or a cohort, named as partial."""

from __future__ import annotations

import re
import zipfile
from time import sleep

import pytest
from planting import sizes
from test_checks_page import violations

from components.panels.routes import cohort
from components.panels.search import scan
from retrieval import Progress
from retrieval.scans.limits import Limits
from tests.scans.makers import series

MANY = 4000
"""Files whose counts fill more than a pipe holds: no reader is through before it is heard out."""

AMPLE = Limits(batch_s=600.0, batch_s_most=600.0, members=6000)
CUT = re.compile(r"Stopped after (\d+) of 4006 files; what was read is used\.")


@pytest.fixture
def packed(tmp_path):
    """A zip of one subject: six slices of a CT, then thousands of small files that are no scan."""
    folder = series(tmp_path / "sub-01", [0, 2, 4, 6, 8, 10])
    with zipfile.ZipFile(tmp_path / "study.zip", "w") as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, f"data/sub-01/{file.name}")
        for n in range(MANY):
            archive.writestr(f"data/sub-01/x{n:04}", b"x")
    return tmp_path / "study.zip"


def held(stream):
    """The real reading, which waits for Stop once a few files are through."""

    def reading(paths, *, halt):
        for part in stream(paths, halt=halt, limits=AMPLE):
            yield part
            if isinstance(part, Progress) and part.read >= 8:
                while not halt.requested:
                    sleep(0.05)

    return reading


def stopped(page, path):
    """Give the file, wait for a count of files on the page, press Stop."""
    page.set_input_files("#files input[type=file]", str(path))
    page.wait_for_selector("#status >> text=/Reading file \\d+ of 4006/", timeout=120_000)
    page.click("#stop")


def test_stop_keeps_the_files_read_and_names_the_scan_as_partial(
    desktop, packed, monkeypatch, upload_dir
):
    monkeypatch.setattr(scan, "stream_scans", held(scan.stream_scans))
    page, before = desktop.page, set(sizes(upload_dir))
    stopped(page, packed)
    page.wait_for_selector("#scan .partial", timeout=120_000)
    said = CUT.search(page.locator("#scan .partial").inner_text())
    assert said
    assert 8 <= int(said[1]) < MANY
    assert set(desktop.chips()) == {"format:DICOM", "format:CT", "format:3D"}
    assert "Read in part" in page.locator("#scan .ledger").inner_html()
    assert set(sizes(upload_dir)) <= before
    assert violations(page) == []
    assert desktop.find("segment lungs").cards()
    assert "read in part" in page.locator("#status .ledger").inner_html()
    answer = desktop.answer()
    assert "partly-read" in answer["query"]["scans"][0]["notes"]
    assert "scan" in [told["stage"] for told in answer["metadata"]["fallbacks"]]
    assert desktop.errors == []


def test_stop_keeps_the_part_of_a_cohort_that_was_read_and_searches_with_it(
    desktop, packed, monkeypatch, upload_dir
):
    monkeypatch.setattr(cohort, "stream_subjects", held(cohort.stream_subjects))
    before = set(sizes(upload_dir))
    page = desktop.go("cohort").page
    page.fill("#cohorttext textarea", "segment organs")
    stopped(page, packed)
    page.wait_for_selector("body[data-search=stopped]", timeout=120_000)
    assert CUT.search(page.locator("#cohort .partial").inner_text())
    assert page.locator("#cohort .card [data-tool]").count() > 0
    assert set(sizes(upload_dir)) <= before
    assert violations(page) == []
    assert desktop.errors == []
