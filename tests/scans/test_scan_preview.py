import base64
import io

import nibabel
import numpy as np
import pytest
from PIL import Image

from retrieval.scans.front import read_scans
from tests.scans.makers import dicom, enhanced, nifti, series, smooth

pytestmark = pytest.mark.process


def pixels(view):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(view.image))).convert("L"))


def test_a_volume_is_drawn_in_three_planes_with_orientation_letters(tmp_path):
    preview = read_scans([nifti(tmp_path / "a.nii", smooth((20, 24, 16)))]).previews[0]
    assert [view.plane for view in preview.views] == ["sagittal", "coronal", "axial"]
    assert preview.views[2].letters == ("R", "L", "A", "P")
    assert preview.reason is None


def test_the_patients_left_is_drawn_on_the_right_whatever_the_storage_order(tmp_path):
    data = np.zeros((20, 20, 20), np.float32)
    data[:5] = 90.5
    for name, affine in (("ras", np.eye(4)), ("las", np.diag([-1, 1, 1, 1]))):
        nibabel.save(nibabel.Nifti1Image(data, affine), tmp_path / f"{name}.nii")
    ras, las = (read_scans([tmp_path / f"{n}.nii"]).previews[0].views[2] for n in ("ras", "las"))
    assert pixels(ras)[:, -40:].mean() > 200 > 50 > pixels(ras)[:, :40].mean()
    assert pixels(las)[:, :40].mean() > 200 > 50 > pixels(las)[:, -40:].mean()


@pytest.mark.parametrize("layout", ["+0,+1,+2", "-0,+1,+2", "-0,-1,-2"])
def test_the_patients_left_is_drawn_on_the_right_however_mrtrix_stores_the_axes(tmp_path, layout):
    data = smooth((20, 20, 20))
    data[:5] = 900.5  # the patient's left: the first axis points to the right
    strides = [-1 if part.startswith("-") else 1 for part in layout.split(",")]
    stored = data[tuple(slice(None, None, stride) for stride in strides)].tobytes(order="F")
    head = f"mrtrix image\ndim: 20,20,20\nvox: 1,1,1\nlayout: {layout}\ndatatype: Float32LE\n"
    head += "transform: 1,0,0,0\ntransform: 0,1,0,0\ntransform: 0,0,1,0\nfile: . 300\nEND\n"
    (tmp_path / "a.mif").write_bytes(head.encode().ljust(300, b"\0") + stored)
    axial = read_scans([tmp_path / "a.mif"]).previews[0].views[2]
    assert axial.letters[:2] == ("R", "L")
    assert pixels(axial)[:, -40:].mean() > 200 > pixels(axial)[:, :40].mean()


@pytest.mark.parametrize("places", [range(-12, 12), range(11, -13, -1)])
def test_the_patients_left_is_drawn_on_the_right_for_one_file_of_frames_and_for_slices(
    tmp_path, places
):
    bright = [np.full((32, 32), 100 + 1500 * (x >= 0) + x, "<i2").tobytes() for x in places]
    positions = [(3 * x, -20, 20) for x in places]
    sagittal = {"ImageOrientationPatient": [0, 1, 0, 0, 0, -1]}
    enhanced(tmp_path / "a", positions, PixelData=b"".join(bright), **sagittal)
    for k, (position, data) in enumerate(zip(positions, bright, strict=True)):
        own = {"ImagePositionPatient": list(position), "PixelData": data}
        dicom(tmp_path / "s" / str(k), "MR", **own, **sagittal)
    for path in (tmp_path / "a", tmp_path / "s"):
        axial = read_scans([path]).previews[0].views[2]
        assert axial.letters[:2] == ("R", "L")
        assert pixels(axial)[:, -40:].mean() > 200 > 50 > pixels(axial)[:, :40].mean()


def test_slices_are_drawn_as_far_apart_as_they_lie_however_thick_they_are(tmp_path):
    close = {"PixelSpacing": [2, 2], "SliceThickness": 6}
    views = read_scans([series(tmp_path / "s", range(0, 32, 2), **close)]).previews[0].views
    assert [(view.width, view.height) for view in views] == [(320, 160), (320, 160), (320, 320)]


def test_a_map_of_labels_is_drawn_where_most_of_it_lies(tmp_path):
    labels = np.zeros((20, 20, 20), np.uint8)
    labels[2:6, 13:18, 14:17] = 1
    preview = read_scans([nifti(tmp_path / "mask.nii", labels, intent=1002)]).previews[0]
    assert all(pixels(view).max() > 200 for view in preview.views)
    assert all(pixels(view).min() < 50 for view in preview.views)
    assert "where most labels lie" in preview.window


