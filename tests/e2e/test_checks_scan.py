"""Checks 15 to 19: files in, facts out, nothing kept, nothing told."""

from __future__ import annotations

import nibabel as nib
import numpy as np
from conftest import PATIENT


def left(folder, name: str = "") -> list:
    return [p for p in folder.rglob("*") if p.is_file() and name in p.name]


def test_check_15_nifti_gives_tokens_three_pictures_and_leaves_nothing(visit, nifti, upload_dir):
    visit.upload(nifti)
    assert {"format:NIfTI", "format:3D"} <= set(visit.chips())
    pictures = visit.page.locator("#scan img")
    assert pictures.count() == 3
    assert all("slice" in pictures.nth(n).get_attribute("alt") for n in range(3))
    assert left(upload_dir, "smith_john") == []
    assert "smith" not in visit.page.content()


def test_check_16_dicom_without_extension_tells_no_name(visit, dicom_folder, upload_dir):
    visit.upload(*sorted(dicom_folder.iterdir())).find("segment lungs")
    assert set(visit.chips()) == {"format:DICOM", "format:CT", "format:3D"}
    places = [
        visit.page.content(),
        visit.address(),
        visit.page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"),
        visit.exported("json"),
        visit.exported("csv"),
    ]
    canaries = (PATIENT, "Patricia", "CANARY-77", "IM0001")
    assert not [c for c in canaries if any(c in place for place in places)]
    assert left(upload_dir, "IM00") == []


def test_check_16_dicom_folder_gives_one_series(desktop, dicom_folder):
    desktop.upload(dicom_folder, into="#uploadrow")
    assert set(desktop.chips()) == {"format:DICOM", "format:CT", "format:3D"}
    assert "Patricia" not in desktop.page.content()


def test_check_17_corrupt_file_is_named_by_position_and_search_runs(visit, broken_nifti):
    visit.upload(broken_nifti)
    said = visit.page.locator("#scan [role=alert]").inner_text()
    assert said.startswith("File 1: ")
    assert "doe_jane" not in visit.page.content()
    assert visit.find("segment brain").cards()


def test_check_18_too_large_a_file_is_refused_with_the_limit(visit, tmp_path):
    big = tmp_path / "big.nii"
    big.write_bytes(b"\0" * 6_000_000)
    visit.page.set_input_files("#files input[type=file]", str(big))
    visit.page.wait_for_selector("text=exceed the maximum allowed size of 5")
    assert visit.page.locator("#scan .scan").count() == 0
    assert visit.find("segment brain").cards()


def test_check_19_removed_chip_is_gone_from_link_export_and_search(visit, nifti):
    visit.upload(nifti).find("segment brain")
    assert "format%3A3D" in visit.address()
    visit.act('#chips [data-id="format:3D"]')
    assert "format:3D" not in visit.chips()
    assert "format%3A3D" not in visit.address()
    assert "format:3D" not in visit.answer()["query"]["tokens"]


def test_unknown_modality_is_asked_for_in_one_click(desktop, nifti):
    desktop.upload(nifti)
    if desktop.page.locator("#scan .ask").count() == 0:
        return
    desktop.page.fill("#query textarea", "segment brain")
    desktop.act('#scan [data-act=modality][data-id="MRI"]')
    assert "format:MRI" in desktop.chips()


def test_real_scans_are_shown_with_their_facts(visiting, shared_scans):
    one = visiting("desktop").go()
    one.upload(shared_scans / "ext" / "dicom" / "ct_series.zip").find("segment lungs")
    assert "format:CT" in one.chips()
    assert one.page.locator("#cards .badge-good").count() > 0


def test_one_of_several_series_can_be_picked(visiting, shared_scans):
    one = visiting("desktop").go()
    folder = shared_scans / "ext" / "dicom"
    one.upload(folder / "mr_series.zip", folder / "ct_series.zip")
    assert {"format:MRI", "format:CT"} <= set(one.chips())
    one.page.click("#scan [aria-label='Use series 2 alone']")
    one.chips_are("format:DICOM", "format:CT", "format:3D")


def test_removed_scan_leaves_no_token(desktop, nifti):
    desktop.upload(nifti)
    desktop.page.click("#scan [data-act=clear]")
    desktop.page.wait_for_selector("#scan .scan", state="detached")
    assert desktop.chips_are().chips() == []


def test_a_role_can_be_overruled_and_changes_the_search(desktop, tmp_path):
    paths = [tmp_path / f"sub-1_{kind}.nii" for kind in ("T1w", "FLAIR")]
    for n, path in enumerate(paths):
        voxels = np.full((8, 8, 8), n + 1, dtype=np.int16)
        nib.save(nib.Nifti1Image(voxels, np.eye(4)), path)
    desktop.upload(*paths).find("look at brain scans")
    assert "They look like: multi-contrast" in desktop.page.locator("#scan").inner_text()
    before = desktop.answer()["query"]["tokens"]
    assert "task:registration" in before
    desktop.page.click("#scan .unfold")
    desktop.page.locator("#scan .roles summary").click()
    desktop.act('#scan [data-act=role][data-id="time points"]')
    assert "They look like: time points" in desktop.page.locator("#scan").inner_text()
    after = desktop.answer()["query"]["tokens"]
    assert "task:tracking" in after
    assert "task:registration" not in after
