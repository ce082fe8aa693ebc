"""S0-16 to S0-26: the stage that widens a list."""

from __future__ import annotations

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import weighted
from retrieval.core.stage import finish, progress
from retrieval.core.types import Selection
from retrieval.dense.source import DenseScorer
from retrieval.dense.stores import NumpyStore
from retrieval.graph.build import build_graph
from retrieval.graph.expand import GraphExpand
from retrieval.graph.store import NetworkxStore
from tests.fakes import HashingEncoder, Skips, ids, make_candidate, make_state, make_tool

TOOLS = (
    make_tool("scanpy", requires_tool=("base",), co_used_with=("harmony",), domain="cells"),
    make_tool("leiden", requires_tool=("scanpy",), tasks=("clustering",), domain="cells"),
    make_tool("harmony", domain="cells"),
    make_tool("louvain", tasks=("clustering",), domain="other"),
    make_tool("base"),
    make_tool("lonely"),
)
BY_ID = {t.id: t for t in TOOLS}
ENCODER = HashingEncoder()
VECTORS = NumpyStore([*BY_ID], ENCODER.encode([t.description for t in TOOLS]))


def expand(seeds="scanpy leiden", scorers=None, **how):
    scorers = [DenseScorer(ENCODER, VECTORS)] if scorers is None else scorers
    return GraphExpand(
        NetworkxStore(build_graph(TOOLS)),
        BY_ID,
        scorers,
        weighted({"similarity": 1.0, "paths": 0.1}),
        **how,
    )


def run(stage, *seeds, text="what leiden does", **fields):
    had = [make_candidate(s, 1 - n / 10) for n, s in enumerate(seeds or ("scanpy", "leiden"))]
    state = make_state(text, *had, **fields)
    return finish(progress(stage, state))


@pytest.mark.requirement("S0-16")
def test_every_candidate_is_a_seed_and_stays():
    result = run(expand())
    assert {"scanpy", "leiden"} <= set(ids(result))
    assert {n.id for n in result.graph.nodes if n.role == "seed"} == {"scanpy", "leiden"}


@pytest.mark.requirement("S0-17")
def test_two_hops_is_the_default_and_nought_adds_nothing():
    assert expand().hops == 2
    assert sorted(ids(run(expand(hops=0)))) == ["leiden", "scanpy"]
    assert "louvain" not in ids(run(expand(hops=1)))
    assert "louvain" in ids(run(expand(hops=2)))


@pytest.mark.requirement("S0-20")
def test_an_entity_node_carries_a_tool_into_the_result():
    added = next(c for c in run(expand()).state.candidates if c.tool.id == "louvain")
    assert [(w.kind, w.text) for w in added.why if w.kind == "path"] == [
        ("path", "leiden offers clustering, which is also offered by louvain")
    ]


@pytest.mark.requirement("S0-24")
def test_every_added_tool_has_the_path_that_brought_it():
    result = run(expand())
    for candidate in result.state.candidates:
        paths = [w.text for w in candidate.why if w.kind == "path"]
        assert bool(paths) == (candidate.tool.id not in {"scanpy", "leiden"})
        assert all(p.startswith(("scanpy ", "leiden ")) for p in paths)
        assert all(p.endswith(candidate.tool.name) for p in paths)


@pytest.mark.requirement("S0-25")
def test_prerequisites_are_always_in():
    assert {"base"} <= set(ids(run(expand(max_nodes=3), "scanpy", "lonely")))


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 4, 6, 100])
@pytest.mark.requirement("S0-22")
def test_the_expanded_set_is_bounded(max_nodes):
    result = run(expand(max_nodes=max_nodes))
    assert len(ids(result)) <= max(2, max_nodes)
    assert len([n for n in result.graph.nodes if n.kind == "tool"]) <= max(2, max_nodes)


@pytest.mark.requirement("S0-26")
def test_the_same_input_gives_the_same_set_and_order():
    one, other = run(expand()), run(expand())
    assert ids(one) == ids(other)
    assert one.graph == other.graph


