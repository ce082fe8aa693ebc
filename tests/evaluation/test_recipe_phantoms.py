"""Series and data sets that are made for recipes: what they hold."""

from __future__ import annotations

import hashlib
import json

import nibabel as nib
import numpy as np
import pydicom

from benchmarks.recipe_phantoms import ECHOES
from benchmarks.recipe_samples import put_files


def test_each_tile_of_the_experiment_is_there_with_the_digest_that_is_stated(tmp_path):
    put_files({"experiment.json": "SpaceTx experiment"}, tmp_path)
    whole = json.loads((tmp_path / "experiment.json").read_text("utf-8"))
    assert (tmp_path / whole["codebook"]).is_file()
    for images in whole["images"].values():
        field = json.loads((tmp_path / images).read_text("utf-8"))["contents"]["fov_000"]
        for tile in json.loads((tmp_path / field).read_text("utf-8"))["tiles"]:
            content = (tmp_path / tile["file"]).read_bytes()
            assert hashlib.sha256(content).hexdigest() == tile["sha256"]


def test_the_echoes_fall_by_the_decay_that_is_stated(tmp_path):
    put_files({"a.nii.gz": "echoes"}, tmp_path)
    series = np.asarray(nib.load(tmp_path / "a.nii.gz").dataobj)
    bright = series[series[..., 0] > 100]
    decay = -(ECHOES[-1] - ECHOES[0]) / np.log(bright[:, -1] / bright[:, 0])
    assert np.allclose(decay, 40, rtol=1e-3)


def test_every_streamline_ends_in_the_white_matter_and_the_peaks_fill_it(tmp_path):
    files = {"a.tck": "streamlines", "w.nii.gz": "white matter", "p.nii.gz": "peaks"}
    put_files(files, tmp_path)
    mask = nib.load(tmp_path / "w.nii.gz")
    inside = np.asarray(mask.dataobj) > 0
    lines = nib.streamlines.load(tmp_path / "a.tck").streamlines
    assert len(lines) > 100
    ends = np.concatenate([[line[0], line[-1]] for line in lines])
    voxels = np.rint(nib.affines.apply_affine(np.linalg.inv(mask.affine), ends)).astype(int)
    assert inside[tuple(voxels.T)].all()
    lengths = np.linalg.norm(np.asarray(nib.load(tmp_path / "p.nii.gz").dataobj), axis=-1)
    assert ((lengths > 0) == inside).all()


def test_the_second_site_reads_two_higher_and_has_a_row_of_covariates_each(tmp_path):
    put_files({"m.csv": "measures", "c.csv": "covariates"}, tmp_path)
    values = np.loadtxt(tmp_path / "m.csv", delimiter=",", skiprows=1)
    sites = [row.split(",")[0] for row in (tmp_path / "c.csv").read_text("utf-8").split()[1:]]
    second = np.asarray(sites) == "B"
    assert values[second].mean() - values[~second].mean() > 1.5


def test_a_data_set_in_bids_holds_the_brain_and_a_smaller_mask_lies_inside_it(tmp_path):
    put_files(
        {"set": "BIDS folder", "s.nii.gz": "smaller mask", "b.nii.gz": "brain mask"}, tmp_path
    )
    assert (tmp_path / "set" / "sub-01" / "anat" / "sub-01_T1w.nii.gz").is_file()
    small, full = (np.asarray(nib.load(tmp_path / n).dataobj) > 0 for n in ("s.nii.gz", "b.nii.gz"))
    assert 0 < small.sum() < full.sum()
    assert not (small & ~full).any()


def test_the_named_series_has_the_slices_of_the_sample_with_one_patient(tmp_path):
    put_files({"a": "chest_ct.zip", "b": "named series"}, tmp_path)
    before, after = (sorted((tmp_path / name).rglob("*.dcm")) for name in ("a", "b"))
    assert [one.name for one in before] == [one.name for one in after]
    assert {str(pydicom.dcmread(one).PatientName) for one in after} == {"Sample^One"}
    first, second = pydicom.dcmread(before[5]), pydicom.dcmread(after[5])
    assert (first.pixel_array == second.pixel_array).all()


def test_the_configurations_of_a_simulated_scan_agree_on_its_views(tmp_path):
    put_files({"cfg": "configurations of XCIST"}, tmp_path)
    names = {one.stem for one in (tmp_path / "cfg").iterdir()}
    assert names == {"Phantom_Sample", "Protocol_Sample_axial", "Scanner_Sample_generic"}
    protocol = (tmp_path / "cfg" / "Protocol_Sample_axial.cfg").read_text("utf-8")
    views = dict(line.split(" = ") for line in protocol.splitlines())
    assert int(views["protocol.stopViewId"]) == int(views["protocol.viewCount"]) - 1
