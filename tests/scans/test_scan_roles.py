import pytest

from retrieval.scans.front import read_scans
from retrieval.scans.upload import Role, Upload
from tests.scans.makers import dicom, labels, nifti, series, smooth

pytestmark = pytest.mark.process


def nii(folder, name, shift=0.0, data=None):
    return nifti(folder / name, smooth((12, 12, 12)) if data is None else data, shift=shift)


def study(folder, name, modality, uid, **tags):
    return series(folder / name, [0, 2, 4], modality, SeriesInstanceUID=uid, **tags)


def diffusion(folder):
    path = nii(folder, "dti.nii.gz", data=smooth((6, 7, 8, 3)))
    (folder / "dti.bval").write_text("0 1000 1000\n")
    (folder / "dti.bvec").write_text("0 1 0\n0 0 1\n0 0 0\n")
    return [path]


PAIRS = {
    "two volumes of one format": (
        lambda f: [nii(f, "fixed.nii"), nii(f, "moving.nii", 9.0)],
        Role.REGISTRATION,
    ),
    "two sessions": (
        lambda f: [nii(f, "sub-1_ses-1_T1w.nii.gz"), nii(f, "sub-1_ses-2_T1w.nii.gz", 3.0)],
        Role.LONGITUDINAL,
    ),
    "two studies of one patient": (
        lambda f: [study(f, "a", "CT", "1.1"), study(f, "b", "CT", "1.2", StudyInstanceUID="1.9")],
        Role.LONGITUDINAL,
    ),
    "image and label map": (
        lambda f: [nii(f, "image.nii"), nii(f, "labels.nii", data=labels((12, 12, 12)))],
        Role.IMAGE_AND_LABELS,
    ),
    "ct and segmentation object": (
        lambda f: [
            study(f, "a", "CT", "1.1"),
            dicom(
                f / "s", "SEG", SOPClassUID="1.2.840.10008.5.1.4.1.1.66.4", SeriesInstanceUID="1.3"
            ),
        ],
        Role.IMAGE_AND_LABELS,
    ),
    "ct and contours": (
        lambda f: [
            study(f, "a", "CT", "1.1"),
            dicom(
                f / "s",
                "RTSTRUCT",
                SOPClassUID="1.2.840.10008.5.1.4.1.1.481.3",
                SeriesInstanceUID="1.3",
            ),
        ],
        Role.RADIOTHERAPY,
    ),
    "ct and plan": (
        lambda f: [
            study(f, "a", "CT", "1.1"),
            dicom(
                f / "p",
                "RTPLAN",
                SOPClassUID="1.2.840.10008.5.1.4.1.1.481.5",
                SeriesInstanceUID="1.3",
            ),
        ],
        Role.RADIOTHERAPY,
    ),
    "pet and ct": (
        lambda f: [study(f, "a", "PT", "1.1"), study(f, "b", "CT", "1.2")],
        Role.PET_CT,
    ),
    "t1 and flair": (
        lambda f: [nii(f, "case_t1.nii"), nii(f, "case_flair.nii")],
        Role.MULTI_CONTRAST,
    ),
    "t1 and t2 series": (
        lambda f: [
            study(f, "a", "MR", "1.1", SeriesDescription="T1 SAG"),
            study(f, "b", "MR", "1.2", SeriesDescription="T2 TRA"),
        ],
        Role.MULTI_CONTRAST,
    ),
    "dwi with b-values": (diffusion, Role.DIFFUSION),
    "time points": (
        lambda f: [nii(f, "cell_t001.nii"), nii(f, "cell_t002.nii")],
        Role.TIME_POINTS,
    ),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_of_files_give_their_role(tmp_path, pair):
    make, role = PAIRS[pair]
    upload = read_scans(make(tmp_path), preview=False)
    assert upload.role is role
    assert set(upload.tokens).issubset(upload.search_tokens)
    assert (set(upload.tokens) < set(upload.search_tokens)) is bool(role.tasks)


@pytest.mark.parametrize("pair", ["ct and contours", "ct and plan"])
def test_that_contours_and_plans_have_no_pixels_is_no_finding(tmp_path, pair):
    upload = read_scans(PAIRS[pair][0](tmp_path), preview=False)
    assert "not-an-image" in upload.scans[1].notes
    assert "not-an-image" not in [finding.code for finding in upload.findings]


def test_files_of_two_people_have_no_role(tmp_path):
    paths = [nii(tmp_path, "sub-1_T1w.nii.gz"), nii(tmp_path, "sub-2_T1w.nii.gz")]
    assert read_scans(paths, preview=False).role is None


def test_patients_with_different_ids_have_no_role(tmp_path):
    paths = [
        study(tmp_path, "a", "CT", "1.1"),
        study(tmp_path, "b", "CT", "1.2", PatientID="other"),
    ]
    assert read_scans(paths, preview=False).role is None


def test_one_file_has_no_role(ct):
    assert read_scans([ct], preview=False).role is None


def test_the_users_word_on_a_role_changes_the_tokens(tmp_path):
    paths = [nii(tmp_path, "sub-1_T1w.nii.gz"), nii(tmp_path, "sub-1_FLAIR.nii.gz")]
    upload = read_scans(paths, preview=False)
    assert set(upload.roles) == set(Role)
    said = upload.with_role("longitudinal")
    assert {"task:registration", "task:measurement"} <= set(said.search_tokens)
    assert upload.with_role(None).search_tokens == upload.tokens


def test_what_only_looks_like_a_label_map_makes_no_role_and_the_choice_is_offered(tmp_path):
    guessed = nii(tmp_path, "other.nii", data=labels((12, 12, 12)))
    upload = read_scans([nii(tmp_path, "image.nii"), guessed])
    assert "label-map-maybe" in upload.scans[1].notes
    assert upload.role is None
    assert Role.IMAGE_AND_LABELS in upload.roles


def test_an_image_and_its_labels_are_measured_and_nobody_asked_for_quality_control(tmp_path):
    scans = read_scans([nii(tmp_path, "sub-1_T1w.nii.gz")], preview=False).scans
    upload = Upload(scans=scans, role=Role.IMAGE_AND_LABELS)
    assert [t for t in upload.search_tokens if t.startswith("task:")] == ["task:measurement"]
