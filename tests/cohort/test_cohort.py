"""Many subjects: split by folder or label, grouped by kind, searched, findings told."""

from __future__ import annotations

import json
from dataclasses import replace
from zipfile import ZipFile

import pytest

from retrieval import (
    Halt,
    Partial,
    Settings,
    cohort_json,
    cohort_of,
    open_engine,
    read_cohort,
    stream_cohort,
    stream_subjects,
)
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.errors import BadInput
from retrieval.core.types import ScanInfo
from retrieval.scans.upload import Upload
from tests.cohort.making import subjects, zipped
from tests.fakes import small_engine

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    root = tmp_path_factory.mktemp("state")
    paths = {"index_dir": root / "index", "cache_dir": root / "cache"}
    return open_engine(Settings(_env_file=None, vector_search=False, **paths))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return subjects(tmp_path_factory.mktemp("study") / "data")


def test_three_subjects_two_modalities_one_broken_series(engine, folder):
    told = cohort_json(cohort_of(engine, "segment organs", read_cohort([folder])))
    assert told["subjects"] == 3
    groups = {tuple(g["tokens"]): g for g in told["groups"]}
    assert set(groups) == {
        ("format:DICOM", "format:CT", "format:3D"),
        ("format:DICOM", "format:MRI", "format:3D"),
    }
    assert all(g["series"] == 3 and g["subjects"] == [1, 2, 3] for g in groups.values())
    assert all(len(g["candidates"]) > 3 for g in groups.values())
    assert [(f["subject"], f["code"]) for f in told["findings"]] == [(2, "missing-slices")]


def test_a_zip_of_the_folder_gives_the_same(engine, folder, tmp_path):
    packed = zipped(folder, tmp_path / "all.zip")
    one, two = (cohort_json(cohort_of(engine, "x", read_cohort([p]))) for p in (folder, packed))
    assert one == two


def test_folders_of_any_name_tell_subjects_apart(tmp_path):
    folder = subjects(tmp_path / "data", names=("Jane Doe", "b", "c"))
    uploads = read_cohort([folder])
    assert [len(u.scans) for u in uploads] == [2, 2, 2]
    assert "Jane" not in json.dumps([str(u) for u in uploads])


def test_what_lies_beside_the_subjects_of_a_bids_tree_is_no_subject(tmp_path):
    folder = subjects(tmp_path / "data")
    (folder / "dataset_description.json").write_text("{}")
    subjects(folder / "derivatives" / "other", names=("sub-01",))
    uploads = read_cohort([folder])
    assert [len(u.scans) for u in uploads] == [2, 2, 2]
    assert [[one.member for one in u.refused] for u in uploads] == [[None], [], []]
    assert "derivatives" in uploads[0].refused[0].reason


