"""S0-18, S0-20: GO, pathway and UniProt files that a user brings."""

from __future__ import annotations

import pytest

from retrieval.core.errors import BadInput
from retrieval.graph import loaders as module
from retrieval.graph.biology import Entity, merged
from retrieval.graph.build import build_graph
from retrieval.graph.loaders import load_go, load_pathways, load_uniprot
from tests.fakes import make_tool

OBO = """format-version: 1.2

[Term]
id: GO:0008150
name: biological_process

[Term]
id: GO:0012501
name: programmed cell death
is_a: GO:0008150 ! biological_process

[Term]
id: GO:0006915
name: apoptotic process
def: "Dying: of cells." [X]
is_a: GO:0012501 {source="x"} ! programmed cell death
relationship: part_of GO:0008150 ! biological_process
relationship: regulates GO:0008150

[Term]
id: GO:0000001
name: gone
is_obsolete: true

[Term]
id: GO:12
name: short

[Term]
id: GO:0000002

[Term]
name: nameless id

[Term]
id: GO:0000003
name: bad parent
is_a: CL:1

[Term]
id: GO:0006915
name: again

[Term]
id: GO:0000004
broken line

[Typedef]
id: part_of
name: part of
"""


@pytest.fixture
def write(tmp_path):
    def written(text):
        path = tmp_path / "file"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def told(loaded):
    return {row.line: row.reason for row in loaded.refused}


def by_id(loaded):
    return {e.id: e for e in loaded.entities}


@pytest.mark.requirement("S0-18")
def test_terms_of_an_obo_file_keep_names_kinds_and_parts(write):
    loaded = load_go(write(OBO))
    assert set(by_id(loaded)) == {f"go_term:GO:{n}" for n in ("0008150", "0012501", "0006915")}
    term = by_id(loaded)["go_term:GO:0006915"]
    assert term.label == "apoptotic process"
    assert term.is_a == ("go_term:GO:0012501",)
    assert term.part_of == ("go_term:GO:0008150",)


def test_obsolete_terms_are_skipped_and_malformed_ones_counted_and_named(write):
    loaded = load_go(write(OBO))
    reasons = list(told(loaded).values())
    assert loaded.obsolete == 1
    assert loaded.bad == len(reasons) == 6
    for reason, word in zip(
        reasons,
        ("'GO:12' is no id", "has no name", "has no id", "'CL:1'", "twice", "no tag and value"),
        strict=True,
    ):
        assert word in reason
    lines = OBO.splitlines()
    assert all(lines[n - 1] == "[Term]" for n in told(loaded))


@pytest.mark.requirement("S0-18")
def test_a_pathway_table_gives_pathways_and_their_genes(write):
    rows = "hsa04210\tApoptosis\tTP53; BRAF\npath:hsa04110\tCell cycle\tTP53\n"
    loaded = load_pathways(write("pathway id\tname\tgenes\n" + rows))
    assert loaded.bad == 0
    assert by_id(loaded)["pathway:hsa04110"].label == "Cell cycle"
    assert by_id(loaded)["gene:TP53"].part_of == ("pathway:hsa04210", "pathway:hsa04110")


def test_a_pathway_table_may_be_separated_by_commas_and_lack_a_header(write):
    loaded = load_pathways(write('R-HSA-69620,"Checkpoints, all",TP53 ATM\n'))
    assert by_id(loaded)["pathway:R-HSA-69620"].label == "Checkpoints, all"
    assert "gene:ATM" in by_id(loaded)


def test_bad_lines_of_a_pathway_table_are_named_and_the_rest_is_kept(write):
    table = b"hsa04210\tApoptosis\tTP53\nnonsense\tx\ty\nhsa04110\nhsa04115\tp53\t<b>\n\xff\n"
    loaded = load_pathways(write(table + b"hsa04210\tagain\t\n# note\n\n"))
    assert set(by_id(loaded)) == {"pathway:hsa04210", "gene:TP53"}
    assert set(told(loaded)) == {2, 3, 4, 5, 6}
    assert "no gene symbol" in told(loaded)[4]
    assert "UTF-8" in told(loaded)[5]


@pytest.mark.requirement("S0-20")
def test_a_uniprot_table_gives_genes_with_synonyms_and_go_terms(write):
    table = (
        "\ufeffEntry\tReviewed\tGene Names\tGene Ontology IDs\n"
        "P15056\treviewed\tBRAF BRAF1 RAFB1\tGO:0006915; GO:0012501\n"
        "P04637\treviewed\tTP53 P53\t\n"
        "A0A0U1RQC9\tunreviewed\tTP53\tGO:0006915\n"
    )
    loaded = load_uniprot(write(table))
    assert loaded.bad == 0
    braf = by_id(loaded)["gene:BRAF"]
    assert braf.synonyms == ("BRAF1", "RAFB1", "P15056")
    assert braf.associated_with == ("go_term:GO:0006915", "go_term:GO:0012501")
    assert by_id(loaded)["gene:TP53"].associated_with == ("go_term:GO:0006915",)


def test_bad_lines_of_a_uniprot_table_are_named(write):
    table = (
        "Entry\tGene Names\tGene Ontology IDs\n"
        "nonsense\tBRAF\t\nP15056\t\t\nP15056\tBRAF\tGO:1\nP15056\n"
        "P15056\tBRAF\t\nP15056\tBRAF\t\n"
    )
    loaded = load_uniprot(write(table))
    assert set(told(loaded)) == {2, 3, 4, 5, 7}
    assert set(by_id(loaded)) == {"gene:BRAF"}


def test_a_uniprot_table_without_its_columns_says_which_are_needed(write):
    for text in ("", "Name\tGene\nx\ty\n"):
        with pytest.raises(BadInput, match="Entry and Gene Names"):
            load_uniprot(write(text))


@pytest.mark.parametrize("load", [load_go, load_pathways, load_uniprot])
def test_a_missing_file_is_bad_input(load, tmp_path):
    with pytest.raises(BadInput, match="could not be read"):
        load(tmp_path / "gone")


def test_what_is_taken_and_what_is_told_is_bounded(write, monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE", 60)
    monkeypatch.setattr(module, "MAX_ENTITIES", 3)
    monkeypatch.setattr(module, "MAX_TOLD", 2)
    rows = "".join(f"hsa0{n}\tname {n}\t\n" for n in range(1000, 1005))
    loaded = load_pathways(write(f"hsa00001\t{'x' * 500}\n{rows}bad\n"))
    assert len(loaded.entities) == 3
    assert loaded.bad == 4
    assert [row.line for row in loaded.refused] == [1, 5]
    assert "longer than" in loaded.refused[0].reason


@pytest.mark.requirement("S0-18", "S0-20")
def test_what_a_user_brings_joins_what_is_there(write):
    brought = load_go(write(OBO)).entities
    root = Entity(
        id="go_term:GO:0008150", kind="go_term", label="biological process", tools=("enrichr",)
    )
    graph = build_graph([make_tool("enrichr")], biology=merged([root, *brought]))
    assert graph.has_edge("go_term:GO:0006915", "go_term:GO:0012501", "is_a")
    assert graph.has_edge("enrichr", "go_term:GO:0008150", "associated_with")
