"""The GraphStore suite over an embedded Cypher database, held to the values of NetworkxStore."""

from __future__ import annotations

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from inspect import signature
from itertools import count
from pathlib import Path

import pytest

import tests.contracts.test_graph_store as suite
from retrieval.catalog.load import load_catalog
from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import weighted
from retrieval.core.stage import finish, progress
from retrieval.core.types import Selection
from retrieval.graph.build import build_graph
from retrieval.graph.expand import GraphExpand
from retrieval.graph.ladybug_store import LadybugStore
from retrieval.graph.store import NetworkxStore
from tests.contracts.walking import assert_same_walk, random_tools, random_walks
from tests.fakes import make_candidate, make_state, make_tool

CATALOG = Path(__file__).parents[2] / "assets" / "catalog" / "tools.jsonl"
installed = pytest.mark.skipif(
    find_spec("ladybug") is None, reason="ladybug is not installed: pip install -e '.[cypher]'"
)

globals().update(
    {
        name: installed(test)
        for name, test in vars(suite).items()
        if name.startswith("test_") and "store_of" in signature(test).parameters
    }
)


@pytest.fixture
def filled(tmp_path):
    numbers = count()
    return lambda graph: LadybugStore.fill(graph, tmp_path / f"{next(numbers)}.lbug")


@pytest.fixture
def store_of(filled):
    return lambda *tools: filled(build_graph(tools))


@installed
@pytest.mark.parametrize("seed", range(6))
def test_scores_paths_excerpts_and_words_are_those_of_the_plain_backend(filled, seed):
    tools = random_tools(seed)
    graph = build_graph(tools)
    store, plain = filled(graph), NetworkxStore(graph)
    for walk in random_walks(seed, tools):
        assert_same_walk(store, plain, *walk)


@installed
def test_values_over_the_shipped_catalog_are_those_of_the_plain_backend(filled):
    tools = load_catalog(CATALOG).tools
    graph = build_graph(tools)
    store, plain = filled(graph), NetworkxStore(graph)
    for first in (0, 200, 400):
        seeds = [(t.id, 1 - n / 60) for n, t in enumerate(tools[first : first + 50])]
        drop = frozenset(t.id for t in tools[first + 50 : first + 90])
        assert_same_walk(store, plain, seeds, 2, 100, Selection(drop=drop))


@installed
def test_any_text_can_be_a_name_and_none_of_it_is_cypher(filled):
    names = ['O\'Hara "x", y', "line\nbreak", "分割肺部CT", "\\", "'}) DETACH DELETE n //", "$ids"]
    tools = [
        make_tool(f"t{n}", name=name, tasks=("t", name), requires_tool=("t0",))
        for n, name in enumerate(names)
    ]
    graph = build_graph(tools)
    store, plain = filled(graph), NetworkxStore(graph)
    seeds = [("t1", 1.0), *((name, 1.0) for name in names), (f"operation:{names[4]}", 0.5)]
    assert_same_walk(store, plain, seeds, 2, 10, Selection())
    assert_same_walk(store, plain, seeds, 2, 10, Selection(drop=frozenset(names)))


@installed
def test_queries_leave_the_file_as_it_was_and_readers_share_it(tmp_path):
    graph = build_graph(random_tools(1))
    path = tmp_path / "graph.lbug"
    store = LadybugStore.fill(graph, path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    other = LadybugStore(path)
    assert store.expand([("t01", 1.0)], 2, 9) == other.expand([("t01", 1.0)], 2, 9)
    with store._connection() as connection, pytest.raises(RuntimeError, match="read-only"):
        connection.execute("CREATE (:Node {id: 'x', kind: 'tool', label: 'x'})")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.lbug", "graph.lbug.sha256"]


@installed
def test_a_new_file_takes_the_place_of_the_old_while_the_old_still_answers(tmp_path):
    path = tmp_path / "graph.lbug"
    old = LadybugStore.fill(
        build_graph([make_tool("a", requires_tool=("b",)), make_tool("b")]), path
    )
    path.with_name("graph.lbug.filling").write_bytes(b"left by a process that was killed")
    new = LadybugStore.fill(
        build_graph([make_tool("a", requires_tool=("c",)), make_tool("c")]), path
    )
    assert [r.id for r in old.expand([("a", 1.0)], 1, 5)] == ["b"]
    assert [r.id for r in new.expand([("a", 1.0)], 1, 5)] == ["c"]
    assert old.words((("a", "requires_tool", "b"),)) == "a needs b"


@installed
def test_threads_get_the_same_answers_as_one(filled):
    graph = build_graph(random_tools(2))
    store, plain = filled(graph), NetworkxStore(graph)
    seeds = [[(f"t{n:02}", 1.0), (f"t{n + 1:02}", 0.5)] for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda chosen: store.expand(chosen, 2, 10), seeds))
    assert found == [plain.expand(chosen, 2, 10) for chosen in seeds]


