"""Neo4j by address: read access, the same guard, and what happens when nobody is there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.graph.querying import QueryFailed, Refused
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.neo4j import PURPOSE, Neo4jStore
from retrieval.net.permission import OutsideCalls

neo4j = pytest.importorskip("neo4j", reason="the package neo4j is not installed")
ALLOWED = OutsideCalls(frozenset({PURPOSE}))
READ = "MATCH (t:Tool) RETURN t.name AS name"


class Driver:
    """The part of the driver's interface that the store uses; remembers what it was given."""

    def __init__(self, *records: dict[str, Any], error: Exception | None = None) -> None:
        self.records, self.error = records, error
        self.sessions: list[dict[str, Any]] = []
        self.queries: list[Any] = []

    def session(self, **config: Any) -> Driver:
        self.sessions.append(config)
        return self

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def run(self, query: Any, parameters: dict[str, Any]) -> SimpleNamespace:
        self.queries.append(query)
        if self.error is not None:
            raise self.error
        keys = list(self.records[0]) if self.records else []
        return SimpleNamespace(keys=lambda: keys, fetch=lambda n: list(self.records)[:n])

    def close(self) -> None:
        return None


def store(driver: Driver, guard: OutsideCalls = ALLOWED, **bounds: float) -> Neo4jStore:
    limits = Bounds(**bounds) if bounds else None  # type: ignore[arg-type]
    return Neo4jStore("bolt://graph.example:7687", guard=guard, driver=driver, bounds=limits)


def test_every_session_asks_for_read_access_and_every_query_has_a_time_limit() -> None:
    driver = Driver({"name": "fsl"})
    rows = store(driver, seconds=2.0).run(READ)
    assert driver.sessions[0]["default_access_mode"] == neo4j.READ_ACCESS
    assert driver.queries[0].timeout == 2.0
    assert (rows.columns, rows.rows) == (("name",), (("fsl",),))


@pytest.mark.requirement("S3-15")
def test_the_guard_stands_in_front_of_a_server_too() -> None:
    driver = Driver()
    with pytest.raises(Refused):
        store(driver).run("MATCH (n) DETACH DELETE n")
    assert driver.queries == []


def test_nothing_is_sent_until_it_is_switched_on() -> None:
    driver = Driver()
    with pytest.raises(OutsideCallRefused):
        store(driver, OutsideCalls()).run(READ)
    assert driver.queries == []


def test_the_server_is_sent_what_was_parsed_with_its_rows_bounded() -> None:
    driver = Driver(*({"name": str(n)} for n in range(9)))
    rows = store(driver, rows=3).run(READ)
    assert driver.queries[0].text.endswith("LIMIT 3")
    assert driver.sessions[0]["fetch_size"] == 3
    assert (len(rows.rows), rows.cut) == (3, True)


def test_what_the_server_cannot_run_and_a_server_that_is_away_are_two_things() -> None:
    with pytest.raises(QueryFailed, match="could not run it"):
        store(Driver(error=neo4j.exceptions.CypherSyntaxError("x"))).run(READ)
    with pytest.raises(StageUnavailable, match="did not answer"):
        store(Driver(error=neo4j.exceptions.ServiceUnavailable("x"))).run(READ)


def test_a_server_that_nobody_runs_is_told_by_the_real_driver() -> None:
    real = Neo4jStore("bolt://127.0.0.1:9", guard=ALLOWED, bounds=Bounds(seconds=3))
    with pytest.raises(StageUnavailable, match="the graph server"):
        real.run(READ)
    real.close()
