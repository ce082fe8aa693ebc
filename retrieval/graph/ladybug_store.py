"""The graph in an embedded Cypher database; a query reads the neighbourhood of its seeds."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import networkx as nx
import pandas as pd

from retrieval.core import EVERYTHING, Graph, Selection, StageUnavailable
from retrieval.graph.ladybug_file import imported_ladybug, opened_file
from retrieval.graph.path_words import Step
from retrieval.graph.port import Reached
from retrieval.graph.store import NetworkxStore

MAX_ROWS = 200_000
"""Most nodes or edges of one query; a larger neighbourhood is refused, never cut."""
DIGEST = "sha256"
"""Suffix of the digest file; the database itself detects few flipped bytes."""

SCHEMA = (
    "CREATE NODE TABLE Node(id STRING PRIMARY KEY, kind STRING, label STRING, ties INT64)",
    "CREATE REL TABLE Link(FROM Node TO Node, kind STRING, weight DOUBLE)",
)
NODES = "UNWIND $ids AS i MATCH (n:Node {id: i}) RETURN n.id, n.kind, n.label, n.ties LIMIT $most"
# Two directed matches with the key looked up first: one undirected match scans the whole table.
EDGES = tuple(
    f"UNWIND $ids AS i MATCH (n:Node {{id: i}}){arrow}(m:Node) "
    f"RETURN {ends}, e.kind, e.weight LIMIT $most"
    for arrow, ends in (("-[e:Link]->", "n.id, m.id"), ("<-[e:Link]-", "m.id, n.id"))
)
EDGES_AMONG = (
    "UNWIND $ids AS i MATCH (n:Node {id: i})-[e:Link]->(m:Node) WHERE m.id IN $ids "
    "RETURN n.id, m.id, e.kind, e.weight LIMIT $most"
)


class _Rows(Protocol):
    def get_all(self) -> list[list[Any]]: ...


class _Connection(Protocol):
    def execute(self, query: str, parameters: dict[str, Any] | None = None) -> _Rows: ...


class _Database(Protocol):
    def close(self) -> None: ...


class LadybugStore:
    """A GraphStore over a database file that is opened read-only; SCHEMA says what is in it.

    It fetches a part of the graph by fixed queries with parameters and leaves the arithmetic to
    NetworkxStore, so its values are the same. Read-only is no shield against Cypher that a model
    wrote (COPY TO and LOAD FROM still reach the disk): none may be run without an allow-list.
    """

    at_hand = False

    def __init__(self, path: Path, seconds: float = 5.0, max_rows: int = MAX_ROWS) -> None:
        self._path, self._seconds, self._max_rows = path, seconds, max_rows
        self._ladybug = imported_ladybug()
        self._recent = NetworkxStore(nx.MultiDiGraph())
        remedy = f"the graph database {path.name} is missing or damaged; run a sync to build it"
        try:
            if _digest(path) not in _digests(path):
                raise StageUnavailable(remedy)
            self._database: _Database = opened_file(self._ladybug, path, read_only=True)
        except (OSError, RuntimeError) as exc:
            raise StageUnavailable(remedy) from exc

    @classmethod
    def fill(cls, graph: nx.MultiDiGraph, path: Path, seconds: float = 5.0) -> LadybugStore:
        """The store of a graph from build_graph; a rename puts the finished file in place.

        The digest file lists the new database and the old one, so that either passes the check.
        """
        ladybug = imported_ladybug()
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f"{path.name}.filling")
        for left in path.parent.glob(f"{glob.escape(aside.name)}*"):
            left.unlink()
        with (
            closing(opened_file(ladybug, aside, read_only=False)) as database,
            ladybug.Connection(database) as connection,
        ):
            _write(connection, graph)
        old = [_digest(path)] if path.is_file() and _digest(path) in _digests(path) else []
        written = path.with_name(f"{path.name}.{DIGEST}.filling")
        written.write_text("\n".join((_digest(aside), *old)))
        written.replace(_beside(path))
        aside.replace(path)
        return cls(path, seconds)

    def close(self) -> None:
        """Close the database; later calls fail."""
        self._database.close()

    def expand(
        self,
        seeds: Sequence[tuple[str, float]],
        hops: int,
        limit: int,
        selection: Selection = EVERYTHING,
    ) -> tuple[Reached, ...]:
        """As NetworkxStore.expand, over what lies within so many hops of the seeds.

        The nodes of the last hop lack some of their edges; no score depends on those.
        """
        start = sorted({seed for seed, weight in seeds if weight > 0})
        self._recent = near = NetworkxStore(self._near(start, hops, selection))
        return near.expand(seeds, hops, limit, selection)

    def excerpt(self, seeds: Sequence[str], reached: Sequence[Reached]) -> Graph:
        """As NetworkxStore.excerpt, over the nodes that it may draw."""
        drawn = {*seeds, *(one.id for one in reached)}
        drawn |= {node for one in reached for step in one.path for node in (step[0], step[2])}
        return NetworkxStore(self._among(sorted(drawn))).excerpt(seeds, reached)

    def words(self, path: Sequence[Step]) -> str:
        """As NetworkxStore.words; steps of the latest expansion are not read again."""
        recent = self._recent
        if all(step in recent for step in path):
            return recent.words(path)
        ids = sorted({node for step in path for node in (step[0], step[2])})
        return NetworkxStore(self._among(ids)).words(path)

    def _near(self, start: Sequence[str], hops: int, selection: Selection) -> nx.MultiDiGraph:
        """The nodes within so many hops, with every edge of those that are walked through."""
        part = nx.MultiDiGraph()
        front = list(start)
        with self._connection() as connection:
            self._add_nodes(connection, part, front)
            for _ in range(hops):
                rows = [row for query in EDGES for row in self._rows(connection, query, front)]
                new = sorted({end for row in rows for end in row[:2] if end not in part})
                self._add_nodes(connection, part, new)
                _add_edges(part, rows)
                front = [n for n in new if part.nodes[n]["kind"] != "tool" or selection.admits(n)]
        return part

    def _among(self, ids: Sequence[str]) -> nx.MultiDiGraph:
        part = nx.MultiDiGraph()
        with self._connection() as connection:
            self._add_nodes(connection, part, ids)
            _add_edges(part, self._rows(connection, EDGES_AMONG, ids))
        return part

    def _add_nodes(
        self, connection: _Connection, part: nx.MultiDiGraph, ids: Sequence[str]
    ) -> None:
        for node, kind, label, ties in self._rows(connection, NODES, ids):
            part.add_node(node, kind=kind, label=label, ties=ties)

    @contextmanager
    def _connection(self) -> Iterator[_Connection]:
        """A connection of the caller's own: one may not serve two threads."""
        with self._ladybug.Connection(self._database) as connection:
            connection.set_query_timeout(int(self._seconds * 1000))
            yield connection

    def _rows(self, connection: _Connection, query: str, ids: Sequence[str]) -> list[list[Any]]:
        if not ids:
            return []
        try:
            parameters = {"ids": list(ids), "most": self._max_rows + 1}
            rows = connection.execute(query, parameters).get_all()
        except RuntimeError as exc:
            raise StageUnavailable(
                f"the graph database {self._path.name} did not answer within {self._seconds:g} s; "
                "search with fewer seeds, or build it again by a sync"
            ) from exc
        if len(rows) > self._max_rows:
            raise StageUnavailable(
                f"more than {self._max_rows:,} edges lie near the candidates; search with fewer "
                "seeds or one hop, or keep the graph in memory"
            )
        return rows


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.{DIGEST}")


