"""Cypher over an embedded database, opened read-only behind a guard."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from retrieval.core import StageUnavailable
from retrieval.graph import FactBase, Rows, rows_of
from retrieval.graphdb.cypher_guard import Bounds, reading_cypher
from retrieval.graphdb.cypher_tables import (
    DETAILS,
    edge_statements,
    label_of,
    node_statements,
    relation_of,
)
from retrieval.graphdb.query_process.parent import ProcessLimits, answer_in_process, fill_in_process

DIALECT = {"type": "label", "labels": "label", "relationships": "rels"}
"""Functions that this store has under another name."""


class CypherStore:
    """A QueryStore over one database file.

    Read-only mode does not suffice: COPY TO and LOAD FROM still reach the disk. So a query is
    parsed and rewritten before the store sees it. It runs in a process of its own, which is
    killed at its limits of time and memory.
    """

    language = "Cypher"

    def __init__(self, path: Path, schema: str, bounds: Bounds | None = None) -> None:
        self._path, self._schema, self._bounds = path, schema, bounds or Bounds()
        _check_package()
        if not path.is_file():
            raise StageUnavailable(f"the graph database {path.name} is missing")

    @classmethod
    def fill(cls, base: FactBase, path: Path, bounds: Bounds | None = None) -> CypherStore:
        """The store of a base of facts, written to a new file."""
        _check_package()
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".tables-", dir=path.parent) as name:
            tables = Path(name)
            statements = [*node_statements(base, tables), *edge_statements(base, tables)]
            fill_in_process(tables, os.fspath(path.absolute()), statements)
        return cls(path, schema_of(base), bounds)

    def schema(self) -> str:
        """Labels with their properties, and each relation with the labels it joins."""
        return self._schema

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """The rows of a reading query.

        Raises Refused for other queries, and QueryFailed at a limit of time or memory.
        """
        text = reading_cypher(query, self._bounds, DIALECT)
        job = {
            "language": self.language,
            "path": os.fspath(self._path.absolute()),
            "query": text,
            "parameters": dict(parameters or {}),
        }
        limits = ProcessLimits(seconds=self._bounds.seconds, rows=self._bounds.rows)
        answer = answer_in_process(job, limits)
        rows = rows_of(self.language, text, answer.columns, answer.rows, limits.rows)
        return replace(rows, cut=answer.cut)


def schema_of(base: FactBase) -> str:
    """The schema of a base of facts as Cypher patterns, one per line."""
    kinds = sorted({item.kind for item in base.items.values()})
    nodes = []
    for kind in kinds:
        more = "".join(f", {d}" for d in DETAILS) if kind == "tool" else ""
        nodes.append(f"(:{label_of(kind)} {{id, name{more}}})")
    edges = [
        f"(:{label_of(a)})-[:{relation_of(relation)}]->(:{label_of(b)})"
        for a, relation, b in base.schema()
    ]
    return "\n".join((*nodes, *edges))


def _check_package() -> None:
    """Raises StageUnavailable where the package is missing; only the child process imports it."""
    if find_spec("ladybug") is None:
        raise StageUnavailable("the package ladybug is missing; pip install 'scanscout[cypher]'")
