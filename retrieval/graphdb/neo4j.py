"""Cypher over a Neo4j server: read access mode, and the guard and bounds of the embedded store."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from retrieval.core import StageUnavailable, bounded
from retrieval.graph import QueryFailed, Rows, rows_of
from retrieval.graphdb.cypher_guard import Bounds, reading_cypher
from retrieval.net import OutsideCalls

PURPOSE = "graph database"
SCHEMA_NODES = "MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label"
SCHEMA_EDGES = "MATCH (a)-[r]->(b) RETURN DISTINCT labels(a) AS a, type(r) AS r, labels(b) AS b"


class Neo4jStore:
    """A QueryStore over a server; sessions are read-only, which the server enforces."""

    language = "Cypher"

    def __init__(
        self,
        uri: str,
        *,
        user: str = "",
        password: str = "",
        guard: OutsideCalls,
        database: str | None = None,
        bounds: Bounds | None = None,
        driver: Any = None,  # noqa: ANN401 - a driver of the untyped package
    ) -> None:
        self._uri, self._guard, self._database = uri, guard, database
        self._bounds = bounds or Bounds()
        try:
            self._neo4j = import_module("neo4j")
        except ImportError as exc:
            raise StageUnavailable(
                "the package neo4j is missing; pip install 'scanscout[neo4j]'"
            ) from exc
        auth = (user, password) if user else None
        wait = self._bounds.seconds
        self._driver = driver or self._neo4j.GraphDatabase.driver(
            uri,
            auth=auth,
            connection_timeout=wait,
            max_transaction_retry_time=0.0,
            telemetry_disabled=True,
        )

    def close(self) -> None:
        """Close the connections of the driver."""
        self._driver.close()

    def schema(self) -> str:
        """Labels and relations of the server's graph, by two queries."""
        nodes = self.run(SCHEMA_NODES).rows
        edges = self.run(SCHEMA_EDGES).rows
        return "\n".join(
            (
                *(f"(:{label})" for (label,) in nodes),
                *(f"(:{a})-[:{r}]->(:{b})" for a, r, b in edges),
            )
        )

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """The rows of a reading query. Raises StageUnavailable where the server does not answer.

        Raises Refused by the guard, and QueryFailed for an error of the query. The server's own
        time limit applies first; twice that ends the wait for a silent server.
        """
        text = reading_cypher(query, self._bounds)
        self._guard.permit(PURPOSE, self._uri)
        seconds = 2 * self._bounds.seconds
        return bounded(lambda: self._rows(text, parameters), seconds, "the graph server")

    def _rows(self, text: str, parameters: Mapping[str, Any] | None) -> Rows:
        errors = self._neo4j.exceptions
        statement = self._neo4j.Query(text, timeout=self._bounds.seconds)
        try:
            with self._driver.session(
                default_access_mode=self._neo4j.READ_ACCESS,
                database=self._database,
                # The driver's own 1,000 would fetch rows that are never shown.
                fetch_size=self._bounds.rows,
            ) as session:
                result = session.run(statement, dict(parameters or {}))
                columns = list(result.keys())
                values = [
                    [_value(record[c]) for c in columns]
                    for record in result.fetch(self._bounds.rows)
                ]
        except errors.ClientError as exc:
            raise QueryFailed(f"query: the server could not run it ({exc.code})") from exc
        except (errors.Neo4jError, errors.DriverError) as exc:
            raise StageUnavailable(
                f"the graph server did not answer ({type(exc).__name__})"
            ) from exc
        return rows_of(self.language, text, columns, values, self._bounds.rows)


def _value(value: Any) -> Any:  # noqa: ANN401 - nodes and edges become plain values
    if hasattr(value, "labels"):
        return {"id": value.get("id", value.element_id), "name": value.get("name")}
    if hasattr(value, "type") and hasattr(value, "start_node"):
        return value.type
    return value
