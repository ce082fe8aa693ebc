"""Cypher over an embedded database that is opened for reading; a guard stands in front of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from retrieval.core.deadline import bounded
from retrieval.core.errors import StageUnavailable
from retrieval.graph.cypher_guard import Bounds, reading_cypher
from retrieval.graph.facts import FactBase
from retrieval.graph.ladybug_file import imported_ladybug, opened_file
from retrieval.graph.querying import QueryFailed, Rows, rows_of

DETAILS = ("license", "gpu", "url", "last_release", "domain", "suite")
DIALECT = {"type": "label", "labels": "label", "relationships": "rels"}
"""Functions that this store knows under another name."""
GRACE = 3.0
"""Seconds after its own time limit in which the store has to stop."""


def label_of(kind: str) -> str:
    """``go_term`` is the label GoTerm."""
    return "".join(part.capitalize() for part in re.split(r"\W+|_", kind)) or "Node"


def relation_of(relation: str) -> str:
    """A relation as a type: letters, digits and underscores."""
    return re.sub(r"\W+", "_", relation).strip("_") or "related_to"


class CypherStore:
    """A QueryStore over one database file.

    Opening for reading is not enough: COPY TO and LOAD FROM would still reach the disk. So a
    query is parsed and written anew before the store sees it, and the store stops it in time.
    """

    language = "Cypher"

    def __init__(self, path: Path, schema: str, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._schema = schema
        self._ladybug = imported_ladybug()
        try:
            self._database = opened_file(self._ladybug, path, read_only=True)
        except (OSError, RuntimeError) as exc:
            raise StageUnavailable(f"the graph database {path.name} cannot be opened") from exc

    @classmethod
    def fill(cls, base: FactBase, path: Path, bounds: Bounds | None = None) -> CypherStore:
        """The store of a base of facts, written to a file that is not there yet."""
        ladybug = imported_ladybug()
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(opened_file(ladybug, path, read_only=False)) as database:
            connection = ladybug.Connection(database)
            connection.execute("BEGIN TRANSACTION")
            _write_nodes(connection, base)
            _write_edges(connection, base)
            connection.execute("COMMIT")
            connection.close()
        return cls(path, schema_of(base), bounds)

    def close(self) -> None:
        """Let the file go; later calls fail."""
        self._database.close()

    def schema(self) -> str:
        """Labels with their properties, and each relation with the labels it joins."""
        return self._schema

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """The rows of a reading query; it is stopped when its time is over."""
        text = reading_cypher(query, self._bounds, DIALECT)
        seconds = self._bounds.seconds + GRACE
        return bounded(lambda: self._rows(text, parameters), seconds, "the graph query")

    def _rows(self, text: str, parameters: Mapping[str, Any] | None) -> Rows:
        connection = self._ladybug.Connection(self._database)
        connection.set_query_timeout(int(self._bounds.seconds * 1000))
        try:
            result = connection.execute(text, dict(parameters or {}))
            columns = result.get_column_names()
            found: list[list[Any]] = []
            while len(found) < self._bounds.rows and result.has_next():
                found.append(result.get_next())
        except RuntimeError as exc:
            raise QueryFailed(f"query: {_plain(str(exc), self._bounds.seconds)}") from exc
        finally:
            connection.close()
        return rows_of(self.language, text, columns, found, self._bounds.rows)


def schema_of(base: FactBase) -> str:
    """The schema of a base of facts in the words of Cypher."""
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


def _plain(problem: str, seconds: float) -> str:
    if "nterrupted" in problem:
        return f"it did not end within {seconds:g} s; ask for less at once"
    if "memory" in problem.casefold():
        return "it needs more memory than one query may have; ask for less at once"
    return "the store could not run it: " + " ".join(problem.split())[:200]


def _write_nodes(connection: Any, base: FactBase) -> None:  # noqa: ANN401 - untyped package
    import pandas as pd

    kinds: defaultdict[str, list[list[str | None]]] = defaultdict(list)
    for item in sorted(base.items.values(), key=lambda i: i.id):
        more = [item.details.get(d) for d in DETAILS] if item.kind == "tool" else []
        kinds[item.kind].append([item.id, item.label, *more])
    for kind in sorted(kinds):
        columns = ["id", "name", *(DETAILS if kind == "tool" else ())]
        typed = ", ".join(f"`{c}` STRING" for c in columns)
        table = f"`{label_of(kind)}`"
        connection.execute(f"CREATE NODE TABLE {table}({typed}, PRIMARY KEY(`id`))")
        connection.execute(
            f"COPY {table} FROM $rows",
            {"rows": pd.DataFrame(kinds[kind], columns=columns, dtype=object)},
        )


def _write_edges(connection: Any, base: FactBase) -> None:  # noqa: ANN401 - untyped package
    import pandas as pd

    pairs: defaultdict[str, defaultdict[tuple[str, str], list[tuple[str, str]]]]
    pairs = defaultdict(lambda: defaultdict(list))
    for head, relation, tail in base.triples():
        joined = (label_of(base.kind(head)), label_of(base.kind(tail)))
        pairs[relation_of(relation)][joined].append((head, tail))
    for relation in sorted(pairs):
        ends = ", ".join(f"FROM `{a}` TO `{b}`" for a, b in sorted(pairs[relation]))
        connection.execute(f"CREATE REL TABLE `{relation}`({ends})")
        for (a, b), rows in sorted(pairs[relation].items()):
            frame = pd.DataFrame(rows, columns=["head", "tail"], dtype=object)
            which = f" (from='{a}', to='{b}')" if len(pairs[relation]) > 1 else ""
            connection.execute(f"COPY `{relation}` FROM $rows{which}", {"rows": frame})
