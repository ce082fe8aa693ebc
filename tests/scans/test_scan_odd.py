"""Files as they come by accident: damaged, packed twice, of a wrong type, too wordy."""

import gzip
import struct
import zipfile

import nibabel
import numpy as np
import pytest

from retrieval.scans.front import read_each, read_scans
from retrieval.scans.reasons import Reason
from tests.scans.image_makers import OME, bytes_file
from tests.scans.makers import dicom, nifti, smooth, tiff

pytestmark = pytest.mark.process


def zipped(path, raw, how=zipfile.ZIP_DEFLATED):
    """An archive whose first member is damaged and whose second is good."""
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr("a.nii", bytes(90_000))
        archive.writestr("b.dcm", raw)
    data = bytearray(path.read_bytes())
    data[45:75] = b"\xff" * 30
    return bytes_file(path, bytes(data))


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_one_damaged_member_of_a_zip_is_refused_and_the_others_are_read(tmp_path, ct, how):
    upload = read_scans([zipped(tmp_path / "z.zip", ct.read_bytes(), how)])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert [(one.member, one.reason) for one in upload.refused] == [(1, Reason.BROKEN_ARCHIVE.text)]


def test_an_archive_of_a_later_version_is_refused_and_the_next_path_is_read(tmp_path, ct):
    path = tmp_path / "z.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(ct, "a.dcm")
    raw = bytearray(path.read_bytes())
    struct.pack_into("<H", raw, raw.rindex(b"PK\1\2") + 6, 99)
    first, second = read_each([bytes_file(path, bytes(raw)), ct])
    assert first.refused[0].reason == Reason.BROKEN_ARCHIVE.text
    assert second.tokens == ("format:DICOM", "format:CT", "format:3D")


def test_a_file_compressed_twice_is_refused_with_what_to_do(tmp_path):
    raw = nifti(tmp_path / "v.nii", smooth((5, 6, 7))).read_bytes()
    upload = read_scans([bytes_file(tmp_path / "v.nii.gz", gzip.compress(gzip.compress(raw)))])
    assert upload.refused[0].reason == Reason.PACKED_TWICE.text


def test_every_refusal_of_a_whole_file_says_what_to_do_or_that_it_is_not_read():
    told = [reason.text for reason in Reason]
    assert all(text.endswith(".") and len(text) < 120 for text in told)
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("planes", [10, 200_000])
def test_an_ome_description_is_read_to_its_channels_however_long_it_goes_on(tmp_path, planes):
    head, end = (OME % (4, 1)).split(b"</Pixels>")
    text = head + b'<TiffData IFD="0" FirstZ="0"/>' * planes + b"</Pixels>" + end
    scan = read_scans([tiff(tmp_path / "a.ome.tif", 1, text)], preview=False).scans[0]
    assert (scan.format, scan.modality) == ("OME-TIFF", "confocal microscopy")
    assert (scan.shape, scan.channels) == ((6, 8, 4), 3)


def test_a_modality_of_a_wrong_type_leaves_what_the_storage_class_says(tmp_path):
    raw = dicom(tmp_path / "a.dcm").read_bytes()
    wrong = raw.replace(b"\x08\x00\x60\x00CS", b"\x08\x00\x60\x00FD")
    upload = read_scans([bytes_file(tmp_path / "b.dcm", wrong)])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")


@pytest.mark.parametrize("matrix", [{}, {"Rows": None, "Columns": None}])
def test_an_image_class_without_pixels_is_no_document_and_says_so(tmp_path, matrix):
    paths = [dicom(tmp_path / f"{k}.dcm", seed=k, PixelData=None, **matrix) for k in range(2)]
    scan = read_scans(paths).scans[0]
    assert scan.modality == "CT"
    assert "no-pixels" in scan.notes
    assert "not-an-image" not in scan.notes


def test_one_file_without_pixels_leaves_a_series_its_image(tmp_path):
    whole = dicom(tmp_path / "a.dcm", seed=1)
    header = dicom(tmp_path / "b.dcm", PixelData=None, ImagePositionPatient=[0, 0, 9])
    notes = read_scans([whole, header]).scans[0].notes
    assert "no-pixels" not in notes
    assert "data-missing" in notes


def test_pixels_without_a_size_are_a_damaged_header_and_not_a_document(tmp_path):
    raw = dicom(tmp_path / "a.dcm").read_bytes()
    wrong = raw.replace(b"\x28\x00\x10\x00US", b"\x28\x00\x10\x00LO")
    scan = read_scans([bytes_file(tmp_path / "b.dcm", wrong)]).scans[0]
    assert (scan.modality, scan.dimension) == ("CT", None)
    assert "unbelievable-header" in scan.notes
    assert "not-an-image" not in scan.notes