def test_proportions_follow_the_voxel_size(tmp_path):
    path = nifti(tmp_path / "a.nii", smooth((20, 20, 10)), zooms=(1, 1, 4))
    sagittal = read_scans([path]).previews[0].views[0]
    assert sagittal.height == 2 * sagittal.width


def test_a_ct_series_is_drawn_in_hounsfield_units(tmp_path):
    preview = read_scans([series(tmp_path / "s", range(6))]).previews[0]
    assert len(preview.views) == 3
    assert "HU" in preview.window


def test_frames_of_an_enhanced_ct_are_rescaled_before_they_are_drawn(tmp_path):
    stored = np.full((4, 32, 32), 1064, "<u2")
    stored[:, :8] = 24
    transform = {"RescaleSlope": 1, "RescaleIntercept": -1024, "RescaleType": "HU"}
    own = {"PixelData": stored.tobytes(), "PixelRepresentation": 0}
    path = enhanced(tmp_path / "a", range(0, 12, 3), "CT", transform, **own)
    preview = read_scans([path]).previews[0]
    assert preview.window == "level 40 HU, width 400 HU"
    assert pixels(preview.views[2])[-40:].mean() == pytest.approx(128, abs=2)


@pytest.mark.parametrize(("name", "code"), [("Float", "<f4"), ("DoubleFloat", "<f8")])
def test_a_parametric_map_of_floats_has_pixels_and_is_drawn(tmp_path, name, code):
    values = np.zeros((4, 32, 32), code)
    values[:, 16:] = 0.25
    bits = {"BitsAllocated": values.itemsize * 8, "BitsStored": None, "HighBit": None}
    own = {"PixelData": None, "PixelRepresentation": None, f"{name}PixelData": values.tobytes()}
    sop = {"SOPClassUID": "1.2.840.10008.5.1.4.1.1.30"}
    upload = read_scans([enhanced(tmp_path / "a", range(4), **sop, **bits, **own)])
    assert (upload.scans[0].shape, upload.scans[0].notes) == ((32, 32, 4), ())
    assert pixels(upload.previews[0].views[2])[-40:].mean() == 255


YELLOW = (226, 1, 149)  # 255, 255, 1 in Y, Cb and Cr


@pytest.mark.parametrize(
    ("photometric", "planar", "stored"),
    [
        ("RGB", 0, [255, 255, 1] * 1024),
        ("YBR_FULL", 0, list(YELLOW) * 1024),
        ("YBR_FULL", 1, [value for value in YELLOW for _ in range(1024)]),
        ("YBR_FULL_422", 0, [YELLOW[0], *YELLOW] * 512),
        ("YBR_FULL_422", 0, list(YELLOW) * 1024),
    ],
)
def test_colours_are_drawn_as_they_are_however_they_are_stored(
    tmp_path, photometric, planar, stored
):
    own = {"PhotometricInterpretation": photometric, "PlanarConfiguration": planar}
    eight = {"BitsAllocated": 8, "BitsStored": 8, "HighBit": 7, "PixelRepresentation": 0}
    path = dicom(tmp_path / "a", "US", SamplesPerPixel=3, PixelData=bytes(stored), **eight, **own)
    [preview] = read_scans([path]).previews
    assert preview.reason is None
    image = Image.open(io.BytesIO(base64.b64decode(preview.views[0].image))).convert("RGB")
    assert np.allclose(np.asarray(image)[160, 160], (255, 255, 1), atol=8)


def test_the_letters_of_a_series_follow_its_orientation(tmp_path):
    flat = {"ImageOrientationPatient": [0, 1, 0, 0, 0, -1]}
    preview = read_scans([dicom(tmp_path / "a", **flat)]).previews[0]
    assert preview.views[0].letters == ("A", "P", "S", "I")


def test_what_cannot_be_drawn_has_a_reason_and_keeps_its_tokens(tmp_path):
    path = dicom(tmp_path / "a", "MR", PixelData=b"\0\0")
    upload = read_scans([path])
    assert upload.tokens == ("format:DICOM", "format:MRI", "format:3D")
    assert upload.previews[0].reason


def test_only_the_first_few_scans_are_drawn(tmp_path):
    paths = [nifti(tmp_path / f"{k}.nii", smooth((6, 7, 8 + k))) for k in range(14)]
    reasons = [preview.reason for preview in read_scans(paths).previews]
    assert reasons[:12] == [None] * 12
    assert all(reasons[12:])


def test_without_preview_nothing_is_drawn(ct):
    assert read_scans([ct], preview=False).previews == ()
