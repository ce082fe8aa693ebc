"""The pairs that the shipped records state: who has some, and what they may say."""

from __future__ import annotations

from collections import Counter

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.settings import ROOT

CATALOG = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl")

NO_PAIRS = {
    "asap": "its converter writes TIFF or SVS from any slide; no source format is named",
    "brkraw": "it converts raw Bruker data, which have no code in the vocabulary, to NIfTI",
    "cytotable": "writes Parquet, which is no format of the vocabulary",
    "deepzoom_py": "writes Deep Zoom folders, which are no format of the vocabulary",
    "dlup": (
        "its resampling example writes TIFF from whole slide images without naming the format "
        "that is read"
    ),
    "highdicom": "makes DICOM objects of arrays, not of files in another format",
    "ismrmrd": "the converters from vendors' raw data are programs of their own",
    "napari_flim_phasor_plotter": (
        "it turns .ptu and .sdt files, which have no code in the vocabulary, into OME-TIFF and Zarr"
    ),
    "ome_zarr": "writes arrays as OME-Zarr; no source format is named",
    "omero_cli_zarr": (
        "it moves images between an OMERO server, which has no code in the vocabulary, and OME-Zarr"
    ),
    "open_babel": "its README counts over 90 formats and names no pair",
    "pytrip": (
        "its converters lead between DICOM and TRiP98/Voxelplan files, which have no code in "
        "the vocabulary"
    ),
    "samri": "starts from raw folders of Bruker, which are no format of the vocabulary",
    "samtools_sort": "sorts alignments; its page states no change of format",
    "slicer_petdicom": (
        "its README states an import of PET images from DICOM into 3D Slicer and names no "
        "format that is written"
    ),
    "tifffile": "reads and writes arrays; its manual states no conversion",
}
"""Records with the task conversion of which no source states a pair, and why."""


def test_a_record_with_the_task_conversion_states_pairs_or_is_listed_with_the_reason():
    told = {r.id: bool(r.converts) for r in CATALOG.records if "conversion" in r.tasks}
    without = {id for id, pairs in told.items() if not pairs}
    assert without == set(NO_PAIRS), f"add converts to a record, or a reason here: {without}"


def test_every_pair_is_stated_once():
    for record in CATALOG.records:
        pairs = Counter((c.before, c.after, c.what) for c in record.converts)
        assert max(pairs.values(), default=1) == 1, record.id


def test_the_source_of_every_pair_is_a_source_of_the_record():
    for record in CATALOG.records:
        sources = {s.url for s in record.sources if "converts" in s.facts}
        assert {c.source for c in record.converts} == sources, record.id


def test_a_pair_names_the_kind_of_data_that_its_formats_hold():
    label, contour = {"DICOM-SEG"}, {"RTSTRUCT"}
    streamlines = {"TRK", "TCK"}
    for record in CATALOG.records:
        for pair in record.converts:
            ends = {str(pair.before), str(pair.after)}
            assert (pair.what == "label") or not label & ends, (record.id, pair)
            assert (pair.what == "contour") or str(pair.before) not in contour, (record.id, pair)
            assert (pair.what == "streamlines") or not streamlines & ends, (record.id, pair)
            assert pair.what == "metadata" or not {"JSON", "XML"} & ends, (record.id, pair)


@pytest.mark.parametrize(
    ("before", "after", "what", "tool"),
    [
        ("NIfTI", "DICOM", "image", "nii2dcm"),
        ("DICOM", "STL", "image", "dicom2stl"),
        ("NRRD", "STL", "label", "3d_slicer"),
        ("NIfTI", "STL", "image", "niimath"),
        ("MetaImage", "NIfTI", "image", "convert3d"),
        ("NIfTI", "MetaImage", "image", "convert3d"),
        ("NIfTI", "NRRD", "label", "3d_slicer"),
        ("DICOM-SEG", "MetaImage", "label", "dcmqi"),
        ("CZI", "OME-Zarr", "image", "bioformats2raw"),
        ("LIF", "TIFF", "image", "bio_formats"),
        ("DICOM", "OME-TIFF", "image", "bio_formats"),
        ("TWIX", "ISMRMRD", "raw data", "siemens_to_ismrmrd"),
    ],
)
def test_a_conversion_that_is_often_asked_for_is_stated(before, after, what, tool):
    stated = {
        (r.id, str(c.before), str(c.after), c.what) for r in CATALOG.records for c in r.converts
    }
    assert (tool, before, after, what) in stated
