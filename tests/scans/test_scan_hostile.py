import csv
import subprocess
import sys

import pytest

from retrieval.scans.front import read_each
from tests.scans.attacks import timed
from tests.scans.makers import SHARED

pytestmark = pytest.mark.process

NO_TOKENS = ("cut/mr_0", "cut/mr_60", "cut/mr_132", "cut/mr_145", "cut/vol_0", "cut/vol_200")
REFUSED = (
    *NO_TOKENS,
    "wrong/text",
    "wrong/empty",
    "bomb/many",
    "shape/deep",
    "zip/slip",
    "zip/inner",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    script = SHARED / "make_hostile.py"
    if not script.is_file():
        pytest.skip("the generator of hostile files (../shared/scans) is not here")
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([sys.executable, script, folder], check=True, capture_output=True)
    with (folder / "cases.csv").open(encoding="utf-8") as stream:
        return folder, list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def uploads(hostile):
    folder, cases = hostile
    found = read_each([folder / case["path"] for case in cases], preview=True)
    return {case["path"]: upload for case, upload in zip(cases, found, strict=True)}


def test_every_hostile_file_is_read_or_refused_with_a_reason(uploads):
    for path, upload in uploads.items():
        assert upload.scans or upload.refused, path


def test_what_must_be_refused_is_refused(uploads):
    for path, upload in uploads.items():
        if path.startswith(REFUSED):
            assert upload.scans == (), path
            assert upload.refused, path


def test_tokens_are_closed_codes_whatever_the_header_says(uploads):
    allowed = {f"format:{word}" for word in ("DICOM", "NIfTI", "MRI", "2D", "3D", "4D")}
    for path, upload in uploads.items():
        assert set(upload.tokens) <= allowed, path


@pytest.mark.parametrize(
    ("path", "tokens"),
    [
        ("ok/mr.dcm", "format:DICOM format:MRI format:3D"),
        ("ok/vol.nii.gz", "format:NIfTI format:3D"),
        ("wrong/swap.nii", "format:DICOM format:MRI format:3D"),
        ("size/zero_neg.nii", "format:NIfTI"),
        ("size/frames.dcm", "format:DICOM format:MRI"),
        ("bomb/deflated.dcm", "format:DICOM format:MRI"),
        ("zip/series.zip", "format:DICOM format:MRI format:2D"),
        ("poly/exe.dcm", "format:DICOM format:MRI format:3D"),
    ],
)
def test_hostile_files_that_are_readable_give_these_tokens(uploads, path, tokens):
    assert " ".join(uploads[path].tokens) == tokens


def test_an_unknown_transfer_syntax_is_said_plainly(uploads):
    assert "unknown-syntax" in [finding.code for finding in uploads["shape/syntax.dcm"].findings]


def test_no_spacing_is_ever_nan(uploads):
    assert uploads["size/pixdim_nan.nii"].scans[0].spacing is None


@pytest.mark.parametrize(
    "name",
    ["bomb/vol.nii.gz", "bomb/deflated.dcm", "bomb/many.zip", "shape/deep.dcm", "size/huge.nii"],
)
def test_no_single_file_takes_two_seconds(hostile, name):
    assert timed(hostile[0] / name)[1] < 2


def test_no_text_of_a_hostile_file_comes_out(uploads):
    said = repr(list(uploads.values()))
    for text in (
        "onmouseover",
        "EXCLUDE",
        "NO_RERANK",
        "MyTool",
        "javascript",
        "Dev^Sample",
        "hostile",
    ):
        assert text not in said
