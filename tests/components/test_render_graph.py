from building import HOSTILE, Edge, Graph, Node, tool

from components.render.graphs.basis import basis_of
from components.render.graphs.graph import graph_value
from components.render.graphs.layers import layered


def sample(tools: int = 6) -> Graph:
    nodes = [Node(id=f"t{n:03}", label=f"Tool {n}", kind="tool", role="seed") for n in range(tools)]
    nodes += [Node(id="x", label="Extra", kind="tool", role="added")]
    nodes += [Node(id="operation:seg", label="segmentation", kind="operation", role="link")]
    edges = [
        Edge(source=f"t{n:03}", target="operation:seg", kind="performs", weight=0.7)
        for n in range(tools)
    ]
    edges += [Edge(source="t000", target="x", kind="requires_tool", weight=1.0)]
    return Graph(nodes=tuple(nodes), edges=tuple(edges))


def test_drawn_edges_are_the_graphs_edges():
    graph = sample()
    told = [(e["from"], e["kind"], e["to"]) for e in graph_value(graph, ["t000"])["edges"]]
    assert told == [(e.source, e.kind, e.target) for e in graph.edges]


def test_layers_run_from_left_to_right():
    at = layered(sample(), ["t000"])
    assert at["t000"][0] < at["t001"][0] < at["operation:seg"][0] < at["x"][0]


def test_no_two_nodes_share_a_place():
    at = layered(sample(150), ["t000", "t001"])
    assert len(set(at.values())) == 152


def test_layout_is_the_same_every_time():
    assert layered(sample(40), ["t001"]) == layered(sample(40), ["t001"])


def test_what_is_said_of_a_node_is_the_role_in_words():
    told = {n["id"]: (n["label"], n["said"]) for n in graph_value(sample(), ["t000"])["nodes"]}
    assert told["t000"] == ("Tool 0", "recommended")
    assert told["x"] == ("Extra", "added by the graph")
    assert told["operation:seg"] == ("segmentation", "what they share")


def test_labels_are_plain_text_and_whole():
    node = Node(id="a", label=HOSTILE * 3, kind="tool", role="seed")
    assert graph_value(Graph(nodes=(node,)), [])["nodes"][0]["label"] == HOSTILE * 3


def test_empty_graph_draws_nothing():
    assert graph_value(Graph(), []) == {"nodes": [], "edges": []}


def edge(source: str, kind: str, target: str) -> Edge:
    return Edge(source=source, target=target, kind=kind, weight=0.5)


def test_a_link_rests_on_the_field_that_states_it():
    one = tool("a", tasks=("segmentation",), requires_tool=("b",), domain="radiology")
    catalog = {"a": one, "b": tool("b")}
    stated = [("performs", "operation:segmentation"), ("requires_tool", "b")]
    stated += [("member_of", "domain:radiology")]
    assert {basis_of(edge("a", *link), catalog) for link in stated} == {"record"}


def test_a_link_that_no_field_states_rests_on_words_neighbours_or_the_vocabulary():
    catalog = {"a": tool("a", tasks=("registration",)), "b": tool("b")}
    assert basis_of(edge("a", "performs", "operation:segmentation"), catalog) == "text"
    assert basis_of(edge("a", "same_domain", "b"), catalog) == "near"
    assert basis_of(edge("operation:x", "is_a", "operation:y"), catalog) == "terms"
    assert basis_of(edge("a", "performs", "operation:segmentation"), {}) == "graph"
