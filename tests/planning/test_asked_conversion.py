"""A conversion is read from the text, and from the files where the text names its goal alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from retrieval.core import Dimension, Format, Modality, ScanInfo
from retrieval.planning import asked_conversion, asked_format

SEGMENTATION = ScanInfo(format=Format.DICOM, modality=Modality.SEG, dimension=Dimension.D3)
CONTOURS = ScanInfo(format=Format.DICOM, modality=Modality.RTSTRUCT, notes=("not-an-image",))
CT = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
LABELS = ScanInfo(format=Format.NIFTI, dimension=Dimension.D3, notes=("label-map",))
REPORT = ScanInfo(format=Format.DICOM, modality=Modality.SR, notes=("not-an-image",))


@pytest.mark.parametrize(
    ("text", "scan", "pair"),
    [
        ("convert to nifti", SEGMENTATION, ("DICOM-SEG", "NIfTI", "label")),
        ("convert DICOM to NIfTI", SEGMENTATION, ("DICOM-SEG", "NIfTI", "label")),
        ("convert to nifti", CONTOURS, ("RTSTRUCT", "NIfTI", "contour")),
        ("convert to nifti", CT, ("DICOM", "NIfTI", "image")),
        ("save as DICOM SEG", LABELS, ("NIfTI", "DICOM-SEG", "label")),
        ("convert NRRD to NIfTI", SEGMENTATION, ("NRRD", "NIfTI", "image")),
        ("convert to nifti", LABELS, None),
        ("convert to nifti", REPORT, None),
        ("segment lungs", CT, None),
    ],
)
def test_the_file_says_what_is_converted(text, scan, pair):
    asked = asked_conversion(text, (scan,))
    assert (asked and asked[:3]) == pair


def test_what_becomes_contours_or_labels_is_no_image_whatever_the_file_looks_like():
    mask = replace(LABELS, notes=())
    contours = asked_conversion("convert my mask to RTSTRUCT", (mask,))
    assert contours[:3] == ("NIfTI", "RTSTRUCT", "contour")
    assert asked_conversion("save as DICOM SEG", (mask,))[:3] == ("NIfTI", "DICOM-SEG", "label")


def test_files_of_several_kinds_and_no_file_leave_the_pair_to_the_text():
    assert asked_conversion("convert to nifti", (CT, SEGMENTATION)) is None
    assert asked_conversion("convert to nifti", ()) is None


def test_of_an_image_and_its_labels_the_labels_become_a_dicom_seg():
    image = replace(CT, format=Format.NIFTI)
    asked = asked_conversion("convert to DICOM SEG", (image, LABELS))
    assert asked[:3] == ("NIfTI", "DICOM-SEG", "label")
    assert asked_conversion("convert to DICOM SEG", (image, CT)) is None


def test_formats_in_the_text_give_the_pair():
    assert asked_conversion("DICOM to NIfTI", ())[:3] == ("DICOM", "NIfTI", "image")


CLIP = ScanInfo(format=Format.DICOM, modality=Modality.US, dimension=Dimension.D2, notes=("cine",))


@pytest.mark.parametrize(
    ("text", "scan", "pair"),
    [
        ("structured report to JSON", REPORT, ("DICOM", "JSON", "metadata")),
        ("DICOM SR to JSON", REPORT, ("DICOM", "JSON", "metadata")),
        ("multi-frame to PNG", CLIP, ("DICOM", "PNG", "image")),
        ("ultrasound clip into PNG", CLIP, ("DICOM", "PNG", "image")),
        ("Ultraschall nach PNG", CLIP, ("DICOM", "PNG", "image")),
    ],
)
def test_a_file_and_its_goal_are_a_pair_without_a_verb(text, scan, pair):
    assert asked_conversion(text, (scan,))[:3] == pair


@pytest.mark.parametrize(
    "text",
    [
        "PNG export quality",
        "register this to a PNG of the atlas",
        "multi-frame to DICOM",
        "to PNGs or",
    ],
)
def test_a_format_that_is_named_otherwise_is_no_goal(text):
    assert asked_conversion(text, (CLIP,)) is None


def test_without_a_file_a_goal_needs_its_verb():
    assert asked_conversion("multi-frame to PNG", ()) is None


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("a tool to read DICOM RT and turn it to masks", None),
        ("to open NIfTI and save screenshots", None),
        ("turn the masks into a NIfTI file", "NIfTI"),
    ],
)
def test_a_format_that_is_read_is_no_goal(text, goal):
    assert asked_format(text, ()) == goal
