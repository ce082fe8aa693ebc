"""Findings name a file by its place in the browser's own list, and say one thing once."""

from __future__ import annotations

import re
import zipfile

import nibabel as nib
import numpy as np
import pytest
from conftest import series_slice
from pydicom.uid import generate_uid

CHOSEN = """() => document.addEventListener('change', (event) => {
  if (event.target.type === 'file') window.chosen = [...event.target.files].map((f) => f.name);
}, true)"""
"""The names in the order of the browser's list; they stay in the browser."""

NAMES = ("scan_d", "scan_b", "scan_e", "scan_a", "scan_c")
DAMAGED = "scan_e"


@pytest.fixture
def folder(tmp_path):
    """Five slices written in no order of their names; the third of them is damaged."""
    place, series = tmp_path / "study", generate_uid()
    place.mkdir()
    for number, name in enumerate(NAMES, start=1):
        series_slice(number, series).save_as(place / name, enforce_file_format=True)
    (place / DAMAGED).write_bytes(b"no picture at all " * 40)
    return place


def refused(one):
    one.page.wait_for_selector("#scan .refused")
    if one.page.locator("#scan .unfold").is_visible():
        one.page.click("#scan .unfold")
    return one.page.locator("#scan .refused li").all_inner_texts()


def test_a_damaged_file_of_a_folder_is_named_by_its_place_in_the_browsers_list(desktop, folder):
    desktop.page.evaluate(CHOSEN)
    desktop.upload(folder, into="#uploadrow")
    chosen = desktop.page.evaluate("window.chosen")
    assert sorted(chosen) == sorted(NAMES)
    (said,) = refused(desktop)
    assert said.startswith(f"File {chosen.index(DAMAGED) + 1}: ")
    assert not [name for name in NAMES if name in desktop.page.content()]
    assert desktop.errors == []


def test_files_given_one_by_one_keep_the_order_in_which_they_were_given(desktop, folder):
    desktop.page.evaluate(CHOSEN)
    desktop.upload(*(folder / name for name in NAMES))
    assert desktop.page.evaluate("window.chosen") == list(NAMES)
    (said,) = refused(desktop)
    assert said.startswith("File 3: ")


def test_a_damaged_file_inside_a_zip_is_named_by_its_place_in_that(desktop, folder, nifti):
    archive = folder.parent / "study.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in NAMES:
            packed.write(folder / name, f"study/{name}")
    desktop.upload(nifti, archive)
    (said,) = refused(desktop)
    assert said.startswith("File 2, item 3 inside it: ")


def test_a_note_on_one_of_several_series_names_its_file(desktop, tmp_path):
    """The middle one is cut behind its header: it is read, and said to lack data."""
    paths = [tmp_path / f"volume_{letter}.nii" for letter in "cab"]
    for n, path in enumerate(paths):
        voxels = np.full((12 + n, 12, 12), n + 1, dtype=np.int16)
        nib.save(nib.Nifti1Image(voxels, np.eye(4)), path)
    whole = paths[1].read_bytes()
    paths[1].write_bytes(whole[: len(whole) // 2])
    desktop.page.evaluate(CHOSEN)
    desktop.upload(*paths)
    place = desktop.page.evaluate("window.chosen").index(paths[1].name) + 1
    notes = desktop.page.locator("#scan .doctor li").all_inner_texts()
    (lacking,) = [note for note in notes if "shorter than its header says" in note]
    assert re.search(rf"Series 2 \(file {place}\): ", lacking)
    assert place == 2


@pytest.mark.parametrize("name", ["cut.nii", "cut.dcm"])
def test_a_file_cut_behind_its_header_is_not_said_to_end_inside_it(desktop, tmp_path, name):
    path = tmp_path / name
    if name.endswith(".nii"):
        nib.save(nib.Nifti1Image(np.ones((16, 16, 16), np.int16), np.eye(4)), path)
    else:
        series_slice(1, generate_uid()).save_as(path, enforce_file_format=True)
    path.write_bytes(path.read_bytes()[:-100])
    text = desktop.upload(path).page.locator("#scan").text_content()
    assert text.count("shorter than its header says") == 1
    assert "ends inside its header" not in text
