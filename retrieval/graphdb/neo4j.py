"""Cypher over a Neo4j server: read access mode, and the guard and limits of the embedded store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from retrieval.core import StageUnavailable
from retrieval.graph import Rows, rows_of
from retrieval.graphdb.cypher_guard import Bounds, reading_cypher
from retrieval.graphdb.query_process.parent import ProcessLimits, answer_in_process
from retrieval.net import OutsideCalls

PURPOSE = "graph database"
SCHEMA_NODES = "MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label"
SCHEMA_EDGES = "MATCH (a)-[r]->(b) RETURN DISTINCT labels(a) AS a, type(r) AS r, labels(b) AS b"


class Neo4jStore:
    """A QueryStore over a server; sessions are read-only, which the server enforces.

    Each query runs the driver in a process of its own, because the driver reads a record whole,
    however large: the process is ended at its limits of time and memory.
    """

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
    ) -> None:
        self._uri, self._guard, self._bounds = uri, guard, bounds or Bounds()
        self._login = {"uri": uri, "user": user, "password": password, "database": database}
        if find_spec("neo4j") is None:
            raise StageUnavailable("the package neo4j is missing; pip install 'scanscout[neo4j]'")

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

        Raises Refused by the guard, and QueryFailed for an error of the query or a broken limit.
        The server's own time limit applies first; twice that ends the wait for a silent server.
        """
        text = reading_cypher(query, self._bounds)
        self._guard.permit(PURPOSE, self._uri)
        job = {
            "language": "Neo4j",
            **self._login,
            "query": text,
            "parameters": dict(parameters or {}),
            "server_seconds": self._bounds.seconds,
        }
        limits = ProcessLimits(seconds=2 * self._bounds.seconds, rows=self._bounds.rows)
        answer = answer_in_process(job, limits)
        rows = rows_of(self.language, text, answer.columns, answer.rows, limits.rows)
        return replace(rows, cut=answer.cut)
