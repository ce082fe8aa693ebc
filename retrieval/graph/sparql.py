"""SPARQL over pyoxigraph: a guard in front, and a child process that can be stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from retrieval.core.errors import StageUnavailable
from retrieval.graph.cypher_guard import Bounds
from retrieval.graph.facts import FactBase
from retrieval.graph.querying import QueryFailed, Rows, rows_of
from retrieval.graph.sparql_guard import reading_sparql

NODE, RELATION, KIND = "urn:scanscout:node:", "urn:scanscout:relation:", "urn:scanscout:kind:"
PREFIXES = f"PREFIX n: <{NODE}> PREFIX r: <{RELATION}> PREFIX k: <{KIND}> "
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
MAX_ANSWER = 4_000_000
"""Bytes of one answer."""

START = 5.0
"""Seconds that the child may take to begin; the query's own time comes on top."""


class SparqlStore:
    """A QueryStore over RDF in a folder; every query runs in a process of its own.

    An evaluation inside this process could not be interrupted; the child is ended instead.
    """

    language = "SPARQL"

    def __init__(self, folder: Path, schema: str, bounds: Bounds | None = None) -> None:
        self._folder, self._schema, self._bounds = folder, schema, bounds or Bounds()

    @classmethod
    def fill(cls, base: FactBase, folder: Path, bounds: Bounds | None = None) -> SparqlStore:
        """The store of a base of facts in a folder that is not there yet."""
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
        """The rows of a reading query; the process that runs it is ended when its time is over."""
        text = reading_sparql(query, self._bounds)
        whole = text if text.upper().startswith("PREFIX") else PREFIXES + text
        told = self._asked(whole)
        if "error" in told:
            raise QueryFailed(f"query: the store could not run it: {told['error']}")
        found = [[_known(value) for value in row] for row in told["rows"]]
        return rows_of(self.language, text, told["columns"], found, self._bounds.rows)

    def _asked(self, text: str) -> dict[str, Any]:
        limits = {"seconds": self._bounds.seconds, "rows": self._bounds.rows, "bytes": MAX_ANSWER}
        asked = json.dumps({"folder": str(self._folder), "query": text, **limits})
        try:
            child = subprocess.run(
                [sys.executable, "-I", str(Path(__file__).with_name("sparql_child.py"))],
                input=asked.encode(),
                capture_output=True,
                timeout=self._bounds.seconds + START,
                check=False,
            )
        except subprocess.TimeoutExpired:
            child = None
        if child is None or child.returncode != 0:
            seconds = self._bounds.seconds
            raise QueryFailed(f"query: it did not end within {seconds:g} s; ask for less at once")
        told: dict[str, Any] = json.loads(child.stdout)
        return told


def iri(prefix: str, name: str) -> str:
    """The address of a node, relation or kind."""
    return prefix + quote(name, safe="-._~")


def _known(value: str) -> Any:  # noqa: ANN401 - a node as a mapping, or text
    if value.startswith(NODE):
        node = unquote(value.removeprefix(NODE))
        return {"id": node, "name": node}
    for prefix in (RELATION, KIND):
        value = unquote(value.removeprefix(prefix)) if value.startswith(prefix) else value
    return value


def _quads(pyoxigraph: Any, base: FactBase) -> Iterator[Any]:  # noqa: ANN401 - untyped package
    named = pyoxigraph.NamedNode
    for item in base.items.values():
        node = named(iri(NODE, item.id))
        yield pyoxigraph.Quad(node, named(TYPE), named(iri(KIND, item.kind)))
        yield pyoxigraph.Quad(node, named(LABEL), pyoxigraph.Literal(item.label))
    for head, relation, tail in base.triples():
        yield pyoxigraph.Quad(
            named(iri(NODE, head)), named(iri(RELATION, relation)), named(iri(NODE, tail))
        )


def rdf_schema(base: FactBase) -> str:
    """The schema of a base of facts in the words of SPARQL."""
    edges = [f"?a a k:{a}. ?a r:{r} ?b. ?b a k:{b}" for a, r, b in base.schema()]
    return "\n".join((PREFIXES, f"every node has <{LABEL}>", *edges))
