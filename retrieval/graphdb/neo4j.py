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
from retrieval.graphdb.schema import Schema, SchemaEntity, SchemaRelationship, pascal_case
from retrieval.net import OutsideCalls

PURPOSE = "graph database"
SCHEMA_NODES = "MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label"
SCHEMA_EDGES = (
    "MATCH (a)-[r]->(b) UNWIND labels(a) AS head UNWIND labels(b) AS tail "
    "RETURN DISTINCT head, type(r) AS r, tail"
)
NODE_KEYS = "MATCH (n) UNWIND labels(n) AS label UNWIND keys(n) AS key RETURN DISTINCT label, key"
TYPE = "str"
"""Of every property: a query compares texts, and a server's own types are many."""
EDGE_KEYS = "MATCH ()-[r]->() UNWIND keys(r) AS key RETURN DISTINCT type(r) AS r, key"


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

    def classes(self) -> Schema:
        """What the server's graph holds, for steps that choose from a schema.

        By four queries, each of as many rows as any query may give; names as they are there.
        """
        owned: dict[str, dict[str, str]] = {label: {} for (label,) in self.run(SCHEMA_NODES).rows}
        for label, key in self.run(NODE_KEYS).rows:
            owned.setdefault(label, {})[key] = TYPE
        keys: dict[str, dict[str, str]] = {}
        for kind, key in self.run(EDGE_KEYS).rows:
            keys.setdefault(kind, {})[key] = TYPE
        relationships = [
            SchemaRelationship(
                name=pascal_case(f"{head} {kind.replace('_', ' ')} {tail}"),
                label=kind,
                sources=(head,),
                targets=(tail,),
                properties=keys.get(kind, {}),
            )
            for head, kind, tail in self.run(SCHEMA_EDGES).rows
        ]
        return Schema(
            entities={
                label: SchemaEntity(name=label, properties=owned[label]) for label in sorted(owned)
            },
            relationships={one.name: one for one in sorted(relationships, key=lambda r: r.name)},
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
        # A server names a column as the query has it, and what was parsed quotes every name.
        columns = [column.replace("`", "") for column in answer.columns]
        rows = rows_of(self.language, text, columns, answer.rows, limits.rows)
        return replace(rows, cut=answer.cut)
