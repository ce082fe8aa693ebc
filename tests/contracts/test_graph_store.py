"""One suite for every GraphStore; the plain backend is NetworkxStore."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.core.types import Selection
from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.build import build_graph
from retrieval.graph.store import NetworkxStore
from tests.contracts.walking import (
    assert_same_walk,
    random_tools,
    random_walks,
    walks_from_one_concept,
)
from tests.fakes import make_tool

BACKENDS = {
    "networkx": NetworkxStore,
    "arrays": lambda graph: ArrayStore(GraphArrays.of(graph)),
}


@pytest.fixture(params=BACKENDS)
def store_of(request):
    return lambda *tools: BACKENDS[request.param](build_graph(tools))


def got(reached):
    return [(r.id, r.score) for r in reached]


def test_a_shared_task_hands_on_the_hand_worked_score(store_of):
    """Two edges of 0.7, each damped by the root of 1 + 2 neighbours: 0.7 ** 2 / 3."""
    store = store_of(make_tool("a", tasks=("t",)), make_tool("b", tasks=("t",)))
    [one] = store.expand([("a", 1.0)], 2, 10)
    assert (one.id, one.score) == ("b", pytest.approx(0.49 / 3, abs=1e-6))
    assert one.path == (("a", "performs", "operation:t"), ("operation:t", "performs", "b"))


def test_an_edge_between_tools_hands_on_half_its_weight_at_either_end(store_of):
    store = store_of(make_tool("a", requires_tool=("b",)), make_tool("b"))
    assert got(store.expand([("a", 1.0)], 1, 10)) == [("b", 0.5)]
    assert got(store.expand([("b", 1.0)], 1, 10)) == [("a", 0.5)]


def test_a_tool_that_many_are_tied_to_takes_less_by_the_root_of_their_number(store_of):
    many = [make_tool(f"t{n}", requires_tool=("hub",)) for n in range(16)]
    store = store_of(make_tool("hub"), *many, make_tool("a", requires_tool=("b",)), make_tool("b"))
    assert dict(got(store.expand([("t3", 1.0)], 1, 10))) == {"hub": 0.125}
    assert dict(got(store.expand([("a", 1.0)], 1, 10))) == {"b": 0.5}
    assert dict(got(store.expand([("hub", 1.0)], 1, 20)))["t3"] == 0.5


def test_the_tools_that_have_a_concept_are_those_next_to_it_that_are_admitted(store_of):
    store = store_of(
        *(make_tool(i, tasks=("t",), requires_tool=("d",)) for i in "abc"), make_tool("d")
    )
    every = Selection()
    assert store.having(["operation:t", "operation:none"], every) == {
        "operation:t": frozenset("abc"),
        "operation:none": frozenset(),
    }
    assert store.having(["operation:t"], Selection(keep=frozenset("bdx"), drop=frozenset("c"))) == {
        "operation:t": frozenset("b")
    }
    assert store.having([], every) == {}


def test_every_seed_competes(store_of):
    tools = [make_tool("a", requires_tool=("x",)), make_tool("b", requires_tool=("x", "y"))]
    store = store_of(*tools, make_tool("x"), make_tool("y"))
    assert got(store.expand([("a", 1.0), ("b", 0.4)], 1, 10)) == [("x", 0.494975), ("y", 0.2)]


def test_depth_nought_reaches_nothing_and_each_hop_reaches_further(store_of):
    chain = [make_tool(f"t{n}", compatible_with=(f"t{n + 1}",)) for n in range(4)]
    store = store_of(*chain, make_tool("t4"))
    found = [
        [r.id for r in store.expand([("t0", 1.0)], hops, 10) if r.id != "t0"] for hops in range(4)
    ]
    assert found == [[], ["t1"], ["t1", "t2"], ["t1", "t2", "t3"]]


def test_the_path_starts_at_a_seed_and_joins_up(store_of):
    chain = [make_tool(f"t{n}", compatible_with=(f"t{n + 1}",)) for n in range(3)]
    reached = store_of(*chain, make_tool("t3")).expand([("t0", 1.0)], 3, 10)
    last = next(r for r in reached if r.id == "t3")
    assert [step[0] for step in last.path] == ["t0", "t1", "t2"]
    assert [step[2] for step in last.path] == ["t1", "t2", "t3"]


def test_excluded_tools_are_neither_reached_nor_passed_through(store_of):
    tools = [
        make_tool("a", requires_tool=("b",)),
        make_tool("b", requires_tool=("c",)),
        make_tool("c"),
    ]
    store = store_of(*tools)
    assert got(store.expand([("a", 1.0)], 3, 10, Selection(drop=frozenset({"b"})))) == []
    kept = store.expand([("a", 1.0)], 3, 10, Selection(keep=frozenset({"a", "b"})))
    assert [r.id for r in kept if r.id != "a"] == ["b"]


def test_prerequisites_are_the_first_to_be_kept(store_of):
    tools = [make_tool(f"near{n}", compatible_with=("a",)) for n in range(5)]
    store = store_of(
        make_tool("a", requires_tool=("base",), tasks=("t",)), make_tool("base"), *tools
    )
    assert [r.id for r in store.expand([("a", 0.1)], 2, 1) if r.id != "a"] == ["base"]


def test_the_limit_holds_whatever_the_graph(store_of):
    needed = tuple(f"need{n}" for n in range(9))
    store = store_of(make_tool("a", requires_tool=needed), *(make_tool(n) for n in needed))
    for limit in (0, 1, 4, 9, 100):
        new = [r.id for r in store.expand([("a", 1.0)], 2, limit) if r.id != "a"]
        assert new == sorted(needed)[: min(limit, 9)]


def test_a_hub_hands_on_little(store_of):
    crowd = [make_tool(f"c{n}", tasks=("common",)) for n in range(30)]
    store = store_of(
        make_tool("a", tasks=("common", "rare")), make_tool("r", tasks=("rare",)), *crowd
    )
    scores = dict(got(store.expand([("a", 1.0)], 2, 100)))
    assert scores["r"] > 5 * scores["c0"]


def test_a_seed_is_reached_through_others_only(store_of):
    store = store_of(make_tool("a", tasks=("t",)), make_tool("b", tasks=("t",)))
    assert "a" not in dict(got(store.expand([("a", 1.0)], 2, 10)))
    both = dict(got(store.expand([("a", 1.0), ("b", 0.5)], 2, 10)))
    assert both["a"] == pytest.approx(0.5 * 0.49 / 3, abs=1e-6)


def test_cycles_self_loops_and_dangling_links_do_no_harm(store_of):
    tools = [
        make_tool("a", requires_tool=("b", "a", "gone")),
        make_tool("b", requires_tool=("c",)),
        make_tool("c", requires_tool=("a",)),
    ]
    reached = store_of(*tools).expand([("a", 1.0)], 3, 10)
    assert {r.id for r in reached} - {"a"} == {"b", "c"}
    assert all(len(r.path) <= 3 for r in reached)


@pytest.mark.parametrize("seeds", [[], [("gone", 1.0)], [("a", 0.0)], [("a", -1.0)]])
def test_seeds_that_are_not_there_or_weigh_nothing_reach_nothing(store_of, seeds):
    assert store_of(make_tool("a", requires_tool=("b",)), make_tool("b")).expand(seeds, 2, 10) == ()


def test_the_order_of_records_and_seeds_does_not_matter(store_of):
    tools = [make_tool(f"t{n}", tasks=(f"k{n % 3}", "all"), domain="d") for n in range(12)]
    seeds = [("t1", 0.5), ("t4", 0.5), ("t2", 1.0)]
    assert store_of(*tools).expand(seeds, 2, 5) == store_of(*tools[::-1]).expand(seeds[::-1], 2, 5)


def test_the_excerpt_holds_the_seeds_the_added_and_the_edges_of_the_paths(store_of):
    store = store_of(
        make_tool("a", tasks=("t",), requires_tool=("p",)),
        make_tool("b", tasks=("t",)),
        make_tool("p"),
    )
    graph = store.excerpt(["a"], store.expand([("a", 1.0)], 2, 10))
    assert {n.id: n.role for n in graph.nodes} == {
        "a": "seed",
        "b": "added",
        "p": "added",
        "operation:t": "link",
    }
    assert {(e.source, e.kind, e.target) for e in graph.edges} == {
        ("a", "performs", "operation:t"),
        ("b", "performs", "operation:t"),
        ("a", "requires_tool", "p"),
    }


def test_a_path_reads_in_words(store_of):
    store = store_of(
        make_tool("a", name="Alpha", requires_tool=("b",)), make_tool("b", name="Beta")
    )
    assert store.words((("a", "requires_tool", "b"),)) == "Alpha needs Beta"
    assert store.words((("b", "requires_tool", "a"),)) == "Beta is needed by Alpha"
    assert store.words(()) == ""


def test_a_longer_path_is_one_sentence_that_ends_at_the_tool_it_led_to(store_of):
    store = store_of(
        make_tool("a", name="Alpha", tasks=("thresholding",), formats_in=("NIfTI",)),
        make_tool("b", name="Beta", tasks=("thresholding",), formats_out=("NIfTI",)),
        make_tool("c", name="Gamma", requires_tool=("b",)),
    )
    shared = (
        ("a", "performs", "operation:thresholding"),
        ("operation:thresholding", "performs", "b"),
    )
    assert store.words(shared) == "Alpha offers thresholding, which is also offered by Beta"
    read = ("a", "accepts", "format:NIfTI"), ("format:NIfTI", "produces", "b")
    needed = ("b", "requires_tool", "c")
    assert store.words((*read, needed)) == (
        "Alpha reads NIfTI, which is written by Beta, which is needed by Gamma"
    )


@pytest.mark.parametrize("backend", [b for b in BACKENDS if b != "networkx"])
@pytest.mark.parametrize("seed", range(4))
def test_paths_excerpts_and_words_are_those_of_the_plain_backend(backend, seed):
    tools = random_tools(seed)
    graph = build_graph(tools)
    for walk in (*random_walks(seed, tools), *walks_from_one_concept(seed)):
        assert_same_walk(BACKENDS[backend](graph), NetworkxStore(graph), *walk)


IDS = [f"t{n}" for n in range(8)]
LINKS = st.lists(st.sampled_from(IDS), max_size=3, unique=True).map(tuple)
TOOLS = st.tuples(
    *(
        st.builds(
            make_tool,
            st.just(i),
            requires_tool=LINKS,
            co_used_with=LINKS,
            tasks=st.lists(st.sampled_from("pqr"), max_size=2, unique=True).map(tuple),
            domain=st.sampled_from([None, "d"]),
        )
        for i in IDS
    )
)
SEEDS = st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.1, 0.5, 1.0]), max_size=4)


@pytest.mark.parametrize("backend", [b for b in BACKENDS if b != "networkx"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tools=TOOLS, seeds=SEEDS, hops=st.integers(0, 3), limit=st.integers(0, 8), drop=LINKS)
def test_values_are_those_of_the_plain_backend(backend, tools, seeds, hops, limit, drop):
    graph = build_graph(tools)
    selection = Selection(drop=frozenset(drop))
    chosen = [(s, w) for s, w in seeds.items() if s not in drop]
    plain = NetworkxStore(graph).expand(chosen, hops, limit, selection)
    other = BACKENDS[backend](graph).expand(chosen, hops, limit, selection)
    assert [r.id for r in other] == [r.id for r in plain]
    assert [r.score for r in other] == pytest.approx([r.score for r in plain], abs=2e-6)
