from building import HOSTILE, Edge, Graph, Node

from components.render.graph import graph_table, graph_value
from components.render.layers import AT_MOST, focus_of, layered


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
    assert graph_table(graph).count("data-source") == len(graph.edges)


def test_layers_run_from_left_to_right():
    at = layered(sample(), ["t000"], None)
    assert at["t000"][0] < at["t001"][0] < at["operation:seg"][0] < at["x"][0]


def test_no_two_nodes_share_a_place():
    at = layered(sample(150), ["t000", "t001"], None)
    assert len(set(at.values())) == 152


def test_layout_is_the_same_every_time():
    assert layered(sample(40), ["t001"], None) == layered(sample(40), ["t001"], None)


def test_first_view_is_small_and_holds_every_recommended_tool():
    finals = [f"t{n:03}" for n in range(15)]
    shown = focus_of(sample(150), finals)
    assert set(finals) <= shown
    assert len(shown) <= AT_MOST


def test_labels_are_text_and_short():
    node = Node(id="a", label=HOSTILE * 3, kind="tool", role="seed")
    graph = Graph(nodes=(node,))
    assert len(graph_value(graph, [])["nodes"][0]["label"]) <= 26
    assert "<script" not in graph_table(graph)


def test_empty_graph_draws_nothing():
    assert graph_value(Graph(), []) == {"nodes": [], "edges": []}
    assert graph_table(Graph()) == ""
