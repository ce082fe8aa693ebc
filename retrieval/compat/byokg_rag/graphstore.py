"""A graph of triples from a file or from memory, with the interface the retrievers need."""

from __future__ import annotations

import csv
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from retrieval.core import BadInput
from retrieval.graph import FactBase, Item
from retrieval.graphdb import CypherStore, SparqlStore, is_sparql, schema_of

MAX_TRIPLES = 1_000_000


class LocalKGStore:
    """Triples in memory; Cypher and SPARQL run on embedded stores, each filled at its first query.

    In SPARQL ``n:`` begins a node, ``r:`` a relation; every node has an ``rdfs:label``.
    """

    def __init__(self, triples: Iterable[Sequence[str]] = ()) -> None:
        self._rows: list[tuple[str, str, str]] = []
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        self._add(triples)

    def read_from_csv(
        self, csv_file: str | Path, delimiter: str = ",", has_header: bool = True
    ) -> None:
        """Triples of a file with three columns: head, relation, tail. Raises BadInput."""
        try:
            with Path(csv_file).open(encoding="utf-8", newline="") as handle:
                rows = list(csv.reader(handle, delimiter=delimiter))
        except OSError as exc:
            raise BadInput(f"triples: {Path(csv_file).name} could not be read") from exc
        self._add(rows[1:] if has_header else rows)

    def _add(self, triples: Iterable[Sequence[str]]) -> None:
        for number, row in enumerate(triples, start=1):
            if len(row) != 3:
                raise BadInput(f"triples: row {number} has {len(row)} columns; it needs three")
            head, relation, tail = (str(cell).strip() for cell in row)
            self._rows.append((head, relation, tail))
            if len(self._rows) > MAX_TRIPLES:
                raise BadInput(f"triples: more than {MAX_TRIPLES:,}; read a part of them")
        self.__dict__.pop("base", None)
        for store in ("_store", "_rdf"):
            self.__dict__.pop(store, None)
        self._folders.clear()

    @cached_property
    def base(self) -> FactBase:
        """The triples as facts."""
        names = dict.fromkeys(n for head, _, tail in self._rows for n in (head, tail))
        items = (Item(id=name, kind="node", label=name) for name in names)
        return FactBase(items, self._rows)

    @cached_property
    def _store(self) -> CypherStore:
        return CypherStore.fill(self.base, self._new_folder() / "graph.db")

    @cached_property
    def _rdf(self) -> SparqlStore:
        return SparqlStore.fill(self.base, self._new_folder() / "rdf")

    def _new_folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="kg-", ignore_cleanup_errors=True)
        # Removed with the store, which each query opens again.
        self._folders.append(folder)
        return Path(folder.name)

    def get_schema(self) -> str:
        """Labels, properties and relations."""
        return schema_of(self.base)

    def nodes(self) -> list[str]:
        """Every node."""
        return list(self.base.items)

    def get_nodes(self, node_ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """The named nodes that are there, with their names."""
        return {n: {"name": self.base.label(n)} for n in node_ids if n in self.base}

    def edges(self) -> list[tuple[str, str, str]]:
        """Every triple."""
        return list(self.base.triples())

    def get_triplets(self) -> list[tuple[str, str, str]]:
        """Every triple."""
        return self.edges()

    def get_one_hop_edges(
        self, source_node_ids: Iterable[str], return_triplets: bool = True
    ) -> dict[str, dict[str, list[tuple[str, str, str]]]]:
        """The triples of each node by relation, whether it is head or tail."""
        edges: dict[str, dict[str, list[tuple[str, str, str]]]] = {}
        for node in source_node_ids:
            by_relation: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
            for relation, away, end in self.base.around(node):
                by_relation[relation].append(
                    (node, relation, end) if away else (end, relation, node)
                )
            edges[node] = dict(by_relation)
        return edges

    def get_linker_tasks(self) -> list[str]:
        """The tasks of a linker over this graph."""
        return ["entity-extraction", "path-extraction", "opencypher", "draft-answer-generation"]

    def execute_query(
        self, query: str, parameters: dict[str, Any] | None = None
    ) -> list[dict[str, str]]:
        """The rows of a reading query in Cypher or SPARQL; ``parameters`` are Cypher's.

        Raises Refused or QueryFailed in plain words, StageUnavailable without the store's package.
        """
        store = self._rdf if is_sparql(query) else self._store
        rows = store.run(query, parameters)
        return [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