@pytest.mark.parametrize("at", [256, 280])
def test_an_orientation_that_is_no_number_is_told_and_the_rest_is_read(tmp_path, at):
    made = nibabel.Nifti1Image(smooth((5, 6, 7)), np.eye(4))
    made.set_qform(np.eye(4), 1)
    made.set_sform(np.eye(4), 1)
    nibabel.save(made, tmp_path / "a.nii")
    raw = bytearray((tmp_path / "a.nii").read_bytes())
    struct.pack_into("<f", raw, at, float("nan"))
    scan = read_scans([bytes_file(tmp_path / "a.nii", bytes(raw))]).scans[0]
    assert (scan.dimension, scan.shape) == ("3D", (5, 6, 7))
    assert "unbelievable-header" in scan.notes
    assert "qform-sform-disagree" not in scan.notes


def test_seven_axes_of_a_nifti_are_space_and_time_alone(tmp_path):
    path = nifti(tmp_path / "a.nii", smooth((4, 5, 6, 2, 3, 1, 1)))
    scan = read_scans([path]).scans[0]
    assert (scan.dimension, scan.shape) == ("4D", (4, 5, 6, 2))


def test_big_endian_nifti_2_is_read_under_any_name(tmp_path):
    header = nibabel.Nifti2Header(endianness=">")
    made = nibabel.Nifti2Image(np.zeros((6, 7, 8), ">i2"), np.diag([2, 2, 2, 1]), header)
    nibabel.save(made, tmp_path / "a.nii")
    scan = read_scans([(tmp_path / "a.nii").rename(tmp_path / "a.dcm")]).scans[0]
    assert (scan.format, scan.shape, scan.spacing) == ("NIfTI", (6, 7, 8), (2.0, 2.0, 2.0))


@pytest.mark.parametrize("name", ["患者山田.nii", "\u202egnp.nii", "a\nb\t<i>.nii", "x" * 240])
def test_no_part_of_a_strange_name_comes_out(tmp_path, name):
    upload = read_scans([nifti(tmp_path / "v.nii", smooth((5, 6, 7))).rename(tmp_path / name)])
    assert upload.tokens == ("format:NIfTI", "format:3D")
    assert name.removesuffix(".nii") not in repr(upload)


def test_links_in_a_folder_are_read_where_they_lead_to_a_file(tmp_path, ct):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").symlink_to(ct)
    (folder / "b").symlink_to(tmp_path / "nowhere")
    (folder / "c").symlink_to(folder)
    upload = read_scans([folder])
    assert upload.tokens == ("format:DICOM", "format:CT", "format:3D")
    assert [one.member for one in upload.refused] == [2]


def test_a_fourth_axis_without_a_size_leaves_the_sizes_of_the_others(tmp_path):
    head = "mrtrix image\ndim: 5,6,7,2\nvox: 1.5,1.5,2,-\nlayout: +0,+1,+2,+3\n"
    head += "datatype: Float32LE\nfile: . 200\nEND\n"
    raw = head.encode().ljust(200, b"\0") + smooth((5, 6, 7, 2)).tobytes(order="F")
    scan = read_scans([bytes_file(tmp_path / "a.mif", raw)]).scans[0]
    assert (scan.dimension, scan.spacing) == ("4D", (1.5, 1.5, 2.0))


def patched(path, form, at, value):
    raw = bytearray(path.read_bytes())
    struct.pack_into(form, raw, at, value)
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e18, -8.0, 100.0])
def test_voxels_at_an_impossible_place_are_noted_and_the_scan_is_read(tmp_path, value):
    path = nifti(tmp_path / "a.nii", smooth((6, 7, 8)))
    right = read_scans([path]).scans[0]
    scan = read_scans([patched(path, "<f", 108, value)]).scans[0]
    assert "impossible-offset" in scan.notes
    assert (scan.dimension, scan.shape, scan.units) == ("3D", (6, 7, 8), right.units)


def test_an_impossible_place_in_nifti_2_is_noted(tmp_path):
    path = nifti(tmp_path / "a.nii", smooth((6, 7, 8)), image=nibabel.Nifti2Image)
    scan = read_scans([patched(path, "<q", 168, 10**18)]).scans[0]
    assert "impossible-offset" in scan.notes
    assert scan.shape == (6, 7, 8)


