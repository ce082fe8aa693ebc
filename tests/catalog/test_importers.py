"""Catalogs in other formats, by content: records, notes and refusals (W10, W11, 5.3)."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog import load_catalog
from retrieval.catalog.importers import IMPORTERS

DOCS = {
    "@type": "SoftwareSourceCode",
    "name": ["Lung Seg", "LS"],
    "description": "Segments lungs.",
    "url": "https://lung.example",
    "codeRepository": "git+https://github.com/a/lung.git",
    "programmingLanguage": "py",
    "license": ["MIT", "Apache-2.0"],
    "keywords": "lung, CT",
    "applicationCategory": "Radiology",
    "operatingSystem": ["Linux", "mac"],
    "supportingData": {
        "modalities": ["CT", "MR"],
        "dimensions": ["3-d", "12 bit"],
        "formats": ["DICOM (.dcm), NIfTI", "quux"],
        "tasks": ["segmentation"],
        "demo_url": "https://huggingface.co/spaces/u/lung",
        "paper_url": "https://doi.org/10.1000/example",
    },
}
LOADER = {
    "name": "Cell Seg",
    "description": "Segments cells.",
    "imagingModality": ["microscopy"],
    "featureList": ["segmentation"],
    "isPluginModuleOf": "napari",
    "requiresGPU": "yes",
    "supportingData": [
        {"datasetFormat": [" DCM ", "nii.GZ", "dcm", ""], "hasDimensionality": [3, "timeseries"]},
        {"bodySite": ["lungs", "tail"], "imagingModality": "PET/CT", "hasDimensionality": "stack"},
    ],
}
BIOTOOLS = {
    "name": "needle",
    "description": "Aligns two sequences.",
    "homepage": "https://needle.example",
    "biotoolsID": "needle",
    "toolType": ["Command-line tool", "Suite"],
    "topic": [{"uri": "http://edamontology.org/topic_0622", "term": "Genomics"}],
    "operatingSystem": ["Linux", "Mac"],
    "language": ["C", "Python"],
    "license": "GPL-3.0",
    "collectionID": ["EMBOSS"],
    "function": [
        {
            "operation": [
                {"uri": "http://edamontology.org/operation_0492", "term": "MSA"},
                {"uri": "http://edamontology.org/operation_9999", "term": "Odd Thing"},
            ],
            "input": [
                {
                    "data": {"uri": "http://edamontology.org/data_2976", "term": "Proteins"},
                    "format": [
                        {"uri": "http://edamontology.org/format_1929", "term": "FASTA"},
                        {"uri": "http://edamontology.org/format_3158", "term": "MIF"},
                    ],
                }
            ],
            "output": [
                {"format": [{"uri": "http://edamontology.org/format_2330", "term": "Text"}]}
            ],
        }
    ],
    "link": [{"url": "https://github.com/e/needle", "type": ["Repository"]}],
    "documentation": [{"url": "https://needle.example/doc", "type": ["Manual"]}],
    "publication": [{"doi": "10.1093/nar/gkv1116"}],
}
CSV = (
    "\ufeffName;Description;Formats;Modality;Licence;Mood\r\n"
    '"Tool; A";"two\r\nlines";DICOM (.dcm), NIfTI;CT|MRI;GPL-3.0;glad\r\n'
    "B;plain;quux;;;\r\n"
)


@pytest.fixture
def load(tmp_path):
    def loaded(content):
        path = tmp_path / "catalog.data"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, "utf-8", newline="")
        return load_catalog(path)

    return loaded


def own(**facts):
    return {"id": "a", "name": "A", "description": "what A does", **facts}


def texts(catalog):
    return [note.text for note in catalog.notes]


def test_the_formats_are_asked_in_one_order_and_the_last_takes_everything():
    assert [i.name for i in IMPORTERS] == ["CSV", "bio.tools", "schema.org", "own"]


def test_w11_the_spelling_of_the_documentation_is_understood(load):
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


def test_w11_the_spelling_of_the_loader_is_understood(load):
    catalog = load([LOADER])
    (record,) = catalog.records
    assert record.modalities == ["microscopy", "PET", "CT"]
    assert record.dimensions == ["3D", "4D"]
    assert (record.anatomy, record.gpu) == (["lung"], "required")
    assert record.requires_tool == ["napari"]


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


def test_w10_twelve_bit_is_no_dimension(load):
    catalog = load([own(dimensions=["12 bit", "2D"])])
    assert catalog.records[0].dimensions == ["2D"]
    assert texts(catalog) == ["dimensions: '12 bit' is no known dimension and is left out"]


def test_w10_several_licences_are_a_choice_in_the_order_given(load):
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
        ("https://odd.example/terms", "LicenseRef-https-odd.example-terms"),
        ("Other", None),
        (["MIT AND ISC", "MIT AND ISC", "GPLv3"], "(MIT AND ISC) OR GPL-3.0-only"),
        (["MIT", "own terms"], "LicenseRef-MIT-OR-LicenseRef-own-terms"),
    ],
)
def test_licences_come_out_as_spdx(load, written, spdx):
    assert load([own(license=written)]).records[0].license == spdx


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
def test_addresses_other_than_http_are_refused_in_every_format(load, row, key, address):
    catalog = load([{**row, key: address}])
    assert catalog.records == ()
    assert "only http and https" in catalog.refused[0].reason


def test_a_record_cut_off_in_an_array_costs_no_other(load):
    catalog = load(json.dumps([own(), DOCS], indent=1)[:-200])
    assert [r.id for r in catalog.records] == ["a"]
    assert [r.reason for r in catalog.refused] == ["not a JSON object"]
    assert catalog.refused[0].line > 5
