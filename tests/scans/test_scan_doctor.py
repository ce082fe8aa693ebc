import json
from pathlib import Path

import nibabel
import numpy as np
import pytest

from retrieval.core.codes import PulseSequence
from retrieval.core.types import ScanInfo
from retrieval.scans.front import read_scans
from retrieval.scans.notes import Note, finding_of
from tests.scans.makers import dicom, nifti, series, smooth

pytestmark = pytest.mark.process

VOCABULARY = Path(__file__).parents[2] / "assets" / "concepts" / "vocabulary.json"


def tilted(folder):
    for k in range(4):
        dicom(folder / str(k), seed=k, ImagePositionPatient=[0, k * 0.5, k * 2])
    return folder


def mixed(folder):
    series(folder, [0, 2, 4])
    dicom(folder / "x", Rows=16, Columns=16, ImagePositionPatient=[0, 0, 6])
    return folder


def doubled(folder):
    series(folder, [0, 2, 4])
    (folder / "copy").write_bytes((folder / "0000").read_bytes())
    return folder


def flipped(path):
    image = nibabel.Nifti1Image(smooth((6, 7, 8)), np.eye(4))
    image.set_sform(np.eye(4), code=2)
    image.set_qform(np.diag([1, 1, -1, 1]), code=2)
    nibabel.save(image, path)
    return path


def shortened(path):
    nifti(path, smooth((6, 7, 8)))
    path.write_bytes(path.read_bytes()[:-90])
    return path


def unbelievable(path):
    raw = bytearray(nifti(path, smooth((6, 7, 8))).read_bytes())
    raw[42:44] = b"\xfc\xff"
    path.write_bytes(raw)
    return path


def compressed(path):
    import pydicom

    found = pydicom.dcmread(
        dicom(path, BitsAllocated=8, BitsStored=8, HighBit=7, PixelRepresentation=0)
    )
    found.compress("1.2.840.10008.1.2.5")
    found.save_as(path)
    return path


def colour(path):
    eight = {"BitsAllocated": 8, "BitsStored": 8, "HighBit": 7, "PixelRepresentation": 0}
    rgb = {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "PlanarConfiguration": 0}
    return dicom(path, "SC", **eight, **rgb)


def windowed_ct(path):
    return dicom(path, PixelData=np.arange(1024, dtype="<u2").tobytes(), PixelRepresentation=0)


DEFECTS = {
    Note.SINGLE_SLICE: dicom,
    Note.MISSING_SLICES: lambda p: series(p, [0, 2, 4, 8, 10]),
    Note.DUPLICATE_SLICES: doubled,
    Note.UNEVEN_SPACING: lambda p: series(p, [0, 2, 4, 5.1, 7.3]),
    Note.GANTRY_TILT: tilted,
    Note.MIXED_SERIES: mixed,
    Note.LOCALIZER: lambda p: dicom(p, ImageType=["ORIGINAL", "PRIMARY", "LOCALIZER"]),
    Note.SECONDARY_CAPTURE: lambda p: dicom(p, "SC", Modality="OT"),
    Note.RESCALE_MISSING: lambda p: series(p, [0, 2, 4], RescaleSlope=None, RescaleIntercept=None),
    Note.NOT_HU: windowed_ct,
    Note.FOUR_D: lambda p: series(p, [0, 2, 4] * 2),
    Note.ANISOTROPIC: lambda p: series(p, [0, 5, 10]),
    Note.FORMS_DISAGREE: lambda p: flipped(p.with_suffix(".nii")),
    Note.RGB: colour,
    Note.COMPRESSED: compressed,
    Note.TRUNCATED: lambda p: shortened(p.with_suffix(".nii")),
    Note.UNBELIEVABLE: lambda p: unbelievable(p.with_suffix(".nii")),
}


@pytest.mark.parametrize("note", DEFECTS)
def test_each_defect_is_found_in_a_file_made_to_have_it(tmp_path, note):
    upload = read_scans([DEFECTS[note](tmp_path / "made")], preview=False)
    assert note in [finding.code for finding in upload.findings]


def test_a_ct_nifti_whose_values_are_no_hounsfield_units_is_found(tmp_path):
    upload = read_scans([nifti(tmp_path / "chest_ct.nii", smooth((9, 9, 9)))], preview=False)
    assert "not-hu" in [finding.code for finding in upload.findings]


def test_a_native_dicom_cut_in_its_pixels_is_found(tmp_path):
    path = dicom(tmp_path / "a")
    path.write_bytes(path.read_bytes()[:-300])
    (finding,) = [f for f in read_scans([path], preview=False).findings if f.code == "truncated"]
    # No tool brings back what a broken copy lacks.
    assert finding.task is None


@pytest.mark.parametrize("modality", ["CT", "MR", "PT"])
def test_a_clean_series_has_no_finding_above_info(tmp_path, modality):
    upload = read_scans([series(tmp_path / "s", [0, 2, 4, 6, 8], modality)])
    assert [f.code for f in upload.findings if f.severity != "info"] == []


def test_4d_is_a_warning_for_ct_and_only_said_for_functional_mri():
    ct = ScanInfo(format="DICOM", modality="CT")
    bold = ScanInfo(format="DICOM", modality="MRI", sequence=PulseSequence.BOLD)
    assert [finding_of(Note.FOUR_D, 0, info).severity for info in (ct, bold)] == ["warning", "info"]


def test_every_note_has_a_text_and_a_repair_task_of_the_catalog_vocabulary():
    if not VOCABULARY.is_file():
        pytest.skip("assets/concepts/vocabulary.json is not here")
    tasks = set(json.loads(VOCABULARY.read_text())["tasks"])
    info = ScanInfo(format="DICOM")
    found = [finding_of(note, 0, info) for note in Note]
    assert all(finding.text.endswith((".", "?")) for finding in found)
    assert {finding.task for finding in found} - {None} <= tasks