def test_a_bids_tree_with_its_texts_loses_no_file_and_refuses_none(tmp_path):
    folder = subjects(tmp_path / "data")
    for name in ("README", "task-rest_bold.json", "phenotype/ages.tsv", "derivatives/README"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")
    uploads = read_cohort([folder])
    assert [len(u.scans) for u in uploads] == [2, 2, 2]
    assert all(u.refused == () for u in uploads)


@pytest.mark.parametrize("name", ["clinic/p7", "01", "ses-1"])
def test_scans_without_a_label_beside_labelled_ones_are_read_by_folder(tmp_path, name):
    folder = subjects(tmp_path / "data", names=("sub-01", name))
    (folder / "notes.txt").write_text("no scan")
    packed = zipped(folder, tmp_path / "all.zip")
    for path in (folder, packed):
        uploads = read_cohort([path])
        assert [len(u.scans) for u in uploads] == [2, 2]
        assert sum(len(u.refused) for u in uploads) == 1


def test_labels_in_file_names_tell_subjects_apart(tmp_path):
    from tests.scans.makers import nifti, smooth

    paths = [
        nifti(tmp_path / f"sub-{n}_T1w.nii.gz", smooth((8, 9, 10)), shift=k)
        for k, n in enumerate(("a", "b"))
    ]
    assert [len(u.scans) for u in read_cohort(paths)] == [1, 1]


def test_one_folder_of_files_is_one_subject(tmp_path):
    folder = subjects(tmp_path / "data") / "sub-01" / "CT"
    assert [len(u.scans) for u in read_cohort([folder])] == [1]


def test_a_group_is_judged_by_its_coarsest_series_whatever_the_order():
    def scan(width, units):
        kind = {"format": Format.NIFTI, "modality": Modality.MRI, "dimension": Dimension.D3}
        return Upload(
            scans=(ScanInfo(**kind, shape=(9, 9, 9), spacing=(1.0, 1.0, width), units=units),)
        )

    uploads = [scan(6.0, None), scan(1.0, "HU"), scan(1.005, "HU")]
    one, other = (
        cohort_of(small_engine(), "segment", many).groups[0] for many in (uploads, uploads[::-1])
    )
    assert one.scan == other.scan
    assert (one.scan.spacing, one.scan.units) == ((1.0, 1.0, 6.0), None)
    assert "1 to 6 mm" in one.notes[0]
    assert cohort_of(small_engine(), "segment", uploads[1:]).groups[0].note == ""


def flat(folder, *people):
    """Volumes of several people in one folder, one series each; None leaves the person out."""
    from tests.scans.makers import dicom

    folder.mkdir()
    for n, person in enumerate(people):
        named = {} if person is None else {"PatientID": person}
        for k, height in enumerate((0, 2, 4)):
            place = {"ImagePositionPatient": [-10, -10, height]}
            uid = {"SeriesInstanceUID": f"1.2.{n}"}
            dicom(folder / f"{n}{k}", "CT", seed=k, **uid, **place, **named)
    return folder


def test_in_one_flat_folder_the_headers_tell_subjects_apart(engine, tmp_path):
    folder = flat(tmp_path / "data", "Jane", "Joe", "Jane", "Jim")
    (folder / "zz").write_bytes(b"no scan")
    uploads = read_cohort([folder])
    assert [len(u.scans) for u in uploads] == [2, 1, 1]
    assert [len(u.refused) for u in uploads] == [1, 0, 0]
    assert sum(u.ledger.files for u in uploads) == 13
    assert "Jane" not in json.dumps([str(u) for u in uploads])
    told = cohort_json(cohort_of(engine, "segment organs", uploads))
    assert told["subjects"] == 3
    assert [(g["series"], g["subjects"]) for g in told["groups"]] == [(4, [1, 2, 3])]


def test_subjects_of_folders_stay_what_their_folders_say(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("a", "b"):
        flat(folder / name, "Jane", "Joe")
    assert [len(u.scans) for u in read_cohort([folder])] == [2, 2]


def test_a_group_has_the_remarks_of_a_search_on_its_files(engine):
    report = ScanInfo(format=Format.DICOM, modality=Modality.SR, notes=("not-an-image",))
    labels = ScanInfo(format=Format.DICOM, modality=Modality.SEG, dimension="3D")
    study = [Upload(scans=(report, labels))]
    groups = cohort_json(cohort_of(engine, "segment organs", study))["groups"]
    notes = {group["tokens"][1]: group["notes"] for group in groups}
    assert notes["format:SR"] == ["A report holds no image."]
    assert notes["format:SEG"][0].startswith("The file already is a segmentation.")


def test_what_all_series_of_a_kind_share_counts_for_the_kind(engine):
    image = ScanInfo(format=Format.NIFTI, dimension="3D", notes=("anisotropic",))
    labels = ScanInfo(format=Format.NIFTI, dimension="3D", notes=("label-map", "anisotropic"))
    coarse = replace(image, notes=())
    cohort = cohort_of(engine, "x", [Upload(scans=(image, labels, coarse))])
    assert [group.series for group in cohort.groups] == [2, 1]
    assert [group.scan.notes for group in cohort.groups] == [(), ("label-map", "anisotropic")]


def without_top(folder, path):
    """A zip of what lies in a folder, without the folder itself."""
    with ZipFile(path, "w") as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(file, str(file.relative_to(folder)))
    return path


def test_several_zips_are_a_subject_each_where_their_folders_do_not_tell_subjects_apart(tmp_path):
    folder = subjects(tmp_path / "data", names=("a", "b"))
    by_series = [without_top(folder / one, tmp_path / f"{one}.zip") for one in ("a", "b")]
    assert [len(u.scans) for u in read_cohort(by_series)] == [2, 2]
    flat = [without_top(folder / one / "CT", tmp_path / f"{one}_flat.zip") for one in ("a", "b")]
    assert [len(u.scans) for u in read_cohort(flat)] == [1, 1]


def test_folders_of_several_zips_with_names_of_their_own_stay_subjects(tmp_path):
    first = without_top(subjects(tmp_path / "data", names=("a", "b")), tmp_path / "first.zip")
    second = without_top(subjects(tmp_path / "more", names=("c",)), tmp_path / "second.zip")
    assert [len(u.scans) for u in read_cohort([first, second])] == [2, 2, 2]


def test_files_that_cannot_be_read_are_told_by_position(tmp_path):
    folder = subjects(tmp_path / "data")
    (folder / "sub-03" / "CT" / "zz").write_bytes(b"no scan")
    uploads = read_cohort([folder])
    assert [len(u.refused) for u in uploads] == [0, 0, 1]
    assert uploads[2].refused[0].member


def test_groups_come_one_after_the_other(engine, folder):
    parts = list(stream_cohort(engine, "", read_cohort([folder])))
    done = [sum(g.answer is not None for g in part.groups) for part in parts]
    assert done == [0, 1, 2]


def test_a_stopped_search_keeps_the_groups_searched_until_then(engine, folder):
    halt, parts = Halt(), []
    for part in stream_cohort(engine, "segment organs", read_cohort([folder]), halt=halt):
        parts.append(part)
        if part.searched == 1:
            halt.ask()
    assert [part.searched for part in parts] == [0, 1, 1]
    told = cohort_json(parts[-1])
    assert told["notes"] == ["Stopped after searching for 1 of 2 kinds of series."]
    assert [bool(group["candidates"]) for group in told["groups"]] == [True, False]
    assert told["partial"] is None


def test_a_cohort_read_in_part_says_so_and_is_searched_for(engine, folder):
    *_, found = stream_subjects([folder])
    cut = Partial(read=30, of=37, cause="stopped")
    uploads = (*found[:2], replace(found[2], partial=cut))
    told = cohort_json(cohort_of(engine, "segment organs", uploads))
    said = "Stopped after 30 of 37 files; what was read is used."
    assert told["partial"] == {"read": 30, "of": 37, "cause": "stopped", "text": said}
    assert told["notes"] == [said]
    assert all(group["candidates"] for group in told["groups"])


def test_an_unknown_mode_is_refused_before_anything_is_searched(engine, folder):
    with pytest.raises(BadInput, match="mode"):
        next(stream_cohort(engine, "", (), "hybird"))


def test_nothing_readable_is_an_empty_cohort(engine, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x" * 500)
    told = cohort_json(cohort_of(engine, "x", read_cohort([path])))
    assert told["groups"] == []
    assert len(told["refused"]) == 1


def test_a_path_where_nothing_lies_is_no_subject(folder, tmp_path):
    uploads = read_cohort([tmp_path / "nowhere", folder])
    cohort = next(stream_cohort(small_engine(), "x", uploads))
    assert cohort.subjects == 3
    assert cohort.notes == ("Nothing lies at path 1 of those given.",)
    alone = next(stream_cohort(small_engine(), "x", read_cohort([tmp_path / "nowhere"])))
    assert alone.subjects == 0


def of_kinds(number):
    """One upload with so many kinds of series."""
    scans = [ScanInfo(format=Format.NIFTI, modality=modality) for modality in Modality]
    return Upload(scans=tuple(scans[:number]))


def test_all_groups_share_the_time_of_one_query_and_the_rest_is_listed_without_tools():
    late = small_engine(seconds=1e-9)
    parts = list(stream_cohort(late, "segment organs", [of_kinds(3)]))
    assert [part.searched for part in parts] == [0, 0]
    assert cohort_json(parts[-1])["notes"] == ["The time was used up after 0 of 3 kinds of series."]
    assert len(parts[-1].groups) == 3


def test_kinds_over_the_number_that_is_searched_are_named_in_the_notes():
    found = cohort_of(small_engine(), "segment organs", [of_kinds(14)])
    assert found.searched == 12
    assert found.notes == ("2 of 14 kinds of series are listed without tools, the rarest ones.",)
