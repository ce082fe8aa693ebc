"""A folder as people keep it: what tells of the data set is no scan, and no mistake."""

from __future__ import annotations

import pytest

from retrieval.scans.front import read_scans
from retrieval.scans.reader.context import is_about_the_set
from tests.scans.makers import nifti, series, smooth

pytestmark = pytest.mark.process

ABOUT = ("dataset_description.json", "participants.tsv", "README", "CHANGES", "sub-01_scans.tsv")


@pytest.fixture
def bids(tmp_path):
    anat = tmp_path / "sub-01" / "anat"
    anat.mkdir(parents=True)
    nifti(anat / "sub-01_T1w.nii.gz", smooth((12, 12, 12)))
    for name in ABOUT:
        (tmp_path / name).write_text("{}", encoding="utf-8")
    return tmp_path


def test_what_tells_of_the_data_set_is_not_refused_beside_a_scan(bids):
    upload = read_scans([bids])
    assert len(upload.scans) == 1
    assert upload.refused == ()


def test_the_same_texts_alone_are_refused_each(bids):
    paths = [bids / name for name in ABOUT]
    assert len(read_scans(paths).refused) == len(ABOUT)


def test_another_text_beside_a_scan_is_still_refused(bids):
    (bids / "notes.txt").write_text("no scan", encoding="utf-8")
    assert len(read_scans([bids]).refused) == 1


def test_a_scan_under_such_a_name_is_read(tmp_path):
    series(tmp_path, [0, 2, 4])
    (tmp_path / "0001").rename(tmp_path / "README")
    assert [scan.files for scan in read_scans([tmp_path]).scans] == [3]


@pytest.mark.parametrize("name", ["a/README.md", "B\\Participants.TSV", "sub-1_ses-2_scans.tsv"])
def test_names_are_known_whatever_their_case_and_folder(name):
    assert is_about_the_set(name)
    assert not is_about_the_set(f"{name}.nii")


def test_a_damaged_scan_under_such_a_name_is_still_refused(tmp_path):
    series(tmp_path, [0, 2, 4])
    whole = (tmp_path / "0002").read_bytes()
    (tmp_path / "README").write_bytes(whole[:140])
    told = read_scans([tmp_path])
    assert [scan.files for scan in told.scans] == [3]
    assert len(told.refused) == 1
