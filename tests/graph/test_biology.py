"""S0-18, S0-20, S0-21: genes, pathways and GO terms in the graph, and named in a query."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.errors import BadInput
from retrieval.core.fusion import weighted
from retrieval.core.stage import finish, progress
from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.biology import Entity, EntityNames, load_biology, merged
from retrieval.graph.build import build_graph
from retrieval.graph.expand import GraphExpand
from retrieval.graph.store import NetworkxStore
from retrieval.settings import ROOT, Settings
from tests.fakes import make_candidate, make_state, make_tool

FILE = ROOT / "assets" / "concepts" / "biology.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
SHIPPED = load_biology(FILE)
CATALOG = load_catalog(Settings(_env_file=None).catalog).tools
BY_ID = {t.id: t for t in CATALOG}
GRAPH = build_graph(CATALOG, biology=SHIPPED)
NAMES = EntityNames(SHIPPED)

TP53 = Entity(id="gene:TP53", kind="gene", label="TP53", part_of=("pathway:p",), tools=("a",))
PATHWAY = Entity(id="pathway:p", kind="pathway", label="p53 signaling pathway", tools=("b",))
LONELY = Entity(id="gene:ABCD1", kind="gene", label="ABCD1")


def edges(graph):
    return {(a, kind, b) for a, b, kind in graph.edges(keys=True)}


@pytest.mark.requirement("S0-20")
def test_every_tool_of_the_shipped_biology_is_in_the_shipped_catalog():
    assert {tool for e in SHIPPED for tool in e.tools} <= set(BY_ID)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
@pytest.mark.requirement("S0-20")
def test_every_node_name_and_link_names_an_opened_source(row):
    facts = {fact for source in row["sources"] for fact in source["facts"]}
    linked = {name for name in ("synonyms", "is_a", "part_of", "associated_with") if row.get(name)}
    assert {"id", "label", *linked, *(f"tools.{tool}" for tool in row["tools"])} <= facts
    assert all(s["url"].startswith(("http://", "https://")) for s in row["sources"])


@pytest.mark.requirement("S0-18")
def test_the_shipped_part_is_small_and_of_three_kinds():
    assert 60 <= len(SHIPPED) <= 130
    assert {e.kind for e in SHIPPED} == {"gene", "pathway", "go_term"}


@pytest.mark.requirement("S0-18")
def test_every_shipped_entity_is_a_node_within_two_edges_of_a_tool():
    store = NetworkxStore(GRAPH)
    for entity in SHIPPED:
        assert GRAPH.nodes[entity.id]["kind"] == entity.kind
        assert store.expand([(entity.id, 1.0)], 2, 1), entity.id


@pytest.mark.requirement("S0-20")
def test_entities_are_tied_to_tools_and_to_one_another():
    graph = build_graph([make_tool("a"), make_tool("b")], biology=[TP53, PATHWAY])
    assert edges(graph) == {
        ("a", "associated_with", "gene:TP53"),
        ("b", "associated_with", "pathway:p"),
        ("gene:TP53", "part_of", "pathway:p"),
    }


def test_entities_that_nothing_ties_to_a_tool_make_no_node():
    assert set(build_graph([make_tool("z")], biology=[TP53, PATHWAY, LONELY])) == {"z"}
    assert LONELY.id not in build_graph([make_tool("a")], biology=[TP53, PATHWAY, LONELY])


@pytest.mark.requirement("S0-21")
def test_domain_membership_stays_beside_the_biology():
    tool = make_tool("a", domain="systems biology")
    graph = build_graph([tool], biology=[TP53])
    assert ("a", "member_of", "domain:systems biology") in edges(graph)
    assert ("a", "associated_with", "gene:TP53") in edges(graph)


def test_the_order_of_the_rows_does_not_matter():
    one = build_graph(CATALOG, biology=SHIPPED)
    other = build_graph(CATALOG, biology=SHIPPED[::-1])
    assert list(one) == list(other)
    assert list(one.edges(keys=True)) == list(other.edges(keys=True))


def test_two_rows_of_one_entity_are_added_up():
    more = Entity(id="gene:TP53", kind="gene", label="TP53", synonyms=("P53",), tools=("c", "a"))
    (both,) = merged([TP53, more])
    assert both.synonyms == ("P53",)
    assert both.tools == ("a", "c")
    assert both.part_of == ("pathway:p",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("survival by BRAF and TP53 status", {"gene:BRAF", "gene:TP53"}),
        ("Apoptosis pathway", {"pathway:hsa04210", "go_term:GO:0006915"}),
        ("p53 signalling in tumours", {"pathway:hsa04115"}),
        ("annotate GO:0006915 and HSA04110.", {"go_term:GO:0006915", "pathway:hsa04110"}),
        ("mitotic cell cycle", {"go_term:GO:0000278"}),
        ("chromatin organisation", {"go_term:GO:0006325"}),
        ("Tp53, braf or a trail of cells", set()),
        ("image-to-image translation of CT", set()),
        ("", set()),
    ],
)
@pytest.mark.requirement("S0-20")
def test_a_query_names_genes_by_symbol_and_pathways_by_name_or_id(text, expected):
    assert set(NAMES.concepts(text)) == expected


def test_what_the_other_annotator_finds_comes_first():
    class Fixed:
        def concepts(self, text):
            return ("operation:segmentation",)

    named = EntityNames([TP53], Fixed()).concepts("segment TP53 TP53")
    assert named == ("operation:segmentation", "gene:TP53")


def test_symbols_of_two_letters_are_no_genes():
    assert EntityNames([Entity(id="gene:CT", kind="gene", label="CT")]).concepts("lung CT") == ()


@pytest.mark.parametrize("store", [NetworkxStore(GRAPH), ArrayStore(GraphArrays.of(GRAPH))])
@pytest.mark.requirement("S0-20")
def test_a_gene_and_a_pathway_of_the_query_carry_linked_tools_into_the_result(store):
    stage = GraphExpand(store, BY_ID, [], weighted({"paths": 1.0}), annotator=NAMES)
    state = make_state("apoptosis pathway analysis of BRAF", make_candidate("lungmask", 1.0))
    found = finish(progress(stage, state)).state.candidates
    paths = {c.tool.id: w.text for c in found for w in c.why if w.kind == "path"}
    assert paths["ensembl_rest"] == "BRAF is linked to Ensembl REST API"
    assert paths["gprofiler"].startswith("BRAF is linked to ")
    told = "Apoptosis is part of KEGG pathways, which is linked to "
    assert paths["string_db"].startswith(told)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 1"),
        ('{"id": "gene:A", "kind": "gene"}', "line 1"),
        ('{"id": "tool:A", "kind": "tool", "label": "A"}', "no known kind"),
        ('{"id": "gene:A", "kind": "gene", "label": "A", "is_a": ["gene:B"]}', "unknown"),
    ],
)
def test_a_damaged_biology_file_is_named_with_the_line(line, why, tmp_path):
    path = tmp_path / "biology.jsonl"
    path.write_text(line)
    with pytest.raises(BadInput, match=why):
        load_biology(path)
