import csv

import pytest

from retrieval.scans.front import read_each

#: Its qform and sform are mirror images of each other: the finding is right.
TRULY_FLAWED = {
    "pkg/nifti/JHU-WhiteMatter-labels-1mm.nii.gz",  # qform and sform disagree
    "pkg/dicom/tiny_dicomdir_study.zip",  # headers without pixels
    "made/dicom/ct_no_preamble.dcm",
}


@pytest.fixture(scope="module")
def rows(shared):
    with (shared / "truth.csv").open(encoding="utf-8") as stream:
        listed = list(csv.DictReader(stream))
    uploads = read_each([shared / row["path"] for row in listed])
    return list(zip(listed, uploads, strict=True))


def test_every_real_file_has_its_required_tokens(rows):
    missed = {r["path"]: set(r["tokens_required"].split()) - set(u.tokens) for r, u in rows}
    assert {path: tokens for path, tokens in missed.items() if tokens} == {}


def test_every_real_file_has_one_of_each_group_of_tokens(rows):
    for row, upload in rows:
        for group in filter(str.strip, row["tokens_anyof"].split(";")):
            assert {part.strip() for part in group.split("|")} & set(upload.tokens), row["path"]


def test_no_real_file_has_a_forbidden_token(rows):
    wrong = {r["path"]: set(r["tokens_forbidden"].split()) & set(u.tokens) for r, u in rows}
    assert {path: tokens for path, tokens in wrong.items() if tokens} == {}


def test_clean_files_have_no_finding_above_info(rows):
    loud = {r["path"] for r, u in rows if any(f.severity != "info" for f in u.findings)}
    assert loud <= TRULY_FLAWED


def test_files_with_identifying_fields_are_counted_as_such(rows):
    for row, upload in rows:
        if row["has_phi"] == "yes":
            assert upload.ledger.dropped > 0, row["path"]
