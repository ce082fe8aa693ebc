import gzip
import json
import struct

import nibabel
import numpy as np
import pytest

from retrieval.scans.front import read_scans
from tests.scans.makers import labels, nifti, smooth

pytestmark = pytest.mark.process


def one(path):
    return read_scans([path], preview=False).scans[0]


@pytest.mark.parametrize(
    ("shape", "dimension"),
    [
        ((8, 9, 1), "2D"),
        ((8, 9, 7, 1, 1), "3D"),
        ((8, 9, 7, 5), "4D"),
        ((8, 9, 1, 5), "2D"),
    ],
)
@pytest.mark.requirement("W7")
def test_trailing_ones_fall_away_and_one_slice_is_2d(tmp_path, shape, dimension):
    data = np.zeros(shape, np.int16)
    data.flat[::3] = 7
    header = nibabel.Nifti1Image(data, np.eye(4))
    nibabel.save(header, tmp_path / "a.nii")
    raw = bytearray((tmp_path / "a.nii").read_bytes())
    struct.pack_into("<8h", raw, 40, len(shape), *shape, *[1] * (7 - len(shape)))
    (tmp_path / "a.nii").write_bytes(raw)
    assert one(tmp_path / "a.nii").dimension == dimension


@pytest.mark.parametrize(("shape", "intent"), [((6, 7, 8, 1, 3), 1007), ((6, 7, 8, 3), 2003)])
def test_vector_components_are_not_time(tmp_path, shape, intent):
    path = nifti(tmp_path / "a.nii", smooth(shape), intent=intent)
    assert one(path).dimension == "3D"


def test_nifti_2_and_big_endian_and_pairs_are_read(tmp_path):
    second = nifti(tmp_path / "a.nii", smooth((6, 7, 8)), image=nibabel.Nifti2Image)
    big = nibabel.Nifti1Image(smooth((6, 7, 8)), np.eye(4), nibabel.Nifti1Header(endianness=">"))
    nibabel.save(big, tmp_path / "b.nii.gz")
    nibabel.save(nibabel.Nifti1Pair(smooth((6, 7, 8)), np.eye(4)), tmp_path / "c.hdr")
    paths = [second, tmp_path / "b.nii.gz", tmp_path / "c.hdr"]
    assert [one(path).shape for path in paths] == [(6, 7, 8)] * 3
    assert [one(path).format for path in paths] == ["NIfTI"] * 3


def test_analyze_is_told_from_nifti(tmp_path):
    image = nibabel.AnalyzeImage(np.zeros((6, 7, 8), np.int16), np.eye(4))
    nibabel.save(image, tmp_path / "a.hdr")
    assert one(tmp_path / "a.hdr").format == "Analyze"


def test_a_pair_in_one_upload_is_one_scan(tmp_path):
    nibabel.save(nibabel.Nifti1Pair(smooth((6, 7, 8)), np.eye(4)), tmp_path / "c.hdr")
    upload = read_scans([tmp_path / "c.img", tmp_path / "c.hdr"], preview=False)
    assert (len(upload.scans), upload.refused) == (1, ())


@pytest.mark.parametrize(
    ("name", "modality", "sequence"),
    [
        ("sub-01_ses-1_T1w.nii.gz", "MRI", "T1"),
        ("sub-01_task-rest_bold.nii.gz", "MRI", "BOLD"),
        ("sub-01_pet.nii.gz", "PET", None),
        ("patient_CT.nii.gz", "CT", None),
        ("head-flair.nii.gz", "MRI", "FLAIR"),
        ("factory.nii.gz", None, None),
    ],
)
def test_bids_suffix_and_whole_words_of_the_name_tell_the_modality(
    tmp_path, name, modality, sequence
):
    scan = one(nifti(tmp_path / name, smooth((6, 7, 8))))
    assert (scan.modality, scan.sequence) == (modality, sequence)


def test_the_sidecar_goes_before_the_name(tmp_path):
    (tmp_path / "brain_t1.json").write_text(json.dumps({"Modality": "PT"}))
    assert one(nifti(tmp_path / "brain_t1.nii", smooth((6, 7, 8)))).modality == "PET"


def test_descrip_of_an_mr_converter_tells_mri_and_of_a_tool_only_suggests_it(tmp_path):
    told = one(nifti(tmp_path / "a.nii", smooth((6, 7, 8)), descrip=b"TE=30;Time=1.5"))
    tool = one(nifti(tmp_path / "b.nii", smooth((6, 7, 8)), descrip=b"FSL5.0"))
    assert told.modality == "MRI"
    assert (tool.modality, "modality-maybe-mri" in tool.notes) == (None, True)


def test_a_hounsfield_range_tells_ct(tmp_path):
    data = np.random.default_rng(1).integers(-50, 300, (16, 16, 8)).astype(np.int16)
    data[:5] = -1000
    scan = one(nifti(tmp_path / "a.nii.gz", data))
    assert (scan.modality, scan.units) == ("CT", "HU")


def test_label_maps_are_noted_and_have_no_units(tmp_path):
    scan = one(nifti(tmp_path / "a.nii.gz", labels((12, 12, 12)), intent=1002))
    assert "label-map" in scan.notes
    assert scan.units is None


