"""Recipes that run for real: the list, the files they get, and the check of what comes out.

Nothing is installed here; ``make recipes`` does that.
"""

from __future__ import annotations

import numpy as np
import pydicom
import pytest
from PIL import Image

from benchmarks import recipes
from benchmarks.recipe_samples import EXAMPLES, MADE, put_files
from benchmarks.recipes import RecipeFailed, Run
from retrieval import load_recipes

RUN = Run(tool="t", packages=("t",), output="*.nii.gz", format="NIfTI", shape=(64, 72, 60))


def test_a_recipe_states_a_day_only_where_its_run_is_listed_and_the_others_say_that_they_wait():
    by_tool, listed = load_recipes(recipes.RECIPES).by_tool, {run.tool for run in recipes.runs()}
    assert {tool for tool, one in by_tool.items() if one.ran_on} <= listed
    waiting = {by_tool[tool].not_run for tool in listed if by_tool[tool].ran_on is None}
    assert waiting <= {"it has not been run yet"}


def test_every_run_names_files_that_can_be_put_there():
    for run in recipes.runs():
        for source in run.files.values():
            assert source == "folder" or source in MADE or (EXAMPLES / source).is_file(), run.tool


def test_every_run_says_what_has_to_come_out():
    for run in recipes.runs():
        assert run.printed or (run.output and run.format), run.tool


def test_a_sample_a_folder_and_something_made_are_put_by_their_names(tmp_path):
    files = {"in.nii.gz": "brain_T1w.nii.gz", "out": "folder", "plane.tif": "one plane"}
    put_files(files, tmp_path)
    assert (tmp_path / "in.nii.gz").read_bytes() == (EXAMPLES / "brain_T1w.nii.gz").read_bytes()
    assert (tmp_path / "out").is_dir()
    with Image.open(tmp_path / "plane.tif") as plane:
        assert plane.n_frames == 1


def test_a_zip_is_unpacked_into_a_folder_of_the_name(tmp_path):
    put_files({"scan": "chest_ct.zip", "one.dcm": "one slice"}, tmp_path)
    assert len(list((tmp_path / "scan").rglob("*.dcm"))) == 24
    assert pydicom.dcmread(tmp_path / "one.dcm").Modality == "CT"


def test_a_point_spread_function_sums_to_one(tmp_path):
    put_files({"blur.tif": "flat blur"}, tmp_path)
    with Image.open(tmp_path / "blur.tif") as blur:
        assert np.asarray(blur).sum() == pytest.approx(1, abs=1e-5)


def test_the_sinogram_keeps_the_sum_of_the_slice_at_every_angle(tmp_path):
    put_files({"views.npy": "sinogram"}, tmp_path)
    views = np.load(tmp_path / "views.npy")
    assert views.shape == (60, 64)
    assert np.isfinite(views).all()


def test_a_file_of_the_stated_format_and_shape_is_counted(tmp_path):
    put_files({"a.nii.gz": "brain_T1w.nii.gz"}, tmp_path)
    assert recipes._checked(RUN, tmp_path, "") == "1 x *.nii.gz, NIfTI (64, 72, 60)"


@pytest.mark.parametrize(
    ("change", "files", "reason"),
    [
        ({}, {}, r"wrote no \*\.nii\.gz; it printed the end"),
        ({"shape": (1, 2, 3)}, {"a.nii.gz": "brain_T1w.nii.gz"}, r"is NIfTI \(64, 72, 60\)"),
        ({"format": "NRRD"}, {"a.nii.gz": "brain_T1w.nii.gz"}, "is NIfTI"),
        ({"output": "*.json"}, {"rules.json": "rules of dcm2bids"}, r"rules\.json is no scan"),
        ({"printed": "done"}, {}, "printed nothing like 'done'"),
    ],
)
def test_anything_else_than_the_recipe_says_is_a_failure(tmp_path, change, files, reason):
    put_files(files, tmp_path)
    fields = {"tool": "t", "packages": (), "output": "*.nii.gz", "format": "NIfTI"} | change
    with pytest.raises(RecipeFailed, match=reason):
        recipes._checked(Run(**fields), tmp_path, "the end")


def test_a_table_without_rows_is_a_failure(tmp_path):
    run = Run(tool="t", packages=(), output="*.csv", format="CSV")
    (tmp_path / "a.csv").write_text("name,value\n", "utf-8")
    with pytest.raises(RecipeFailed, match=r"a\.csv has 1 rows"):
        recipes._checked(run, tmp_path, "")
    (tmp_path / "a.csv").write_text("name,value\nx,1\n", "utf-8")
    assert recipes._checked(run, tmp_path, "") == "1 x *.csv, CSV"


def test_an_array_is_counted_with_its_shape_and_one_of_zeros_is_a_failure(tmp_path):
    run = Run(tool="t", packages=(), output="*.npy", format="NPY", shape=(2, 3))
    np.save(tmp_path / "a.npy", np.ones((2, 3)))
    assert recipes._checked(run, tmp_path, "") == "1 x *.npy, NPY (2, 3)"
    for values, reason in ((np.ones((3, 2)), r"is NPY \(3, 2\)"), (np.zeros((2, 3)), "zeros only")):
        np.save(tmp_path / "a.npy", values)
        with pytest.raises(RecipeFailed, match=reason):
            recipes._checked(run, tmp_path, "")


def test_numbers_without_a_header_are_counted_and_zeros_are_a_failure(tmp_path):
    run = Run(tool="t", packages=(), output="*.raw", format="float32", shape=(6,))
    np.ones(6, np.float32).tofile(tmp_path / "a.raw")
    assert recipes._checked(run, tmp_path, "") == "1 x *.raw, float32 (6,)"
    np.zeros(6, np.float32).tofile(tmp_path / "a.raw")
    with pytest.raises(RecipeFailed, match="zeros only"):
        recipes._checked(run, tmp_path, "")


@pytest.mark.parametrize(("text", "reason"), [("{}", "is empty"), ("{", "is no JSON")])
def test_a_report_that_is_empty_or_no_json_is_a_failure(tmp_path, text, reason):
    run = Run(tool="t", packages=(), output="*.json", format="JSON")
    (tmp_path / "a.json").write_text(text, "utf-8")
    with pytest.raises(RecipeFailed, match=reason):
        recipes._checked(run, tmp_path, "")
    (tmp_path / "a.json").write_text('{"issues": []}', "utf-8")
    assert recipes._checked(run, tmp_path, "") == "1 x *.json, JSON"


def test_a_folder_named_by_its_full_path_becomes_that_of_the_run(tmp_path):
    run = Run(tool="t", packages=(), words={"DATA": "{WORK}"})
    assert recipes._with_words('save("/DATA/a.tif")', run, tmp_path) == f'save("{tmp_path}/a.tif")'


def test_the_environment_of_a_recipe_is_measured_with_its_folders(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.so").write_bytes(bytes(2_000_000))
    assert recipes._megabytes(tmp_path) == 2


def test_a_program_that_fails_is_reported_with_the_end_of_its_words(tmp_path):
    with pytest.raises(RecipeFailed, match="bash ended with 3: no such flag"):
        recipes._call(["bash", "-c", "echo no such flag; exit 3"], tmp_path)


def test_a_run_of_a_tool_without_a_recipe_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(recipes, "recipe_of", lambda *_: None)
    with pytest.raises(RecipeFailed, match="dcm2niix has no recipe"):
        recipes.shown_text(Run(tool="dcm2niix", packages=()), tmp_path)