@installed
def test_a_neighbourhood_over_the_bound_is_refused_and_never_cut(tmp_path):
    crowd = [make_tool(f"t{n}", tasks=("common",)) for n in range(30)]
    path = tmp_path / "graph.lbug"
    LadybugStore.fill(build_graph(crowd), path).close()
    with pytest.raises(StageUnavailable, match=r"more than 20 edges .* fewer seeds"):
        LadybugStore(path, max_rows=20).expand([("t0", 1.0)], 2, 5)
    assert len(LadybugStore(path, max_rows=30).expand([("t0", 1.0)], 2, 5)) == 5


@installed
def test_a_query_that_runs_past_its_time_is_stopped(tmp_path):
    crowd = [make_tool(f"t{n}", tasks=tuple(f"k{n % m}" for m in range(2, 9))) for n in range(3000)]
    path = tmp_path / "graph.lbug"
    LadybugStore.fill(build_graph(crowd), path).close()
    with pytest.raises(StageUnavailable, match=r"did not answer within 0\.001 s; .* sync"):
        LadybugStore(path, seconds=0.001).expand([(t.id, 1.0) for t in crowd], 2, 5)


@installed
@pytest.mark.parametrize("content", [None, b"", b"no database" * 1000])
def test_a_missing_or_damaged_file_says_what_to_do(tmp_path, content):
    path = tmp_path / "graph.lbug"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StageUnavailable, match=r"graph\.lbug is missing or damaged; run a sync"):
        LadybugStore(path)


@installed
def test_one_flipped_byte_is_noticed(tmp_path):
    path = tmp_path / "graph.lbug"
    LadybugStore.fill(build_graph(random_tools(3)), path).close()
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 1
    path.write_bytes(held)
    with pytest.raises(StageUnavailable, match="damaged"):
        LadybugStore(path)


@installed
def test_a_fill_killed_before_its_last_rename_leaves_the_old_file_whole(tmp_path):
    path, beside = tmp_path / "graph.lbug", tmp_path / "graph.lbug.sha256"
    LadybugStore.fill(build_graph([make_tool("a", requires_tool=("b",)), make_tool("b")]), path)
    old = path.read_bytes()
    LadybugStore.fill(build_graph([make_tool("c")]), path)
    path.write_bytes(old)
    assert [r.id for r in LadybugStore(path).expand([("a", 1.0)], 1, 5)] == ["b"]
    assert len(beside.read_text().split()) == 2


def test_a_missing_package_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ladybug", None)
    for attempt in (
        lambda: LadybugStore(tmp_path / "g.lbug"),
        lambda: LadybugStore.fill(build_graph([]), tmp_path / "g.lbug"),
    ):
        with pytest.raises(StageUnavailable, match=r"pip install 'scanscout\[cypher\]'"):
            attempt()


@installed
def test_an_answer_tells_paths_and_graph_after_its_database_is_closed(tmp_path):
    tools = random_tools(1)
    graph, by_id = build_graph(tools), {tool.id: tool for tool in tools}
    store = LadybugStore.fill(graph, tmp_path / "closed.lbug")
    both = [GraphExpand(one, by_id, [], weighted({})) for one in (store, NetworkxStore(graph))]
    state = make_state("x", make_candidate(tools[1].id))
    closed, plain = (finish(progress(stage, state)) for stage in both)
    store.close()
    assert any(w.kind == "path" and w.text for c in closed.state.candidates for w in c.why)
    assert closed.state.candidates == plain.state.candidates
    assert (closed.graph.nodes, closed.graph.edges) == (plain.graph.nodes, plain.graph.edges)
