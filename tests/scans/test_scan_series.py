import random
import zipfile
from dataclasses import replace

import numpy as np
import pydicom
import pytest
from pydicom.uid import (
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    VLWholeSlideMicroscopyImageStorage,
)

from retrieval.fit.machine import image_gb
from retrieval.scans.front import read_scans
from tests.scans.attacks import timed
from tests.scans.makers import dicom, enhanced, series

pytestmark = pytest.mark.process


def one(path, **options):
    return read_scans([path], **options).scans[0]


@pytest.mark.requirement("W3")
def test_shuffled_slices_without_instance_numbers_come_out_in_order_with_spacing(tmp_path):
    heights = [1.5, 0, 6, 4.5, 3]
    scan = one(series(tmp_path / "s", heights, PixelSpacing=[0.7, 0.7], SliceThickness=9))
    assert scan.spacing == (0.7, 0.7, 1.5)
    assert scan.shape == (32, 32, 5)
    assert "missing-slices" not in scan.notes


@pytest.mark.requirement("W3")
def test_sorting_follows_the_normal_of_oblique_slices(tmp_path):
    folder = tmp_path / "s"
    for k, height in enumerate((4, 0, 2)):
        place = {
            "ImagePositionPatient": [height, 0, 0],
            "ImageOrientationPatient": [0, 1, 0, 0, 0, 1],
        }
        dicom(folder / str(k), seed=k, **place)
    assert one(folder).spacing == (0.7, 0.7, 2.0)


def test_as_many_files_as_positions_is_3d_and_more_files_is_4d(tmp_path):
    assert one(series(tmp_path / "a", [0, 2, 4], "MR")).dimension == "3D"
    four = one(series(tmp_path / "b", [0, 2, 4] * 2, "MR"))
    assert (four.dimension, four.shape) == ("4D", (32, 32, 3, 2))


@pytest.mark.parametrize("error", [0.0001, 0.004])
def test_positions_that_differ_by_a_rounding_error_are_one_place(tmp_path, error):
    heights = [0.005 + z + (error if t % 2 else -error) for t in range(4) for z in (0, 3, 6)]
    scan = one(series(tmp_path / "s", heights, "MR"))
    assert (scan.dimension, scan.shape, scan.spacing) == ("4D", (32, 32, 3, 4), (0.7, 0.7, 3.0))
    heights = [(height, 0.005 * height, 0) for height in heights]
    assert one(enhanced(tmp_path / "a", heights)).shape == (32, 32, 3, 4)


def test_slices_of_a_microscope_may_lie_closer_than_a_rounding_error(tmp_path):
    tiny = {"PixelSpacing": [0.004, 0.004], "SliceThickness": 0.004}
    scan = one(series(tmp_path / "s", [0.004 * k for k in range(6)], **tiny))
    assert (scan.dimension, scan.shape, scan.spacing) == ("3D", (32, 32, 6), (0.004, 0.004, 0.004))


def test_copies_by_instance_uid_count_once(tmp_path):
    folder = series(tmp_path / "s", [0, 2, 4])
    first = sorted(folder.iterdir())[0]
    (folder / "copy").write_bytes(first.read_bytes())
    scan = one(folder)
    assert (scan.files, scan.dimension) == (3, "3D")
    assert {"duplicate-slices", "given-twice"} <= set(scan.notes)


