"""The same file given twice is read once, and the upload says so."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from retrieval.scans import read_scans
from tests.scans.makers import nifti, smooth

pytestmark = pytest.mark.process


def test_a_file_given_twice_is_one_scan_with_a_note(tmp_path):
    first = nifti(tmp_path / "a.nii.gz", smooth((8, 9, 10)))
    copies = [shutil.copy(first, tmp_path / f"{k}.nii.gz") for k in range(2)]
    alone = read_scans([first])
    upload = read_scans([first, *copies])
    assert [scan.notes for scan in upload.scans] == [(*alone.scans[0].notes, "given-twice")]
    assert upload.refused == ()
    text = next(one.text for one in upload.findings if one.code == "given-twice")
    assert text == "The same file was given twice or more; it is read once."


def test_files_of_other_bytes_or_for_other_people_stay_apart(tmp_path):
    values = smooth((8, 9, 10))
    first = nifti(tmp_path / "sub-01_T1w.nii", values)
    other = nifti(tmp_path / "sub-01_run-2_T1w.nii", values + np.float32(1))
    person = shutil.copy(first, tmp_path / "sub-02_T1w.nii")
    upload = read_scans([first, other, person])
    assert len(upload.scans) == 3
    assert all("given-twice" not in scan.notes for scan in upload.scans)


def test_headers_of_the_same_bytes_beside_other_data_are_two_scans(tmp_path):
    for k, folder in enumerate(("a", "b")):
        (tmp_path / folder).mkdir()
        text = "ObjectType = Image\nNDims = 3\nDimSize = 4 5 6\nElementType = MET_SHORT\n"
        (tmp_path / folder / "s.mhd").write_text(f"{text}ElementDataFile = s.raw\n", "ascii")
        data = np.arange(120, dtype="<i2") * (k + 1) - 9
        (tmp_path / folder / "s.raw").write_bytes(data.tobytes())
    assert len(read_scans([tmp_path]).scans) == 2