def test_few_whole_values_are_a_guess_at_labels_and_a_name_or_an_intent_states_them(tmp_path):
    codes = {"label-map", "label-map-maybe"}
    data = labels((12, 12, 12))
    guess = nifti(tmp_path / "a.nii.gz", data)
    assert codes & set(one(guess).notes) == {"label-map-maybe"}
    assert codes & set(one(nifti(tmp_path / "a_seg.nii.gz", data)).notes) == {"label-map"}
    text = next(f.text for f in read_scans([guess]).findings if f.code == "label-map-maybe")
    assert text == "Looks like a label map: few whole values, in patches."


def patches(shape, size):
    """A label of its own for each block of ``size`` voxels a side, with background around them."""
    blocks = np.arange(1, 1 + np.prod([n // size for n in shape]), dtype=np.int16)
    data = blocks.reshape([n // size for n in shape])
    for axis in range(3):
        data = data.repeat(size, axis)
    return np.pad(data, size)


@pytest.mark.parametrize("suffix", ["nii.gz", "mgz"])
def test_a_name_of_labels_does_not_outweigh_the_values_of_an_image(tmp_path, suffix):
    image = nibabel.MGHImage if suffix == "mgz" else nibabel.Nifti1Image
    seen = {}
    for kind, data in {
        "image": smooth((24, 24, 24)).astype(np.int16),
        "bytes": np.clip(smooth((24, 24, 24)) / 3, 0, 255).astype(np.uint8),
        "parcels": patches((40, 40, 40), 4),
        "points": np.where(np.arange(13824).reshape(24, 24, 24) % 40, 0, 1 + np.arange(24)),
        "mask": labels((24, 24, 24)),
    }.items():
        path = tmp_path / f"{kind}_mask.{suffix}"
        nibabel.save(image(data.astype(np.int32), np.eye(4)), path)
        seen[kind] = {note for note in one(path).notes if note.startswith("label")}
    of_image, of_labels = {"label-name-of-image"}, {"label-map", "label-name"}
    assert seen == dict.fromkeys(("image", "bytes"), of_image) | dict.fromkeys(
        ("parcels", "points", "mask"), of_labels
    )


def test_a_map_of_many_patches_is_a_guess_at_labels_whatever_its_name(tmp_path):
    data = patches((40, 40, 40), 4)
    assert len(np.unique(data)) > 256
    assert "label-map-maybe" in one(nifti(tmp_path / "sub01_x.nii.gz", data)).notes


def test_the_kind_of_image_is_no_question_for_labels_and_answered_by_the_visitor(tmp_path):
    unknown = {"modality-unknown", "modality-maybe-mri"}
    for name, descrip in (("a_mask.nii", b""), ("b_mask.nii", b"FSL5.0"), ("c_mask.mgz", b"")):
        kind = nibabel.MGHImage if name.endswith("mgz") else nibabel.Nifti1Image
        image = kind(labels((12, 12, 12)).astype(np.int32), np.eye(4))
        if descrip:
            image.header["descrip"] = descrip
        nibabel.save(image, tmp_path / name)
        assert unknown.isdisjoint(one(tmp_path / name).notes)
    upload = read_scans([nifti(tmp_path / "d.nii", smooth((6, 7, 8)))])
    assert unknown & {finding.code for finding in upload.findings}
    answered = upload.with_modality("MRI")
    assert unknown.isdisjoint({f.code for f in answered.findings} | set(answered.scans[0].notes))


def test_a_file_that_ends_with_its_header_has_no_pixels_and_one_cut_later_is_cut(tmp_path):
    path = nifti(tmp_path / "a.nii", smooth((6, 7, 8)))
    whole = path.read_bytes()
    for size, noted in ((352, True), (400, False)):
        path.write_bytes(whole[:size])
        notes = one(path).notes
        assert "truncated" in notes
        assert ("no-pixels" in notes) == noted


def test_cifti_is_a_surface_without_dimension(tmp_path):
    path = nifti(
        tmp_path / "a.nii", smooth((1, 1, 1, 1, 4, 90)), intent=3002, image=nibabel.Nifti2Image
    )
    assert read_scans([path], preview=False).tokens == ("format:CIFTI",)


def test_spacing_is_in_millimetres(tmp_path):
    image = nibabel.Nifti1Image(smooth((6, 7, 8)), np.diag([50, 50, 70, 1]))
    image.header.set_xyzt_units("micron")
    nibabel.save(image, tmp_path / "a.nii")
    assert one(tmp_path / "a.nii").spacing == (0.05, 0.05, 0.07)


@pytest.mark.parametrize("dims", [(0, 4, 5), (-3, 4, 5), (9, 9, 9, 9, 9, 9, 9)])
def test_impossible_extents_give_no_dimension(tmp_path, dims):
    raw = bytearray(nifti(tmp_path / "a.nii", smooth((5, 5, 5))).read_bytes())
    struct.pack_into("<8h", raw, 40, len(dims), *dims, *[0] * (7 - len(dims)))
    (tmp_path / "a.nii").write_bytes(raw)
    scan = one(tmp_path / "a.nii")
    assert (
        scan.dimension in (None, "4D"),
        "unbelievable-header" in scan.notes or "truncated" in scan.notes,
    ) == (True, True)


def test_a_name_without_gz_over_gzip_content_is_read_all_the_same(tmp_path):
    raw = nifti(tmp_path / "a.nii", smooth((5, 6, 7))).read_bytes()
    (tmp_path / "b.bin").write_bytes(gzip.compress(raw))
    assert one(tmp_path / "b.bin").shape == (5, 6, 7)