@pytest.mark.parametrize("value", [0.0, 352.0])
def test_the_usual_places_of_voxels_are_not_noted(tmp_path, value):
    path = patched(nifti(tmp_path / "a.nii", smooth((6, 7, 8))), "<f", 108, value)
    assert read_scans([path]).scans[0].notes == ("modality-unknown",)


@pytest.mark.parametrize("code", [9999, 0, -1])
def test_a_voxel_type_that_does_not_exist_is_noted_and_the_header_is_read(tmp_path, code):
    path = patched(nifti(tmp_path / "a.nii", smooth((6, 7, 8))), "<h", 70, code)
    scan = read_scans([path]).scans[0]
    assert "unknown-datatype" in scan.notes
    assert (scan.dimension, scan.shape) == ("3D", (6, 7, 8))


FOUR_GB = 0xFFFFFFF0


def with_length(raw, length, at):
    """An unknown element of that length in front of the first one with these bytes."""
    element = struct.pack("<HH2sHI", 0x0027, 0x1010, b"OB", 0, length) + b"abcd"
    place = raw.rindex(at)
    return raw[:place] + element + raw[place:]


@pytest.mark.parametrize("at", [b"\xe0\x7f\x10\x00OW", b"\x28\x00\x10\x00US"])
def test_an_element_that_claims_four_gigabytes_is_noted(tmp_path, at):
    raw = dicom(tmp_path / "a.dcm").read_bytes()
    scan = read_scans([bytes_file(tmp_path / "b.dcm", with_length(raw, FOUR_GB, at))]).scans[0]
    assert "length-beyond-file" in scan.notes
    assert (scan.format, scan.modality) == ("DICOM", "CT")
    assert "not-an-image" not in scan.notes
    honest = read_scans([bytes_file(tmp_path / "c.dcm", with_length(raw, 4, at))]).scans[0]
    assert "length-beyond-file" not in honest.notes


@pytest.mark.parametrize("more", [0, 300_000])
def test_a_claim_of_four_gigabytes_inside_gzip_is_noted(tmp_path, more):
    raw = dicom(tmp_path / "a.dcm").read_bytes()
    place = b"\xe0\x7f\x10\x00OW"
    for length, noted in ((FOUR_GB, True), (4, False)):
        # Behind the window that is read first the end of the stream is not seen.
        packed = gzip.compress(with_length(raw, length, place) + bytes(more))
        scan = read_scans([bytes_file(tmp_path / f"{length}.dcm.gz", packed)]).scans[0]
        assert ("length-beyond-file" in scan.notes) is noted
        assert (scan.format, scan.modality) == ("DICOM", "CT")


def test_pixels_that_claim_four_gigabytes_are_noted_and_the_scan_is_read(tmp_path):
    raw = bytearray(dicom(tmp_path / "a.dcm").read_bytes())
    struct.pack_into("<I", raw, raw.rindex(b"\xe0\x7f\x10\x00OW") + 8, FOUR_GB)
    scan = read_scans([bytes_file(tmp_path / "b.dcm", bytes(raw))]).scans[0]
    assert "length-beyond-file" in scan.notes
    assert (scan.dimension, scan.shape) == ("3D", (32, 32))


@pytest.mark.parametrize("more", [(3,), (3, 2), (3, 2, 2)])
def test_axes_beyond_the_fourth_of_a_nifti_file_are_noted(tmp_path, more):
    paths = [nifti(tmp_path / f"{times}.nii", smooth((6, 7, 8, times, *more))) for times in (4, 1)]
    in_time, at_once = (read_scans([path]).scans[0] for path in paths)
    assert {"vector", "more-axes"} <= set(in_time.notes)
    assert at_once.dimension == "3D"
    assert "more-axes" not in at_once.notes


def test_a_dicom_file_that_begins_with_its_mark_is_read_and_noted(tmp_path, ct):
    whole = read_scans([ct]).scans[0]
    bare = read_scans([bytes_file(tmp_path / "bare.dcm", ct.read_bytes()[128:])]).scans[0]
    assert (bare.modality, bare.shape, bare.units) == (whole.modality, whole.shape, whole.units)
    assert "no-preamble" in bare.notes
    assert "no-preamble" not in whole.notes


def test_a_ct_without_pixels_has_no_units(tmp_path, ct):
    raw = ct.read_bytes()
    headers = bytes_file(tmp_path / "a.dcm", raw[: raw.rindex(b"\xe0\x7f\x10\0")])
    scan = read_scans([headers]).scans[0]
    assert "no-pixels" in scan.notes
    assert scan.units is None
