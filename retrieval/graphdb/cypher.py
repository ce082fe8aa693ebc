"""Cypher over an embedded database: its tables, and queries behind a guard."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from retrieval.core import StageUnavailable
from retrieval.graph import FactBase, Rows, rows_of
from retrieval.graphdb.cypher_guard import Bounds, reading_cypher
from retrieval.graphdb.query_process.parent import ProcessLimits, answer_in_process, fill_in_process

DETAILS = ("license", "gpu", "url", "last_release", "domain", "suite")

_FORM = "header=false, auto_detect=false, parallel=false, delim=',', quote='\"', escape='\"'"
"""Read by one thread: only then may quoted texts contain line ends."""

# CSV tables take a ninth of the memory of data frames: the store allocates 40 MB for each data
# frame and frees it only at the end.

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


def label_of(kind: str) -> str:
    """``go_term`` is the label GoTerm."""
    return "".join(part.capitalize() for part in re.split(r"\W+|_", kind)) or "Node"


def relation_of(relation: str) -> str:
    """A relation as a type: letters, digits and underscores."""
    return re.sub(r"\W+", "_", relation).strip("_") or "related_to"


def node_statements(base: FactBase, folder: Path) -> Iterator[str]:
    """One table per kind; its rows are written to the folder as the statements are read.

    A lazy generator: each CSV file exists once its COPY statement is yielded.
    """
    kinds: defaultdict[str, list[list[str | None]]] = defaultdict(list)
    for item in sorted(base.items.values(), key=lambda i: i.id):
        more = [item.details.get(d) for d in DETAILS] if item.kind == "tool" else []
        kinds[item.kind].append([item.id, item.label, *more])
    for number, kind in enumerate(sorted(kinds)):
        columns = ["id", "name", *(DETAILS if kind == "tool" else ())]
        typed = ", ".join(f"`{c}` STRING" for c in columns)
        table = f"`{label_of(kind)}`"
        yield f"CREATE NODE TABLE {table}({typed}, PRIMARY KEY(`id`))"
        name = _write_csv(folder / f"nodes-{number}.csv", kinds[kind])
        yield f"COPY {table} FROM '{name}' ({_FORM})"


def edge_statements(base: FactBase, folder: Path) -> Iterator[str]:
    """One table per relation, filled for each pair of labels that it joins."""
    pairs: defaultdict[str, defaultdict[tuple[str, str], list[tuple[str, str]]]]
    pairs = defaultdict(lambda: defaultdict(list))
    for head, relation, tail in base.triples():
        joined = (label_of(base.kind(head)), label_of(base.kind(tail)))
        pairs[relation_of(relation)][joined].append((head, tail))
    numbers = count()
    for relation in sorted(pairs):
        ends = ", ".join(f"FROM `{a}` TO `{b}`" for a, b in sorted(pairs[relation]))
        yield f"CREATE REL TABLE `{relation}`({ends})"
        for (a, b), rows in sorted(pairs[relation].items()):
            which = f", from='{a}', to='{b}'" if len(pairs[relation]) > 1 else ""
            name = _write_csv(folder / f"edges-{next(numbers)}.csv", rows)
            yield f"COPY `{relation}` FROM '{name}' ({_FORM}{which})"


def _write_csv(path: Path, rows: Iterable[Sequence[str | None]]) -> str:
    """The name of a new CSV file; a missing value is an empty field without quotes."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as handle:
        for row in rows:
            cells = ("" if v is None else '"' + v.replace('"', '""') + '"' for v in row)
            handle.write(",".join(cells) + "\n")
    return path.name
