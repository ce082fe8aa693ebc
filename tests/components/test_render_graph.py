from building import HOSTILE, Edge, Graph, Node

from components.render.graphs.graph import graph_value
from components.render.graphs.layers import AT_MOST, ROWS, focus_of, layered


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


def test_first_view_of_a_long_answer_is_one_column_of_its_best_tools_and_what_links_them():
    finals = [f"t{n:03}" for n in range(45)]
    shown = focus_of(sample(45), finals)
    assert shown == {*finals[:ROWS], "operation:seg", "x"}
    at = layered(sample(45), finals, shown)
    assert len({at[id][0] for id in finals[:ROWS]}) == 1


def test_what_is_said_of_a_node_is_the_role_in_words():
    told = {n["id"]: (n["label"], n["said"]) for n in graph_value(sample(), ["t000"])["nodes"]}
    assert told["x"] == ("Extra", "added by the graph")
    assert told["operation:seg"] == ("segmentation", "what they share")


def test_labels_are_plain_text_and_whole():
    node = Node(id="a", label=HOSTILE * 3, kind="tool", role="seed")
    assert graph_value(Graph(nodes=(node,)), [])["nodes"][0]["label"] == HOSTILE * 3


def test_empty_graph_draws_nothing():
    assert graph_value(Graph(), []) == {"nodes": [], "edges": []}
