"""How an image lies, against how a tool needs it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import Needs, ScanInfo
from retrieval.fit.check import fit_of
from retrieval.fit.orientation import is_thick, plane_of
from retrieval.fit.series import kinds_of
from retrieval.scans import read_scans
from tests.fakes import make_tool
from tests.scans.makers import SHARED, nifti, series, smooth

THIN, THICK = (1.0, 1.0, 1.2), (0.7, 0.7, 4.0)


def scan(axes="LPS", spacing=THIN, dimension=Dimension.D3, **fields):
    return ScanInfo(
        format=Format.DICOM,
        modality=Modality.MRI,
        dimension=dimension,
        spacing=spacing,
        axes=tuple(axes),
        **fields,
    )


def of(one, orientation):
    tool = make_tool("a", needs=Needs(orientation=orientation))
    return next(f for f in fit_of(tool, one) if f.fact == "orientation")


def test_axes_that_differ_are_turned_and_the_evidence_says_so():
    fit = of(scan("LPS"), "RAS")
    stated = "requirements.orientation: RAS, after reorienting"
    assert (fit.verdict, fit.scan, fit.tool) == ("after conversion", "LPS", stated)
    fit = of(scan("RAS"), "RAS")
    assert (fit.verdict, fit.tool) == ("pass", "requirements.orientation: RAS")


def test_rpi_is_named_by_the_sides_that_the_axes_come_from():
    assert of(scan("LAS"), "RPI").verdict == "pass"
    assert of(scan("RPI"), "RPI").verdict == "after conversion"


def test_axes_that_neither_side_states_are_unknown():
    assert of(scan(""), "RAS").verdict == "unknown"
    assert of(scan(""), "axial").verdict == "unknown"
    assert of(scan("LPS"), None).verdict == "unknown"


@pytest.mark.parametrize(
    ("axes", "plane"),
    [("LPS", "axial"), ("RAI", "axial"), ("PIR", "sagittal"), ("LIP", "coronal")],
)
def test_the_plane_is_the_one_across_the_last_axis(axes, plane):
    assert plane_of(scan(axes)) == plane
    assert of(scan(axes), plane).verdict == "pass"


def test_thick_slices_lie_across_the_coarsest_axis_whichever_it_is():
    turned = replace(scan("RAS", (4.0, 0.7, 0.7)), format=Format.NIFTI)
    assert plane_of(turned) == "sagittal"
    assert of(turned, "sagittal").verdict == "pass"
    assert of(turned, "axial").verdict == "fail"


def test_rows_of_dicom_that_lie_far_apart_lie_along_the_second_axis(tmp_path):
    grid = {"PixelSpacing": [4, 1], "SliceThickness": 1, "Rows": 20, "Columns": 60}
    [dicom] = read_scans([series(tmp_path / "s", range(20), **grid)]).scans
    [same] = read_scans([nifti(tmp_path / "a.nii", smooth((60, 20, 20)), (1, 4, 1))]).scans
    assert (dicom.spacing, same.spacing) == ((4.0, 1.0, 1.0), (1.0, 4.0, 1.0))
    assert plane_of(dicom) == plane_of(same) == "coronal"


def test_thick_slices_of_another_plane_fail_and_a_thin_volume_is_cut_anew():
    fit = of(scan(spacing=THICK), "sagittal")
    assert (fit.verdict, fit.scan) == ("fail", "axial, thick slices")
    assert fit.tool == "requirements.orientation: sagittal"
    fit = of(scan(spacing=THIN), "sagittal")
    assert fit.verdict == "after conversion"
    assert fit.tool == "requirements.orientation: sagittal, after reorienting"
    assert of(scan(spacing=None), "sagittal").verdict == "unknown"


def test_one_picture_of_another_plane_fails_and_a_lone_slice_of_a_series_is_unknown():
    flat = {"dimension": Dimension.D2, "spacing": (0.7, 0.7)}
    assert of(scan(**flat), "sagittal").verdict == "fail"
    assert of(scan(**flat, notes=("single-slice",)), "sagittal").verdict == "unknown"
    assert of(scan(**flat, notes=("single-slice",)), "axial").verdict == "pass"
    alone = {"notes": ("single-slice",)}
    assert of(scan(**alone), "sagittal").verdict == "unknown"
    assert of(scan(**alone, spacing=THICK), "sagittal").verdict == "fail"


def test_series_that_lie_differently_are_of_different_kinds():
    several = (scan("LPS"), scan("RAS"), scan("LPS", THICK), scan("RAS", (4.0, 0.7, 0.7)))
    assert len(kinds_of((*several, *several)).scans) == 4
    assert is_thick(several[2])
    assert not is_thick(several[0])


@pytest.mark.skipif(not SHARED.exists(), reason="the scans with known truth are not here")
@pytest.mark.parametrize(
    ("path", "axes", "plane"),
    [
        ("ext/nifti/MNI152_T1_2mm.nii.gz", "LAS", "axial"),
        ("ext/dicom/ct_series.zip", "LPS", "axial"),
    ],
)
def test_headers_of_real_files_give_the_verdict(path, axes, plane):
    (one,) = read_scans([SHARED / path], preview=False).scans
    assert ("".join(one.axes), plane_of(one)) == (axes, plane)
    assert of(one, axes).verdict == "pass"
    assert of(one, "".join(reversed(axes))).verdict == "after conversion"
