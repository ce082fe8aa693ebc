"""Listings of other projects, our own exports and rows with fields that nobody knows."""

import json

import pytest

from tests.catalog.rows import own, texts

CFF = """\
cff-version: 1.2.0
message: "If you use this software, please cite it as below."
title: Lung Tracer
abstract: Traces airways in chest CT.
authors:
  - family-names: Doe
    given-names: Jane
version: 2.1.0
date-released: 2025-03-04
license: BSD-3-Clause
repository-code: "https://github.com/a/lung-tracer"
keywords: [airway, CT]
identifiers:
  - type: doi
    value: 10.5281/zenodo.1234567
preferred-citation:
  type: article
  doi: 10.1000/lung.2024
  title: Tracing airways
"""
GALAXY = {
    "id": "toolshed.g2.bx.psu.edu/repos/imgteam/2d_filter/ip_filter/1.0",
    "name": "Filter image",
    "description": "with scikit-image",
    "edam_operations": ["operation_Cell_segmentation", "operation_9999"],
    "panel_section_name": "Imaging",
    "is_workflow_compatible": True,
    "license": "MIT",
    "tool_shed_repository": {"owner": "imgteam", "name": "2d_simple_filter"},
}
NAPARI = {
    "name": "napari-cell-count",
    "display_name": "Cell count",
    "summary": "Counts cells in a layer.",
    "license": "BSD-3-Clause",
    "python_version": ">=3.9",
    "operating_system": ["Operating System :: OS Independent", "Operating System :: POSIX"],
    "release_date": "2024-05-06T07:08:09.000000Z",
    "first_released": "2022-01-01T00:00:00.000000Z",
    "project_site": "https://cells.example",
    "code_repository": "https://github.com/a/cells",
    "reader_file_extensions": ["*.tif", "*"],
    "category": {"Workflow step": ["Image Segmentation"]},
    "citations": [{"doi": "10.1000/cells"}],
}
CODEMETA = {
    "@context": "https://w3id.org/codemeta/3.0",
    "@type": "SoftwareSourceCode",
    "name": "Meta",
    "description": "Does things.",
    "datePublished": "2025-02-03",
    "dateModified": "2026-01-01",
    "installUrl": "https://meta.example/install",
}


def test_a_citation_file_is_one_record_with_its_paper_and_release(load):
    (record,) = load(CFF).records
    assert (record.id, record.name) == ("lung_tracer", "Lung Tracer")
    assert record.description == "Traces airways in chest CT."
    assert (record.license, record.citation) == ("BSD-3-Clause", "10.1000/lung.2024")
    assert (record.last_release, record.keywords) == ("2025-03-04", ["airway", "CT"])
    assert record.repo == "https://github.com/a/lung-tracer"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("title: Lung", "type: dataset\ntitle: Lung"), "type: 'dataset' is no software"),
        (("[airway, CT]", "[airway, CT"), "not a CITATION.cff: no YAML"),
    ],
)
def test_a_citation_of_no_software_or_of_no_yaml_is_refused_with_its_reason(load, change, reason):
    catalog = load(CFF.replace(*change))
    assert catalog.records == ()
    assert [one.reason for one in catalog.refused] == [reason]


def test_a_galaxy_tool_runs_on_the_web_and_keeps_its_shed(load):
    (record,) = load([GALAXY]).records
    assert (record.id, record.interfaces) == ("galaxy_2d_simple_filter", ["web"])
    assert record.url == "https://toolshed.g2.bx.psu.edu/view/imgteam/2d_simple_filter"
    assert (record.license, record.platforms) == ("MIT", ["Galaxy"])
    assert record.tasks == ["cell segmentation"]


def test_a_plugin_of_the_napari_hub_keeps_its_install_release_and_system(load):
    (record,) = load([NAPARI]).records
    assert (record.id, record.name) == ("napari_cell_count", "Cell count")
    assert [(one.kind, one.line) for one in record.install] == [
        ("pip", "pip install napari-cell-count")
    ]
    assert (record.last_release, record.python_version) == ("2024-05-06", ">=3.9")
    assert (record.formats_in, record.languages) == (["TIFF"], ["Python"])
    assert record.platforms[0] == "napari"
    assert "OS" not in record.platforms
    assert (record.license, record.citation) == ("BSD-3-Clause", "10.1000/cells")


def test_code_meta_keeps_its_release_and_where_it_is_installed_from(load):
    (record,) = load([CODEMETA]).records
    assert record.last_release == "2025-02-03"
    assert [(one.kind, one.line) for one in record.install] == [
        ("download", "https://meta.example/install")
    ]


def test_unknown_fields_are_named_once_and_the_record_stays(load):
    catalog = load([own(mood="good", weight=3)])
    assert [r.id for r in catalog.records] == ["a"]
    assert catalog.refused == ()
    assert texts(catalog) == ["not known and left out: 'mood', 'weight'"]


def test_the_name_of_an_unknown_field_is_one_printable_line(load):
    catalog = load([own(**{"mood\n\u202e": 1})])
    assert texts(catalog) == ["not known and left out: 'mood'"]


def test_a_flood_of_unknown_fields_is_counted(load):
    catalog = load([own(**{f"x{n:02}": n for n in range(25)})])
    assert [r.id for r in catalog.records] == ["a"]
    assert texts(catalog)[0].endswith("'x09' and 15 more")


def test_the_schema_of_the_source_system_is_taken_as_it_is(load):
    row = {
        "name": "Lungs",
        "description": "Segments lungs.",
        "homepage": "https://lungs.example",
        "requires": ["3D Slicer"],
        "supporting_data": {"modalities": ["CT"], "dimensions": ["3D"], "formats": ["DICOM"]},
    }
    (record,) = load([row]).records
    assert (record.id, record.url) == ("lungs", "https://lungs.example")
    assert record.requires_tool == ["3d_slicer"]
    assert (record.modalities, record.dimensions) == (["CT"], ["3D"])
    assert record.formats_in == ["DICOM"]


@pytest.mark.parametrize("indent", [None, 1])
def test_the_json_of_a_search_loads_as_a_catalog(load, indent):
    tool = {
        "rank": 1,
        "id": "lungs",
        "name": "Lungs",
        "description": "Segments lungs.",
        "license": "MIT",
        "supporting_data": {"modalities": ["CT"], "formats": ["NIfTI"], "demo_url": None},
        "retrieval_score": 0.5,
    }
    catalog = load(json.dumps({"query": {"text": "lungs"}, "candidates": [tool]}, indent=indent))
    (record,) = catalog.records
    assert (record.id, record.license, record.formats_in) == ("lungs", "MIT", ["NIfTI"])
    assert texts(catalog) == ["not known and left out: 'rank', 'retrieval_score'"]
