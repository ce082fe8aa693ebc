"""To which sides of the body the axes of a scan point."""

from __future__ import annotations

import nibabel
import numpy as np
import pytest

from retrieval.scans.front import read_each, read_scans
from tests.scans import makers
from tests.scans import volume_makers as volumes

SAGITTAL, CORONAL = [0, 1, 0, 0, 0, -1], [1, 0, 0, 0, 0, -1]


def axes(path):
    [scan] = read_scans([path]).scans
    return "".join(scan.axes)


def placed(path, affine, qform=None):
    """A NIfTI file with an sform, and a qform that may be another."""
    image = nibabel.Nifti1Image(makers.smooth((8, 9, 10)), affine)
    image.set_sform(affine, 1)
    image.set_qform(affine if qform is None else qform, 1)
    nibabel.save(image, path)
    return path


@pytest.mark.parametrize(
    ("tags", "letters"),
    [
        ({}, "LPS"),
        ({"ImageOrientationPatient": SAGITTAL}, "PIR"),
        ({"ImageOrientationPatient": CORONAL}, "LIP"),
        ({"ImageOrientationPatient": [1, 0, 0, 0, 0.9, 0.435889894]}, "LPS"),
        ({"ImageOrientationPatient": [0.7071, 0.7071, 0, 0, 0, -1]}, ""),
        ({"ImageOrientationPatient": None}, ""),
    ],
)
def test_a_dicom_slice_states_the_sides_of_its_row_its_column_and_its_normal(
    tmp_path, tags, letters
):
    assert axes(makers.dicom(tmp_path / "a.dcm", **tags)) == letters


def test_slices_of_several_planes_in_one_series_have_no_common_axes(tmp_path):
    makers.dicom(tmp_path / "s" / "a", "MR")
    makers.dicom(tmp_path / "s" / "b", "MR", seed=1, ImageOrientationPatient=SAGITTAL)
    assert axes(tmp_path / "s") == ""


@pytest.mark.parametrize("letters", ["RAS", "LAS", "PIR", "LPS"])
def test_a_nifti_file_states_the_sides_of_its_affine(tmp_path, letters):
    target = nibabel.orientations.axcodes2ornt(letters)
    turn = nibabel.orientations.inv_ornt_aff(target, (8, 9, 10))
    assert axes(placed(tmp_path / "t1.nii.gz", np.linalg.inv(turn))) == letters


def test_a_nifti_file_whose_forms_name_different_sides_or_that_has_none_states_nothing(tmp_path):
    flipped = np.diag([-1.0, 1.0, 1.0, 1.0])
    assert axes(placed(tmp_path / "a.nii", np.eye(4), flipped)) == ""
    bare = nibabel.Nifti1Image(makers.smooth((8, 9, 10)), None)
    bare.header["sform_code"] = bare.header["qform_code"] = 0
    nibabel.save(bare, tmp_path / "b.nii")
    assert axes(tmp_path / "b.nii") == ""


def test_other_volumes_state_the_sides_that_their_headers_name_and_no_assumed_ones(tmp_path):
    assert axes(volumes.nrrd(tmp_path / "a.nrrd")) == "LPS"
    assert axes(volumes.nrrd(tmp_path / "b.nrrd", space="3D-right-handed")) == ""
    assert axes(volumes.metaimage(tmp_path / "c.mha")) == "LPS"
    assert axes(volumes.mgh(tmp_path / "d.mgz")) == "LIA"
    assert axes(volumes.ecat(tmp_path / "e.v")) == ""


def test_real_files_have_the_axes_that_nibabel_and_their_headers_give(shared):
    names = {
        "ext/dicom/ct_series.zip": "LPS",
        "ext/dicom/mr_series.zip": "PIR",
        "ext/dicom/sr_document.dcm": "",
        "ext/dicom/RG1_J2KI.dcm": "",
        "ext/nifti/MNI152_T1_2mm.nii.gz": "LAS",
        "ext/nifti/CIT168.nii.gz": "RAS",
    }
    uploads = read_each([shared / name for name in names])
    assert ["".join(upload.scans[0].axes) for upload in uploads] == list(names.values())
