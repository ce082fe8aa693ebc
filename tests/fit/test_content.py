"""What a file holds, and which conversions carry that over."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.fit.check import fit_of
from retrieval.fit.formats import content_of, stored_as
from retrieval.planning.bridge import FormatBridge
from tests.fakes import make_pairs, make_tool

F, M = Format, Modality
IMAGES = make_pairs("NIfTI > NRRD", "DICOM > NRRD", "DICOM > PNG", "SVS > NIfTI")
LABELS = make_pairs("NIfTI > DICOM-SEG", "DICOM-SEG > NRRD", what="label")


def scan(format=F.NIFTI, modality=None, dimension=Dimension.D3, notes=()):
    return ScanInfo(format=format, modality=modality, dimension=dimension, notes=notes)


def verdict(one, *wanted, converts=IMAGES, **facts):
    bridge = FormatBridge([make_tool("c", converts=converts, **facts)])
    tool = make_tool("a", formats_in=wanted)
    return next(f for f in fit_of(tool, one, bridge.named_chain) if f.fact == "format")


@pytest.mark.parametrize(
    ("one", "what"),
    [
        (scan(), "image"),
        (scan(notes=("label-map",)), "label"),
        (scan(notes=("label-map", "rgb")), ""),
        (scan(F.DICOM, M.SEG), "label"),
        (scan(F.DICOM, M.RTSTRUCT, None), "contour"),
        (scan(F.DICOM, M.SR, None), ""),
        (scan(F.DICOM, M.RTDOSE), ""),
        (scan(F.DICOM, M.US, Dimension.D2, ("cine",)), ""),
        (scan(F.TIFF, notes=("pages",)), "image"),
        (scan(F.GIFTI, dimension=None), "surface"),
        (scan(F.TRK, dimension=None), "streamlines"),
        (scan(F.TWIX, M.MRI, None), "raw data"),
        (scan(F.HDF5, dimension=None), ""),
    ],
)
def test_what_a_file_holds_follows_from_its_header(one, what):
    assert content_of(one).what == what


def test_segmentations_and_contours_are_kinds_of_dicom_files():
    assert stored_as(scan(F.DICOM, M.SEG)) == F.DICOM_SEG
    assert stored_as(scan(F.DICOM, M.RTSTRUCT, None)) == F.RTSTRUCT
    assert stored_as(scan(F.NIFTI, M.SEG)) == F.NIFTI


def test_a_label_map_is_not_carried_by_a_conversion_of_images():
    labels = scan(notes=("label-map",))
    assert verdict(labels, F.NRRD).verdict == "fail"
    assert verdict(scan(), F.NRRD).verdict == "after conversion"


def test_labels_and_contours_are_carried_by_conversions_of_their_own():
    seg = scan(F.DICOM, M.SEG)
    assert verdict(seg, F.NRRD).verdict == "fail"
    told = verdict(seg, F.NRRD, converts=LABELS)
    assert told.tool == "formats_in: NRRD, after c: DICOM-SEG to NRRD"
    assert verdict(scan(), F.DICOM_SEG, converts=LABELS).verdict == "fail"
    contours = make_pairs("RTSTRUCT > NIfTI", what="contour")
    drawn = scan(F.DICOM, M.RTSTRUCT, None)
    assert verdict(drawn, F.NIFTI, converts=contours).verdict == "after conversion"
    assert verdict(drawn, F.NIFTI, converts=make_pairs("DICOM > NIfTI")).verdict == "fail"


def test_a_header_as_json_does_not_carry_the_image():
    headers = make_pairs("DICOM > JSON", what="metadata")
    assert verdict(scan(F.DICOM, M.CT), F.JSON, converts=headers).verdict == "fail"


def test_a_converter_of_dicom_takes_the_modalities_that_it_states():
    ct = scan(F.DICOM, M.CT)
    assert verdict(ct, F.NRRD, modalities=(M.CT,)).verdict == "after conversion"
    assert verdict(ct, F.NRRD, modalities=(M.MRI,)).verdict == "fail"
    assert verdict(ct, F.NRRD).verdict == "fail"
    assert verdict(scan(F.DICOM, M.DMRI), F.NRRD, modalities=(M.MRI,)).verdict == "after conversion"


def test_a_converter_takes_the_dimensions_that_it_states():
    moving = scan(dimension=Dimension.D4)
    assert verdict(moving, F.NRRD, dimensions=(Dimension.D3,)).verdict == "fail"
    assert (
        verdict(moving, F.NRRD, dimensions=(Dimension.D3, Dimension.D4)).verdict
        == "after conversion"
    )


def test_a_flat_image_becomes_a_picture_and_a_volume_does_not():
    xray = scan(F.DICOM, M.XR, Dimension.D2)
    assert verdict(xray, F.PNG).verdict == "after conversion"
    assert verdict(xray, F.NRRD, modalities=(M.XR,)).verdict == "fail"
    assert verdict(scan(F.DICOM, M.CT), F.PNG).verdict == "fail"


@pytest.mark.parametrize("wanted", [F.PNG, F.NRRD])
def test_a_whole_slide_in_dicom_is_neither_a_picture_nor_a_volume(wanted):
    slide = scan(F.DICOM, M.SM, Dimension.D2)
    assert verdict(slide, wanted).verdict == "fail"


def test_colours_do_not_become_a_volume():
    colours = scan(F.TIFF, notes=("rgb",))
    pairs = make_pairs("TIFF > NIfTI", "TIFF > OME-TIFF")
    assert verdict(colours, F.NIFTI, converts=pairs).verdict == "fail"
    assert verdict(colours, F.OME_TIFF, converts=pairs).verdict == "after conversion"
