"""Queries that would take the machine end in a process of their own, and leave nothing behind."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.graph.build import build_graph
from retrieval.graph.facts import FactBase, Item, catalog_facts
from retrieval.graph.querying import QueryFailed
from retrieval.graphdb.cypher import CypherStore
from retrieval.graphdb.cypher_guard import Bounds, reading_cypher
from retrieval.graphdb.query_process import parent
from retrieval.graphdb.query_process.parent import ProcessLimits, answer_in_process
from retrieval.processes import script_process
from tests.graphdb.test_cypher import TOOLS

pytestmark = pytest.mark.process

pytest.importorskip("ladybug", reason="the package ladybug is not installed")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

DOUBLED_LIST = "WITH [1,2,3,4,5,6,7,8,9,10] AS a " + "WITH a + a AS a " * 26 + "RETURN size(a)"
NESTED_REPLACE = (
    "WITH 'aaaaaaaaaa' AS a " + "WITH replace(a, 'a', 'aaaaaaaaaa') AS a " * 8 + "RETURN size(a)"
)
DOUBLED_LIST_SHOWN = DOUBLED_LIST.replace("size(a)", "a")
ATTACKS = (DOUBLED_LIST, NESTED_REPLACE, DOUBLED_LIST_SHOWN)
SLOW = (
    "MATCH (a:Tool), (b:Tool), (c:Tool), (d:Tool) WHERE a.name < b.name "
    "RETURN max(a.name + c.name + d.name)"
)
"""Walks billions of rows: hours on any machine."""
ROOM_MB = 100
"""The attacks took more than 1,000 MB in the server; other threads of a test run take some."""
COUNTED = "MATCH (t:Tool) RETURN count(*) AS n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> CypherStore:
    base = catalog_facts(TOOLS, build_graph(TOOLS))
    return CypherStore.fill(base, tmp_path_factory.mktemp("process") / "graph.db")


def _many(count: int) -> FactBase:
    items = [Item(id=f"t{n}", kind="tool", label=f"t{n:05}") for n in range(count)]
    return FactBase(items, [])


def _status(field: str) -> int:
    """A field of this process's memory in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1]) // 1024


def _children() -> set[str]:
    lists = Path("/proc/self/task").glob("*/children")
    return {child for one in lists for child in one.read_text().split()}


@contextmanager
def _memory_peak_below(megabytes: int) -> Iterator[None]:
    """The peak of resident memory inside the block; the kernel's mark is set back first."""
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    yield
    assert _status("VmHWM") - before < megabytes


@linux
@pytest.mark.parametrize("text", ATTACKS, ids=["doubled list", "nested replace", "list shown"])
def test_a_query_that_takes_memory_is_ended_and_the_server_does_not_grow(
    text: str, store: CypherStore
) -> None:
    store.run(COUNTED)
    children, threads = _children(), threading.active_count()
    start = monotonic()
    with _memory_peak_below(ROOM_MB), pytest.raises(QueryFailed, match="256 MB beside the graph"):
        store.run(text)
    # Its own limit is 5 s; the rest is the start of a process on a busy machine.
    assert monotonic() - start < 5 + parent.START_SECONDS
    assert _children() == children
    assert threading.active_count() <= threads
    assert store.run(COUNTED).rows == (("3",),)


def test_the_attacks_pass_the_guard_so_that_only_the_process_stops_them() -> None:
    assert len(DOUBLED_LIST) < 500
    for text in ATTACKS:
        assert reading_cypher(text)


@linux
def test_filling_and_the_first_query_leave_the_server_as_small_as_before(tmp_path: Path) -> None:
    base = _many(3_000)
    with _memory_peak_below(ROOM_MB):
        store = CypherStore.fill(base, tmp_path / "graph.db")
        assert store.run(COUNTED).rows == (("3000",),)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.db"]


@linux
def test_a_query_that_takes_too_long_is_killed_and_leaves_no_process(tmp_path: Path) -> None:
    store = CypherStore.fill(_many(2_000), tmp_path / "graph.db", Bounds(seconds=0.3))
    children = _children()
    with pytest.raises(QueryFailed, match=r"did not end within 0\.3 s; ask for less at once"):
        store.run(SLOW)
    assert _children() == children


def test_the_rows_of_an_answer_are_bounded_in_bytes(tmp_path: Path) -> None:
    store = CypherStore.fill(_many(200), tmp_path / "graph.db")
    job = {
        "language": "Cypher",
        "path": str(tmp_path / "graph.db"),
        "query": "MATCH (t:Tool) RETURN rpad(t.name, 3000, 'x') AS name",
        "parameters": {},
    }
    limits = ProcessLimits(seconds=20, rows=200, answer_bytes=100_000)
    answer = answer_in_process(job, limits)
    assert answer.cut
    assert 0 < len(answer.rows) < 40
    assert store.run("MATCH (t:Tool) RETURN t.name LIMIT 7").cut is False


def test_long_texts_and_lists_are_cut_in_the_process(tmp_path: Path) -> None:
    store = CypherStore.fill(_many(3), tmp_path / "graph.db")
    lists = "WITH [1, 2] AS a " + "WITH a + a AS a " * 14 + "RETURN a, [[[a]]] AS nested"
    (row,) = store.run(lists).rows
    assert all(len(cell) == 300 for cell in row)


def test_values_reach_the_store_and_come_back_as_they_are(tmp_path: Path) -> None:
    odd = 'it\'s "quoted", \\N\r\nnew line \\ \u00e9 \u65e5\u672c'
    item = Item(id=odd, kind="tool", label=odd, details={"license": "", "url": odd})
    store = CypherStore.fill(FactBase([item], [(odd, "r", odd)]), tmp_path / "graph.db")
    missing = "t.license IS NULL, t.gpu IS NULL"
    rows = store.run(f"MATCH (t:Tool)-[:r]->(u) RETURN t, u.id, t.url, t.license, {missing}")
    assert rows.rows == ((odd, odd, odd, "", "False", "True"),)
    assert rows.nodes == (odd,)


def test_parameters_are_values_and_never_part_of_the_query(store: CypherStore) -> None:
    query = "MATCH (t:Tool) WHERE t.id IN $ids RETURN t.id ORDER BY t.id"
    assert store.run(query, {"ids": ["fsl", "' RETURN 1"]}).rows == (("fsl",),)


def test_a_damaged_file_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    path.write_bytes(b"no database" * 1_000)
    with pytest.raises(StageUnavailable, match="cannot be opened"):
        CypherStore(path, "").run(COUNTED)


def test_queries_beyond_those_at_once_wait_and_are_then_refused(
    store: CypherStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parent, "_SLOTS", threading.BoundedSemaphore(1))
    limits = ProcessLimits(seconds=0.2, rows=1)
    with parent._SLOTS, pytest.raises(QueryFailed, match="are running; try again"):
        answer_in_process({}, limits)
    assert store.run(COUNTED).rows == (("3",),)


@linux
def test_the_process_sees_nothing_of_the_servers_environment(
    store: CypherStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCANSCOUT_LLM_KEY", "secret-canary")
    job = {"language": "Cypher", "path": os.devnull}
    with script_process(parent._CHILD, job) as (process, _):
        environment = Path(f"/proc/{process.pid}/environ").read_bytes()
    assert b"secret-canary" not in environment
