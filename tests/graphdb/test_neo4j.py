"""Neo4j by address: read access, the same guard and limits, and what happens at a fault."""

from __future__ import annotations

import resource
from time import perf_counter

import pytest

from retrieval.core import OutsideCallRefused, StageUnavailable
from retrieval.graph.querying import QueryFailed, Refused
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.neo4j import PURPOSE, Neo4jStore
from retrieval.net.permission import OutsideCalls

pytest.importorskip("neo4j", reason="the package neo4j is not installed")
from tests.graphdb.bolt_server import LOGON, PULL, RUN, BoltServer

pytestmark = pytest.mark.process

ALLOWED = OutsideCalls(frozenset({PURPOSE}))
READ = "MATCH (t:Tool) RETURN t.name AS name"


def store(server: BoltServer, guard: OutsideCalls = ALLOWED, **bounds: float) -> Neo4jStore:
    limits = Bounds(**bounds) if bounds else None  # type: ignore[arg-type]
    return Neo4jStore(server.uri, guard=guard, bounds=limits, user="reader", password="secret")


def test_every_session_asks_for_read_access_and_every_query_has_a_time_limit() -> None:
    with BoltServer([{"name": "fsl"}]) as server:
        rows = store(server, seconds=2.0).run(READ)
    settings = server.fields(RUN)[2]
    assert (settings["mode"], settings["tx_timeout"]) == ("r", 2000)
    assert server.fields(LOGON)[0]["credentials"] == "secret"
    assert (rows.columns, rows.rows, rows.cut) == (("name",), (("fsl",),), False)


@pytest.mark.requirement("S3-15")
def test_the_guard_stands_in_front_of_a_server_too() -> None:
    with BoltServer() as server, pytest.raises(Refused):
        store(server).run("MATCH (n) DETACH DELETE n")
    assert server.received == []


def test_nothing_is_sent_until_it_is_switched_on() -> None:
    with BoltServer() as server, pytest.raises(OutsideCallRefused):
        store(server, OutsideCalls()).run(READ)
    assert server.received == []


def test_the_server_is_sent_what_was_parsed_with_its_rows_bounded() -> None:
    with BoltServer([{"name": str(n)} for n in range(9)]) as server:
        rows = store(server, rows=3).run(READ)
    assert server.fields(RUN)[0].endswith("LIMIT 3")
    assert server.fields(PULL)[0]["n"] == 3
    assert (len(rows.rows), rows.cut) == (3, True)


def test_one_record_of_any_size_stays_out_of_this_process() -> None:
    huge = "x" * 400_000_000
    with BoltServer([{"name": huge}]) as server:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(QueryFailed, match="more memory than one query may have"):
            store(server).run(READ)
        # The server of this test sends from here: it copies the text once, to pack it.
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert server.fields(PULL)
    assert grown < 3 * 400_000


def test_a_silent_server_is_left_in_time() -> None:
    begin = perf_counter()
    with BoltServer(silent=True) as server, pytest.raises((QueryFailed, StageUnavailable)):
        store(server, seconds=1.0).run(READ)
    assert perf_counter() - begin < 10


def test_what_the_server_cannot_run_and_a_server_that_is_away_are_two_things() -> None:
    with (
        BoltServer(failure="Neo.ClientError.Statement.SyntaxError") as server,
        pytest.raises(QueryFailed, match=r"could not run it: Neo\.ClientError\.Statement\.Syntax"),
    ):
        store(server).run(READ)
    with (
        BoltServer(failure="Neo.DatabaseError.General.UnknownError") as server,
        pytest.raises(StageUnavailable, match="did not answer"),
    ):
        store(server).run(READ)


def test_a_server_that_nobody_runs_is_told() -> None:
    absent = Neo4jStore("bolt://127.0.0.1:9", guard=ALLOWED, bounds=Bounds(seconds=3))
    with pytest.raises(StageUnavailable, match="the graph server did not answer"):
        absent.run(READ)
