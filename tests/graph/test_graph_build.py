"""S0-18 to S0-21: which nodes and edges a catalog gives."""

from __future__ import annotations

import pytest

from retrieval.core import Edge, Graph, Node
from retrieval.core.codes import BodyPart, Format, Modality
from retrieval.graph.build import EDGE_WEIGHTS, build_graph
from retrieval.graph.concepts import with_stated_links
from tests.fakes import make_tool

FULL = make_tool(
    "a",
    tasks=("segmentation",),
    modalities=(Modality.CT,),
    anatomy=(BodyPart.LUNG,),
    formats_in=(Format.DICOM,),
    formats_out=(Format.NIFTI,),
    domain="radiology",
    suite="FSL",
    requires_tool=("b",),
    compatible_with=("c",),
    co_used_with=("d",),
)


def edges(graph):
    return {(a, kind, b) for a, b, kind in graph.edges(keys=True)}


@pytest.mark.requirement("S0-18", "S0-20", "S0-21")
def test_every_fact_is_an_edge_to_a_node_of_its_kind():
    graph = build_graph([FULL, *map(make_tool, "bcd")])
    assert edges(graph) == {
        ("a", "performs", "operation:segmentation"),
        ("a", "images", "modality:CT"),
        ("a", "applies_to", "anatomy:lung"),
        ("a", "accepts", "format:DICOM"),
        ("a", "produces", "format:NIfTI"),
        ("a", "member_of", "domain:radiology"),
        ("a", "part_of", "suite:FSL"),
        ("a", "requires_tool", "b"),
        ("a", "compatible_with", "c"),
        ("a", "co_used_with", "d"),
    }


@pytest.mark.requirement("S0-19")
def test_the_tool_to_tool_kinds_are_there_with_their_weights():
    tools = [
        make_tool("a", tasks=("t",), domain="d", requires_tool=("b",), compatible_with=("b",)),
        make_tool("b", tasks=("t",), domain="d"),
    ]
    graph = build_graph(tools)
    kinds = {kind for _, kind, _ in edges(graph)}
    assert {"requires_tool", "compatible_with", "same_domain"} <= kinds
    for _, _, data in graph.edges(data=True):
        assert data["weight"] == EDGE_WEIGHTS[data["kind"]]


def test_links_to_missing_tools_and_to_itself_make_no_edge_and_no_node():
    graph = build_graph([make_tool("a", requires_tool=("gone", "a"))])
    assert set(graph) == {"a"}
    assert not edges(graph)


def test_same_domain_joins_the_few_that_share_most_and_never_across_domains():
    tools = [make_tool(f"t{n}", tasks=("t",), domain="d") for n in range(9)]
    other = make_tool("other", tasks=("t",), domain="e")
    graph = build_graph([*tools, other])
    near = [(a, b) for a, kind, b in edges(graph) if kind == "same_domain"]
    assert all("other" not in pair for pair in near)
    assert all(sum(a == t.id for a, _ in near) <= 4 for t in tools)
    assert near


def test_the_graph_does_not_depend_on_the_order_of_the_records():
    tools = [make_tool(f"t{n}", tasks=(f"k{n % 3}",), domain="d") for n in range(9)]
    one, other = build_graph(tools), build_graph(tools[::-1])
    assert list(one) == list(other)
    assert list(one.edges(keys=True)) == list(other.edges(keys=True))


@pytest.mark.parametrize("tools", [[], [make_tool("a")]])
def test_a_catalog_without_facts_has_a_graph_too(tools):
    assert list(build_graph(tools)) == [t.id for t in tools]


def test_an_excerpt_has_every_link_that_the_records_of_its_tools_state():
    nodes = [Node(id=id, label=id, kind="tool", role="seed") for id in "abe"]
    nodes += [Node(id="operation:segmentation", label="", kind="operation", role="link")]
    walked = (Edge(source="a", target="b", kind="same_domain", weight=0.2),)
    other = make_tool("e", tasks=("segmentation",), requires_tool=("e",))
    drawn = with_stated_links(Graph(nodes=tuple(nodes), edges=walked), [FULL, other])
    assert {(e.source, e.kind, e.target) for e in drawn.edges} == {
        ("a", "same_domain", "b"),
        ("a", "performs", "operation:segmentation"),
        ("a", "requires_tool", "b"),
        ("e", "performs", "operation:segmentation"),
    }
    assert drawn.nodes == tuple(nodes)
    assert with_stated_links(drawn, [make_tool("gone", tasks=("segmentation",))]) == drawn
