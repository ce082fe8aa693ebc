import json

import numpy as np
import pytest

from retrieval.core.codes import Format
from retrieval.scans.front import read_each, read_scans
from retrieval.scans.upload import Role
from tests.scans.makers import dicom, nifti, series, smooth

pytestmark = pytest.mark.process


@pytest.mark.requirement("S1-01")
def test_a_ct_slice_gives_exactly_format_modality_dimension(ct):
    assert read_scans([ct]).tokens == ("format:DICOM", "format:CT", "format:3D")


@pytest.mark.requirement("S1-01")
def test_a_ct_volume_as_a_folder_gives_the_same_tokens(tmp_path):
    upload = read_scans([series(tmp_path / "volume", [0, 2, 4, 6])])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert upload.scans[0].files == 4


@pytest.mark.parametrize(
    ("code", "token"), [("MR", "format:MRI"), ("PT", "format:PET"), ("CT", "format:CT")]
)
@pytest.mark.requirement("S1-02")
def test_dicom_modality_codes_become_their_normal_form(tmp_path, code, token):
    assert token in read_scans([dicom(tmp_path / "a", code)]).tokens


@pytest.mark.requirement("S1-02")
def test_nifti_dimension_is_2d_3d_or_4d(tmp_path):
    shapes = {"2D": (8, 9, 1), "3D": (8, 9, 7), "4D": (8, 9, 7, 3)}
    paths = [nifti(tmp_path / f"{name}.nii", smooth(shape)) for name, shape in shapes.items()]
    found = [upload.scans[0].dimension for upload in read_each(paths)]
    assert found == list(shapes)


@pytest.mark.requirement("S1-03")
def test_several_files_give_the_union_in_stable_order_without_duplicates(tmp_path, ct):
    volume = nifti(tmp_path / "scan_t1.nii.gz", smooth((8, 9, 7)))
    picture = nifti(tmp_path / "scan_t2.nii.gz", smooth((8, 9, 7)))
    assert read_scans([ct, volume, picture]).tokens == (
        "format:DICOM",
        "format:CT",
        "format:3D",
        "format:NIfTI",
        "format:MRI",
    )


@pytest.mark.requirement("W4")
def test_every_format_token_is_spelled_as_the_catalog_spells_it(tmp_path, ct):
    upload = read_scans([ct, nifti(tmp_path / "a.nii.gz", smooth((5, 6, 7)))], preview=False)
    assert [scan.format for scan in upload.scans] == [Format.DICOM, Format.NIFTI]


@pytest.mark.requirement("W5")
def test_tokens_hold_codes_only_and_no_text_of_the_header(tmp_path):
    path = dicom(
        tmp_path / "JANE_DOE_1971.dcm",
        PatientName="JANE^DOE",
        SeriesDescription="Chest Routine 1.0",
        BodyPartExamined="CHEST",
    )
    upload = read_scans([path])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert upload.scans[0].body_part == "chest"
    assert "JANE" not in repr(upload)
    assert "Routine" not in repr(upload)


def test_a_modality_that_is_no_code_gives_no_token(tmp_path):
    path = dicom(tmp_path / "a", "OT", Modality="CT]X[EXCLUDE:a")
    tokens = read_scans([path]).tokens
    assert not any("EXCLUDE" in token for token in tokens)
    assert "format:CT" not in tokens


def test_the_storage_class_wins_over_a_contradicting_modality(tmp_path):
    upload = read_scans([dicom(tmp_path / "a", "MR", Modality="CT")])
    assert upload.tokens[1] == "format:MRI"
    assert "sop-class-over-modality" in upload.scans[0].notes


def test_several_series_give_no_dimension_until_one_is_picked(tmp_path):
    series(tmp_path / "up" / "a", [0, 2, 4], SeriesInstanceUID="1.5")
    series(tmp_path / "up" / "b", [0, 3, 6], "PT", SeriesInstanceUID="1.6")
    upload = read_scans([tmp_path / "up"])
    assert upload.series == (0, 1)
    assert upload.tokens == ("format:DICOM", "format:CT", "format:PET")
    assert upload.pick(1).tokens == ("format:DICOM", "format:PET", "format:3D")


def test_picking_a_series_that_is_not_there_is_an_index_error(ct):
    with pytest.raises(IndexError, match="No scan 3"):
        read_scans([ct], preview=False).pick(3)


def test_each_path_is_an_upload_of_its_own_and_keeps_its_position(tmp_path, ct):
    missing, text = tmp_path / "gone.dcm", tmp_path / "text.dcm"
    text.write_text("hello " * 300)
    uploads = read_each([ct, missing, text])
    assert [len(upload.scans) for upload in uploads] == [1, 0, 0]
    assert [(r.index, r.member) for upload in uploads for r in upload.refused] == [
        (2, None),
        (3, None),
    ]


def test_a_sidecar_beside_a_file_is_read_with_it_and_not_refused(tmp_path):
    path = nifti(tmp_path / "x.nii.gz", smooth((6, 7, 8)))
    (tmp_path / "x.json").write_text(json.dumps({"Modality": "PT"}))
    assert "format:PET" in read_scans([path]).tokens
    upload = read_scans([tmp_path])
    assert upload.refused == ()
    assert "format:PET" in upload.tokens


def test_a_role_can_be_overridden(tmp_path):
    paths = [nifti(tmp_path / f"{n}.nii", smooth((6, 7, 8))) for n in ("a", "b")]
    upload = read_scans(paths, preview=False).with_role("longitudinal")
    assert upload.role is Role.LONGITUDINAL
    assert "task:measurement" in upload.search_tokens
    assert upload.with_role(None).search_tokens == upload.tokens


def test_reading_leaves_every_file_as_it_was(tmp_path, ct):
    nifti(tmp_path / "a.nii.gz", np.zeros((4, 5, 6), np.int16))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*")}
    read_scans([tmp_path])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*")} == before
