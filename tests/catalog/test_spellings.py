"""Formats, dimensions and licences as people spell them (W10, 5.3)."""

from __future__ import annotations

import pytest

from tests.catalog.rows import DOCS, LOADER, own, texts


def test_5_3_formats_are_normalised_and_named_once(load):
    assert load([LOADER]).records[0].formats_in == ["DICOM", "NIfTI"]
    assert load([own(formats_in=["png", "PNG", " jpeg "])]).records[0].formats_in == ["PNG", "JPEG"]
    assert load([own(formats_in=[])]).records[0].formats_in == []


@pytest.mark.parametrize(
    ("spelled", "codes"),
    [
        ("DICOM (.dcm), NIfTI", ["DICOM", "NIfTI"]),
        ("NIfTI files and image/tiff", ["NIfTI", "TIFF"]),
        ("PNG/JPEG", ["PNG", "JPEG"]),
        ("Par/Rec", ["PAR-REC"]),
        ("application/dicom", ["DICOM"]),
        ("OME-TIFF | Zarr; numpy", ["OME-TIFF", "Zarr", "NPY"]),
    ],
)
def test_a_list_of_formats_in_one_text_is_taken_apart(load, spelled, codes):
    assert load([own(formats_in=spelled)]).records[0].formats_in == codes


@pytest.mark.parametrize(
    ("spelled", "code"),
    [
        *(("3D", "3D"), ("3-d", "3D"), ("volumetric", "3D"), ("stack", "3D"), (3, "3D")),
        *(("timeseries", "4D"), ("2D", "2D"), ("planar", "2D")),
    ],
)
def test_5_3_dimensions_in_words_and_numbers(load, spelled, code):
    assert load([own(dimensions=[spelled])]).records[0].dimensions == [code]


@pytest.mark.requirement("W10")
def test_twelve_bit_is_no_dimension(load):
    catalog = load([own(dimensions=["12 bit", "2D"])])
    assert catalog.records[0].dimensions == ["2D"]
    assert texts(catalog) == ["dimensions: '12 bit' is no known dimension and is left out"]


@pytest.mark.requirement("W10")
def test_several_licences_are_a_choice_in_the_order_given(load):
    assert load([DOCS]).records[0].license == "MIT OR Apache-2.0"


@pytest.mark.parametrize(
    ("written", "spdx"),
    [
        ("GPL-3.0", "GPL-3.0-only"),
        ("gpl-3.0+", "GPL-3.0-or-later"),
        ("Apache 2.0", "Apache-2.0"),
        ("https://spdx.org/licenses/MIT.html", "MIT"),
        ("https://opensource.org/license/MIT", "MIT"),
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("GPL-2.0 WITH Classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0"),
        ("My own terms", "LicenseRef-My-own-terms"),
        ("LicenseRef-3D-Slicer", "LicenseRef-3D-Slicer"),
        ("LicenseRef-Own AND Apache 2.0", "LicenseRef-Own AND Apache-2.0"),
        ("Own AND Apache 2.0", "LicenseRef-Own-AND-Apache-2.0"),
        ("https://odd.example/terms", "LicenseRef-https-odd.example-terms"),
        ("Other", None),
        (["MIT AND ISC", "MIT AND ISC", "GPLv3"], "(MIT AND ISC) OR GPL-3.0-only"),
        (["MIT", "own terms"], "LicenseRef-MIT-OR-LicenseRef-own-terms"),
    ],
)
def test_licences_come_out_as_spdx(load, written, spdx):
    assert load([own(license=written)]).records[0].license == spdx