def test_copies_by_content_with_new_uids_count_once(tmp_path):
    folder = tmp_path / "s"
    for k in range(4):
        dicom(folder / str(k), seed=k // 2, ImagePositionPatient=[0, 0, k // 2 * 2])
    scan = one(folder)
    assert (scan.files, scan.dimension) == (2, "3D")


def test_equal_slices_of_a_time_series_are_no_copies(tmp_path):
    for k in range(20):
        masked = {"PixelData": bytes(2048)} if k % 5 in (0, 4) else {}
        own = {"ImagePositionPatient": [0, 0, 3 * (k % 5)], "InstanceNumber": k + 1} | masked
        for copy in range(2):
            dicom(tmp_path / "s" / f"{k}.{copy}", "MR", seed=k, **own)
    scan = one(tmp_path / "s")
    assert (scan.dimension, scan.shape, scan.files) == ("4D", (32, 32, 5, 4), 20)
    assert "duplicate-slices" in scan.notes


def test_one_slice_file_given_five_times_is_what_it_is_when_given_once(tmp_path):
    raw = dicom(tmp_path / "a").read_bytes()
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for k in range(5):
            archive.writestr(f"{k}.dcm", raw)
    alone, copies = one(tmp_path / "a"), one(tmp_path / "z.zip")
    assert copies == replace(alone, notes=(*alone.notes, "given-twice"))


def test_five_files_of_one_slice_are_one_image_and_not_a_volume(tmp_path):
    for k in range(5):
        dicom(tmp_path / "s" / str(k), seed=1)
    scan = one(tmp_path / "s")
    assert scan.dimension == "2D"
    assert "duplicate-slices" in scan.notes
    assert "given-twice" not in scan.notes


def test_a_zip_with_sub_folders_is_one_series(tmp_path):
    folder = series(tmp_path / "s", [0, 2, 4])
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for k, path in enumerate(sorted(folder.iterdir())):
            archive.write(path, f"study/part{k}/IM{k}")
    assert one(tmp_path / "z.zip").shape == (32, 32, 3)


def test_one_bad_file_among_good_ones_is_named_by_its_position(tmp_path):
    folder = series(tmp_path / "s", range(20))
    sorted(folder.iterdir())[7].write_bytes(b"nonsense" * 40)
    upload = read_scans([folder])
    assert upload.scans[0].files == 19
    assert [(r.index, r.member) for r in upload.refused] == [(1, 8)]


def test_a_localizer_is_2d_only(tmp_path):
    scan = one(
        series(tmp_path / "s", [0, 5, 9], "MR", ImageType=["ORIGINAL", "PRIMARY", "LOCALIZER"])
    )
    assert scan.dimension == "2D"


def test_a_description_that_says_scout_is_a_localizer(tmp_path):
    scan = one(dicom(tmp_path / "a", SeriesDescription="Scout  1.0"))
    assert (scan.dimension, "localizer" in scan.notes) == ("2D", True)


def test_one_mosaic_is_3d_and_several_are_4d(tmp_path):
    kind = ["ORIGINAL", "PRIMARY", "M", "MOSAIC"]
    assert one(series(tmp_path / "a", [0], "MR", ImageType=kind)).dimension == "3D"
    assert one(series(tmp_path / "b", [0, 0, 0], "MR", ImageType=kind)).dimension == "4D"


@pytest.mark.parametrize(
    ("creator", "block", "shape"),
    [
        ("SIEMENS MR HEADER", 0x10, (32, 32, 36, 2)),
        ("SIEMENS MR HEADER", 0x11, (32, 32, 36, 2)),
        ("GEMS_ACQU_01", 0x10, (192, 192, 1, 2)),
    ],
)
def test_the_slices_of_a_mosaic_are_counted_in_the_private_block_of_siemens(
    tmp_path, creator, block, shape
):
    own = {"ImageType": ["ORIGINAL", "PRIMARY", "MOSAIC"], "Rows": 192, "Columns": 192}
    for path in series(tmp_path / "s", [0, 0], "MR", **own).iterdir():
        found = pydicom.dcmread(path)
        found.add_new((0x19, block), "LO", creator)
        found.add_new((0x19, block << 8 | 0x0A), "US", 36)
        found.save_as(path)
    assert one(tmp_path / "s").shape == shape


@pytest.mark.parametrize(
    ("positions", "dimension", "shape"),
    [
        ([0, 3, 6, 9], "3D", (32, 32, 4)),
        ([0, 3, 6, 9] * 2, "4D", (32, 32, 4, 2)),
        ([0, 0, 0], "2D", (32, 32, 1, 3)),
    ],
)
def test_enhanced_frames_are_counted_against_their_positions(tmp_path, positions, dimension, shape):
    scan = one(enhanced(tmp_path / "a", positions))
    assert (scan.dimension, scan.shape) == (dimension, shape)


@pytest.mark.parametrize(
    ("stated", "units", "notes"),
    [
        ({"RescaleType": "HU"}, "HU", ()),
        ({}, "HU", ()),
        ({"RescaleType": "Z_EFF"}, None, ("not-hu",)),
        ({"RescaleType": "ED"}, None, ("not-hu",)),
        ({"RescaleType": "HU", "RescaleIntercept": 0}, None, ("not-hu",)),
    ],
)
def test_an_enhanced_ct_is_in_hounsfield_units_by_the_rules_of_a_slice(
    tmp_path, stated, units, notes
):
    unsigned = np.arange(32 * 32 * 3, dtype="<u2").tobytes()
    pixels = {"PixelData": unsigned, "PixelRepresentation": 0}
    transform = {"RescaleSlope": 1, "RescaleIntercept": -1024} | stated
    scan = one(enhanced(tmp_path / "a", [0, 3, 6], "CT", transform, **pixels))
    assert (scan.units, scan.notes) == (units, notes)
    single = dicom(tmp_path / "b", SliceThickness=3, **transform, **pixels)
    assert one(single).units == units


@pytest.mark.parametrize("thickness", ["2.5", "2.500000", "2.50000000"])
@pytest.mark.parametrize("syntax", [ImplicitVRLittleEndian, ExplicitVRLittleEndian])
def test_a_number_of_a_functional_group_is_text_however_long_it_is(tmp_path, thickness, syntax):
    found = pydicom.dcmread(enhanced(tmp_path / "a", [0]))
    [shared] = found.SharedFunctionalGroupsSequence
    shared.PixelMeasuresSequence[0].SliceThickness = pydicom.valuerep.DSfloat(thickness)
    found.file_meta.TransferSyntaxUID = syntax
    found.save_as(tmp_path / "a", implicit_vr=syntax.is_implicit_VR, little_endian=True)
    assert thickness.encode() in (tmp_path / "a").read_bytes()
    assert one(tmp_path / "a").spacing == (1.5, 1.5, 2.5)


def test_frames_without_functional_groups_are_a_volume_in_mr_and_cine_in_ultrasound(tmp_path):
    assert one(dicom(tmp_path / "a", "MR", NumberOfFrames=4)).dimension == "3D"
    assert one(dicom(tmp_path / "b", "US", NumberOfFrames=4)).dimension == "2D"


def test_projections_of_a_breast_are_no_volume_and_a_craniofacial_scan_is_one(tmp_path):
    root = "1.2.840.10008.5.1.4.1.1.13.1."
    parts = {"2": "PX", "3": "MG", "4": "MG", "5": "MG"}
    paths = [
        dicom(tmp_path / part, "SC", Modality=code, SOPClassUID=root + part, NumberOfFrames=4)
        for part, code in parts.items()
    ]
    found = [(one(path).modality, one(path).dimension) for path in paths]
    assert found == [("PX", "3D"), ("MG", "3D"), ("MG", "2D"), ("MG", "2D")]


def test_nuclear_medicine_is_3d_only_when_reconstructed(tmp_path):
    kind = "1.2.840.10008.5.1.4.1.1.20"
    planar = dicom(tmp_path / "a", "NM", SOPClassUID=kind, NumberOfFrames=4)
    tomo = ["ORIGINAL", "PRIMARY", "RECON TOMO"]
    recon = dicom(tmp_path / "b", "NM", SOPClassUID=kind, NumberOfFrames=4, ImageType=tomo)
    assert (one(planar).dimension, one(recon).dimension) == ("2D", "3D")


def test_a_document_without_pixels_has_no_dimension(tmp_path):
    path = dicom(tmp_path / "a", "SR", SOPClassUID="1.2.840.10008.5.1.4.1.1.88.11", PixelData=None)
    found = pydicom.dcmread(path)
    del found.Rows, found.Columns
    found.save_as(path)
    assert read_scans([path]).tokens == ("format:DICOM", "format:SR")


def test_sequence_comes_from_closed_words_of_the_description(tmp_path):
    assert one(dicom(tmp_path / "a", "MR", SeriesDescription="AX FLAIR fs")).sequence == "FLAIR"
    assert (
        one(
            dicom(tmp_path / "b", "MR", EchoTime=90, RepetitionTime=4000, ScanningSequence="SE")
        ).sequence
        == "T2"
    )
    assert one(dicom(tmp_path / "c", ContrastBolusAgent="x")).sequence == "contrast"


def test_three_hundred_slices_are_grouped_and_sorted_within_a_second_and_a_half(tmp_path):
    heights = [2.0 * k for k in range(300)]
    random.Random(4).shuffle(heights)
    folder = series(tmp_path / "s", heights)
    upload, took = timed(folder, preview=False)
    scan = upload.scans[0]
    assert (scan.shape, scan.spacing) == ((32, 32, 300), (0.7, 0.7, 2.0))
    assert took < 1.5


def test_a_slide_has_the_size_of_all_its_tiles_and_its_colours_are_no_finding(tmp_path):
    tags = {"Rows": 8, "Columns": 8, "NumberOfFrames": 6, "TotalPixelMatrixRows": 16}
    tags |= {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "BitsAllocated": 8}
    tags |= {"BitsStored": 8, "HighBit": 7, "PixelRepresentation": 0, "PlanarConfiguration": 0}
    tags |= {"SOPClassUID": VLWholeSlideMicroscopyImageStorage, "TotalPixelMatrixColumns": 24}
    upload = read_scans([dicom(tmp_path / "a.dcm", "SM", **tags)])
    (scan,) = upload.scans
    assert (scan.modality, scan.shape) == ("SM", (16, 24))
    assert "rgb" in scan.notes
    assert "rgb" not in {finding.code for finding in upload.findings}
    assert image_gb(scan) is None