@pytest.mark.requirement("S1-05")
def test_an_excluded_tool_is_neither_in_the_list_nor_in_the_graph():
    result = run(expand(), selection=Selection(drop=frozenset({"harmony", "base"})))
    assert not {"harmony", "base"} & set(ids(result))
    assert not {"harmony", "base"} & {n.id for n in result.graph.nodes}
    assert not any("harmony" in w.text for c in result.state.candidates for w in c.why)


@pytest.mark.requirement("S0-30")
def test_a_tool_that_only_the_graph_found_has_its_true_similarity():
    result = run(expand())
    vector = ENCODER.encode(["what leiden does"])[0]
    for candidate in result.state.candidates:
        truth = VECTORS.scores(vector, [candidate.tool.id])[0]
        assert candidate.scores["graph/similarity"] == pytest.approx(truth, abs=1e-6)


def test_the_list_is_combined_and_not_appended():
    result = run(expand(), "scanpy", "lonely")
    assert ids(result).index("leiden") < ids(result).index("lonely")


def test_shares_add_up_to_the_score():
    for candidate in run(expand()).state.candidates:
        shares = [w.value for w in candidate.why if w.kind == "share" and w.stage == "graph"]
        assert sum(shares) == pytest.approx(candidate.score, abs=1e-6)


def test_without_a_scorer_the_list_there_was_comes_first_and_nothing_is_lost():
    result = run(expand(scorers=[Skips("similarity", "no vectors")]), "lonely", "scanpy", "leiden")
    assert ids(result)[0] == "lonely"
    assert {"lonely", "scanpy", "leiden", "harmony", "base"} <= set(ids(result))
    assert [c.note for c in result.children] == ["no vectors"]


def test_every_edge_of_the_graph_joins_two_of_its_nodes_and_ids_are_unique():
    graph = run(expand()).graph
    nodes = [n.id for n in graph.nodes]
    assert len(nodes) == len(set(nodes))
    assert all(e.source in nodes and e.target in nodes for e in graph.edges)
    assert all(e.source != e.target for e in graph.edges)


def test_how_many_were_added_is_told():
    result = run(expand())
    assert result.note == f"{len(ids(result)) - 2} added"
    assert result.metrics["added"] == len(ids(result)) - 2


def test_without_candidates_graph_or_when_switched_off_the_stage_says_why():
    no_graph = GraphExpand(None, BY_ID, [], weighted({}))
    some = make_state("x", make_candidate("scanpy"))
    for stage, state, why in (
        (expand(), make_state("x"), "no candidate"),
        (no_graph, some, "no graph"),
        (
            expand(),
            make_state("x", make_candidate("scanpy"), off=frozenset({"graph"})),
            "switched off",
        ),
    ):
        with pytest.raises(StageUnavailable, match=why):
            stage.run(state)


def test_a_thin_graph_adds_tools_behind_those_that_were_there_in_their_order():
    store = NetworkxStore(build_graph(TOOLS))
    scorer = DenseScorer(ENCODER, VECTORS)
    combine = weighted({scorer.name: 1.0, "paths": 5.0})
    came = [make_candidate("scanpy", 1.0), make_candidate("lonely", 0.4)]
    state = make_state("cells", *came, path="graph")

    def run(thin):
        return GraphExpand(store, BY_ID, [scorer], combine, thin=thin).run(state)

    counted, alone = run(""), run("paths do not count here")
    assert set(ids(counted)) == set(ids(alone)) > {"scanpy", "lonely"}
    assert ids(alone)[:2] == ["scanpy", "lonely"]
    assert [c.score for c in alone.state.candidates[:2]] == [1.0, 0.4]
    assert all(c.score < 0.4 for c in alone.state.candidates[2:])
    assert alone.note.endswith("paths do not count here")
    paths = [w for c in alone.state.candidates for w in c.why if w.text == "graph/paths"]
    assert paths == []
    assert any(w.text == "graph/paths" for c in counted.state.candidates for w in c.why)