def _digest(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, DIGEST).hexdigest()


def _digests(path: Path) -> list[str]:
    try:
        return _beside(path).read_text().split()
    except OSError:
        return []


def _add_edges(part: nx.MultiDiGraph, rows: Iterable[Sequence[Any]]) -> None:
    for source, target, kind, weight in rows:
        part.add_edge(source, target, key=kind, kind=kind, weight=weight)


def _write(connection: _Connection, graph: nx.MultiDiGraph) -> None:
    # A table passed as one data frame is stored 30 times faster than rows in a parameter.
    nodes = [(n, d["kind"], d["label"], d.get("ties", 0)) for n, d in graph.nodes(data=True)]
    edges = [(a, b, d["kind"], d["weight"]) for a, b, d in graph.edges(data=True)]
    for statement in SCHEMA:
        connection.execute(statement)
    if nodes:
        table = pd.DataFrame(nodes, columns=["id", "kind", "label", "ties"], dtype=object)
        table["ties"] = table["ties"].astype("int64")
        connection.execute("COPY Node FROM $rows", {"rows": table})
    if edges:
        table = pd.DataFrame(edges, columns=["source", "target", "kind", "weight"], dtype=object)
        table["weight"] = table["weight"].astype(float)
        connection.execute("COPY Link FROM $rows", {"rows": table})
