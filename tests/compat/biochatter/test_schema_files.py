"""Reading BioCypher's schema files, and writing our own."""

from __future__ import annotations

import pytest
import yaml

from retrieval.core.errors import BadInput
from retrieval.graph.build import build_graph
from retrieval.graph.facts import catalog_facts
from retrieval.graphdb.schema import (
    load_schema,
    pascal_case,
    read_schema,
    schema_info,
    write_schema_info,
)
from tests.compat.biochatter.talk import CONFIG, INFO
from tests.fakes import SMALL


@pytest.mark.requirement("S2-12")
def test_an_info_file_tells_entities_and_relationships_and_skips_what_is_absent():
    schema = load_schema(INFO)
    assert list(schema.entities) == ["Protein", "Gene", "Disease", "CellType"]
    assert list(schema.relationships) == [
        "PostTranslationalInteraction",
        "Phosphorylation",
        "GeneToPhenotypeAssociation",
        "GeneToDiseaseAssociation",
        "GeneExpressedInCellType",
    ]
    told = schema.relationships["GeneToPhenotypeAssociation"]
    assert (told.label, told.sources, told.targets) == (
        "PERTURBED",
        ("Disease",),
        ("Protein", "Gene"),
    )
    assert schema.relationships["Phosphorylation"].label == "Phosphorylation"
    assert dict(schema.properties_of("Disease")) == {"name": "str", "ICD10": "str", "DSM5": "str"}


@pytest.mark.requirement("S2-12")
def test_a_config_file_tells_relationships_by_their_names_and_edges():
    schema = load_schema(CONFIG)
    assert list(schema.entities) == ["Protein", "CellType"]
    assert list(schema.relationships) == [
        "GeneToDiseaseAssociation",
        "ProteinProteinInteraction",
        "Phosphorylation",
    ]


@pytest.mark.requirement("S2-12")
def test_keys_become_pascal_case():
    assert pascal_case("gene to disease association") == "GeneToDiseaseAssociation"
    assert pascal_case("cell type") == "CellType"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a\n- b\n", "holds no classes"),
        ("a: [1, 2", "no YAML"),
        ("gene:\n  represented_as: [x]\n", "gene.represented_as"),
        ("!!python/object/apply:os.system ['true']\n", "no YAML"),
    ],
)
def test_a_broken_schema_is_told_with_its_place(tmp_path, text, told):
    path = tmp_path / "schema.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=told) as caught:
        load_schema(path)
    assert isinstance(caught.value, BadInput)
    assert str(tmp_path) not in str(caught.value)


def test_a_missing_schema_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"nothing\.yaml cannot be read"):
        load_schema(tmp_path / "nothing.yaml")


def test_our_own_graph_writes_a_schema_info_that_reads_back(tmp_path):
    base = catalog_facts(SMALL, build_graph(SMALL))
    path = write_schema_info(base, tmp_path / "schema_info.yaml")
    told = yaml.safe_load(path.read_text("utf-8"))
    assert told["is_schema_info"] is True
    assert told == schema_info(base)
    schema = read_schema(told)
    assert {"Tool", "Format", "LicenseClass"} <= set(schema.entities)
    accepts = schema.relationships["ToolAcceptsFormat"]
    assert (accepts.label, accepts.sources, accepts.targets) == ("accepts", ("Tool",), ("Format",))
    assert "license" in schema.properties_of("Tool")


def test_a_file_that_unfolds_without_end_is_read_as_it_stands(tmp_path):
    layers = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    layers += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    path = tmp_path / "schema_info.yaml"
    entry = "gene:\n  is_relationship: false\n  properties:\n    deep: *a11\n    name: str\n"
    path.write_text("\n".join(["is_schema_info: true", *layers, entry]))
    assert dict(load_schema(path).properties_of("Gene")) == {"deep": "list", "name": "str"}
