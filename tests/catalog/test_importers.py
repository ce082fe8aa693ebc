"""Catalogs in other formats, by content: records, notes and refusals (W11)."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.importers.table import IMPORTERS
from tests.catalog.rows import BIOTOOLS, CSV, DOCS, LOADER, own, texts


def test_the_formats_are_asked_in_one_order_and_the_last_takes_everything():
    assert [i.name for i in IMPORTERS] == [
        *("CSV", "bio.tools", "CITATION.cff", "Galaxy", "napari hub", "schema.org", "own")
    ]


@pytest.mark.requirement("W11")
def test_the_spelling_of_the_documentation_is_understood(load):
    catalog = load([DOCS])
    (record,) = catalog.records
    assert (record.id, record.name) == ("lung_seg", "Lung Seg")
    assert (record.modalities, record.dimensions) == (["CT", "MRI"], ["3D"])
    assert record.formats_in == ["DICOM", "NIfTI"]
    assert record.tasks == ["segmentation"]
    assert record.repo == "https://github.com/a/lung"
    assert record.demo_url == "https://huggingface.co/spaces/u/lung"
    assert (record.citation, record.domain) == ("10.1000/example", "radiology")
    assert (record.languages, record.platforms) == (["Python"], ["Linux", "macOS"])
    assert record.keywords == ["lung", "CT", "LS"]


@pytest.mark.requirement("W11")
def test_the_spelling_of_the_loader_is_understood(load):
    catalog = load([LOADER])
    (record,) = catalog.records
    assert record.modalities == ["microscopy", "PET", "CT"]
    assert record.dimensions == ["3D", "4D"]
    assert (record.anatomy, record.gpu) == (["lung"], "required")
    assert record.requires_tool == ["napari"]


def test_what_the_input_has_to_be_comes_with_our_own_rows(load):
    needs = {"data": ["image", "surface"], "orientation": "LPS"}
    (tool,) = load(json.dumps(own(requirements=needs))).tools
    assert (tool.needs.data, tool.needs.orientation) == (("image", "surface"), "LPS")
    [note] = load(json.dumps(own(requirements={"orientation": "upwards"}))).notes
    assert "requirements.orientation" in note.text


def test_an_unknown_spelling_is_reported_with_its_record_which_stays(load):
    catalog = load(json.dumps(own()) + "\n" + json.dumps(own(id="b", modalities=["CT", "qq"])))
    assert [r.id for r in catalog.records] == ["a", "b"]
    (note,) = catalog.notes
    assert (note.line, note.id) == (2, "b")
    assert note.text == "modalities: 'qq' is no known modality and is left out"
    assert catalog.refused == ()


def test_ids_are_made_from_names_and_a_clash_is_reported(load):
    catalog = load(
        [{"name": "Über Tool 2", "description": "x"}, {"name": "uber-tool 2", "description": "y"}]
    )
    assert [r.id for r in catalog.records] == ["uber_tool_2"]
    assert catalog.refused[0].reason == "a second record with the id uber_tool_2"


def test_a_name_without_latin_letters_still_gives_a_steady_id(load):
    first = load([{"name": "肺分割", "description": "x"}]).records[0].id
    assert first == load([{"name": "肺分割", "description": "y"}]).records[0].id
    assert first.startswith("tool_")


def test_bio_tools_entries_with_edam_concepts(load):
    catalog = load(json.dumps({"count": 1, "next": None, "list": [BIOTOOLS]}, indent=2))
    (record,) = catalog.records
    assert (record.id, record.domain, record.suite) == ("needle", "genomics", "EMBOSS")
    assert record.tasks == ["multiple sequence alignment", "odd thing"]
    assert (record.formats_in, record.formats_out) == (["FASTA"], ["text"])
    assert (record.interfaces, record.platforms) == (["command line"], ["Linux", "macOS"])
    assert record.keywords == ["Genomics", "suite"]
    assert (record.license, record.citation) == ("GPL-3.0-only", "10.1093/nar/gkv1116")
    assert record.repo == "https://github.com/e/needle"
    assert record.docs_url == "https://needle.example/doc"


def test_the_mif_of_edam_is_not_the_mif_of_mrtrix(load):
    assert texts(load([BIOTOOLS])) == ["formats_in: 'MIF' is no known format and is left out"]


def test_a_sheet_is_read_by_its_columns(load):
    catalog = load(CSV)
    first, second = catalog.records[1], catalog.records[0]
    assert (first.name, first.description) == ("Tool; A", "two lines")
    assert (first.formats_in, first.modalities) == (["DICOM", "NIfTI"], ["CT", "MRI"])
    assert (first.license, second.id) == ("GPL-3.0-only", "b")
    assert [(n.line, n.id) for n in catalog.notes] == [(1, ""), (4, "b")]
    assert catalog.notes[0].text == "the column 'mood' is not known and is left out"


def test_code_meta_in_one_indented_object(load):
    node = {
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "id": "https://x.example/1",
        "schema:name": "Meta",
        "https://schema.org/description": {"@value": "Does things."},
        "license": {"@id": "https://spdx.org/licenses/Apache-2.0"},
    }
    (record,) = load(json.dumps(node, indent=2)).records
    assert (record.id, record.name, record.license) == ("meta", "Meta", "Apache-2.0")


@pytest.mark.parametrize("indent", [None, 1])
def test_a_json_ld_graph_gives_its_software_and_names_the_rest(load, indent):
    person = {"@type": "Person", "name": "J"}
    graph = {"@context": "x", "@graph": [DOCS, person, LOADER], "after": {"list": "no"}}
    catalog = load(json.dumps(graph, indent=indent))
    assert [r.id for r in catalog.records] == ["cell_seg", "lung_seg"]
    assert [r.reason for r in catalog.refused] == ["@type: 'Person' is no software"]


@pytest.mark.parametrize("shape", ["jsonl", "array", "indented"])
def test_every_shape_of_file_gives_the_same_records(load, shape):
    rows = [DOCS, LOADER, BIOTOOLS, own()]
    lines = "\n".join(map(json.dumps, rows))
    text = {"jsonl": lines, "array": json.dumps(rows), "indented": json.dumps(rows, indent=1)}
    catalog = load(text[shape])
    assert [r.id for r in catalog.records] == ["a", "cell_seg", "lung_seg", "needle"]
    assert catalog.sha256 == load(lines).sha256


def test_the_flat_sample_of_the_imaging_agent(load):
    flat = {
        "name": "3d-lungs-segmentation",
        "description": "3D lung segmentation.",
        "modality": ["CT"],
        "dims": ["3D"],
        "anatomy": ["lung"],
        "input_formats": ["TIFF", "TIF"],
        "language": "Python",
        "gpu_required": False,
        "hf_space": "qchapp/3d-lungs-segmentation",
    }
    (record,) = load(json.dumps(flat)).records
    assert (record.modalities, record.dimensions, record.anatomy) == (["CT"], ["3D"], ["lung"])
    assert (record.formats_in, record.gpu) == (["TIFF"], None)
    assert record.demo_url == "https://huggingface.co/spaces/qchapp/3d-lungs-segmentation"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "ftp://x.example/y", "data:text/html,x"]
)
@pytest.mark.parametrize(
    ("row", "key"), [(DOCS, "url"), (BIOTOOLS, "homepage"), (own(), "docs_url")]
)
def test_addresses_other_than_http_are_left_out_in_every_format(load, row, key, address):
    catalog = load([{**row, key: address}])
    [record] = catalog.records
    assert address not in record.model_dump_json()
    assert any("only http and https" in note.text for note in catalog.notes)


def test_a_record_cut_off_in_an_array_costs_no_other(load):
    catalog = load(json.dumps([own(), DOCS], indent=1)[:-200])
    assert [r.id for r in catalog.records] == ["a"]
    assert [r.reason for r in catalog.refused] == ["not a JSON object"]
    assert catalog.refused[0].line > 5
