"""SPARQL over pyoxigraph, behind a guard and in a child process that can be killed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from retrieval.core import StageUnavailable
from retrieval.graph import FactBase, Rows, rows_of
from retrieval.graphdb.cypher_guard import Bounds
from retrieval.graphdb.query_process.parent import ProcessLimits, answer_in_process
from retrieval.graphdb.sparql_guard import reading_sparql

NODE, RELATION, KIND = "urn:scanscout:node:", "urn:scanscout:relation:", "urn:scanscout:kind:"
RDF, RDFS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"
LABEL, TYPE = f"{RDFS}label", f"{RDF}type"
PREFIXES = "".join(
    f"PREFIX {name}: <{start}> "
    for name, start in (("n", NODE), ("r", RELATION), ("k", KIND), ("rdf", RDF), ("rdfs", RDFS))
)
"""Known in every query; one that a query declares itself replaces the one of that name."""


class SparqlStore:
    """A QueryStore over RDF in a folder; every query runs in a process of its own.

    An evaluation inside this process could not be interrupted; the child is killed instead.
    """

    language = "SPARQL"

    def __init__(self, folder: Path, schema: str, bounds: Bounds | None = None) -> None:
        self._folder, self._schema, self._bounds = folder, schema, bounds or Bounds()

    @classmethod
    def fill(cls, base: FactBase, folder: Path, bounds: Bounds | None = None) -> SparqlStore:
        """The store of a base of facts, written to a new folder."""
        try:
            import pyoxigraph
        except ImportError as exc:
            raise StageUnavailable(
                "the package pyoxigraph is missing; pip install 'scanscout[rdf]'"
            ) from exc
        folder.mkdir(parents=True)
        store = pyoxigraph.Store(str(folder))
        store.bulk_extend(_quads(pyoxigraph, base))
        store.flush()
        del store
        return cls(folder, rdf_schema(base), bounds)

    def schema(self) -> str:
        """Prefixes, kinds and relations."""
        return self._schema

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        """The rows of a reading query.

        Raises Refused for other queries, and QueryFailed at a limit of time or memory.
        """
        text = reading_sparql(query, self._bounds)
        full = PREFIXES + text
        job = {"language": self.language, "path": os.fspath(self._folder), "query": full}
        limits = ProcessLimits(seconds=self._bounds.seconds, rows=self._bounds.rows)
        answer = answer_in_process(job, limits)
        values = [[_node_or_text(value) for value in row] for row in answer.rows]
        rows = rows_of(self.language, text, answer.columns, values, limits.rows)
        return replace(rows, cut=answer.cut)


def iri(prefix: str, name: str) -> str:
    """The IRI of a node, relation or kind, its name percent-encoded as RFC 3986 has it.

    All but letters, digits and ``-._~`` is encoded, so that no name can end an IRI in a query.
    """
    return prefix + quote(name, safe="-._~")


def _node_or_text(value: str) -> Any:  # noqa: ANN401 - a node as a mapping, or text
    if value.startswith(NODE):
        node = unquote(value.removeprefix(NODE))
        return {"id": node, "name": node}
    for prefix in (RELATION, KIND):
        value = unquote(value.removeprefix(prefix)) if value.startswith(prefix) else value
    return value


def _quads(pyoxigraph: Any, base: FactBase) -> Iterator[Any]:  # noqa: ANN401 - untyped package
    iri_node = pyoxigraph.NamedNode
    for item in base.items.values():
        node = iri_node(iri(NODE, item.id))
        yield pyoxigraph.Quad(node, iri_node(TYPE), iri_node(iri(KIND, item.kind)))
        yield pyoxigraph.Quad(node, iri_node(LABEL), pyoxigraph.Literal(item.label))
    for head, relation, tail in base.triples():
        yield pyoxigraph.Quad(
            iri_node(iri(NODE, head)), iri_node(iri(RELATION, relation)), iri_node(iri(NODE, tail))
        )


def rdf_schema(base: FactBase) -> str:
    """The schema of a base of facts as prefixes and SPARQL patterns, one per line."""
    edges = [f"?a a k:{a}. ?a r:{r} ?b. ?b a k:{b}" for a, r, b in base.schema()]
    return "\n".join((PREFIXES, "every node has rdfs:label", *edges))
