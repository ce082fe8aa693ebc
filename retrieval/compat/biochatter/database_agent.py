"""``DatabaseAgent``: a question to a knowledge graph by its schema, read-only.

``KGQueryReflexionAgent`` improves the query by looking at what it gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from retrieval.catalog import load_catalog
from retrieval.compat.biochatter.llm_connect import Factory, model_of
from retrieval.compat.langchain.document import Document
from retrieval.core import Evidence, Query, Stage, StageResult, State, finish, progress
from retrieval.databases import interpreted
from retrieval.graph import QueryStore
from retrieval.graphdb import (
    NO_ROWS,
    NOTHING_FITS,
    PURPOSE,
    Neo4jStore,
    PromptEngine,
    Schema,
    SchemaAgent,
    SchemaError,
    read_schema,
    reflexion,
    schema_info,
)
from retrieval.net import OutsideCalls
from retrieval.settings import read_settings
from retrieval.wiring import FilledStore, fact_base

EMBEDDED = "embedded"
"""The host whose graph is that of the configured catalog, in this process."""

ANSWERS_NOTHING = frozenset({NO_ROWS, NOTHING_FITS})
"""Reasons of a question that was answered: the graph has nothing that it asks for."""


class DatabaseAgent:
    """Schema, entities, relationships, properties, query, submit, return; ``steps`` shows them.

    ``error`` is why the last question failed; empty where the graph answered, if with no row.
    ``connection_args``: a Neo4j server as ``uri`` or ``host`` and ``port`` with ``user``,
    ``password``, ``db_name``; the host ``embedded`` for the catalog's own graph; or a ``store``.
    """

    def __init__(
        self,
        model_name: str = "",
        connection_args: Mapping[str, Any] | None = None,
        schema_config_or_info_dict: Mapping[str, Any] | None = None,
        conversation_factory: Factory | None = None,
        use_reflexion: bool = False,
    ) -> None:
        self.model_name, self.use_reflexion = model_name, use_reflexion
        self.connection_args = dict(connection_args or {})
        self.schema_config_or_info_dict = schema_config_or_info_dict
        self._model = model_of(conversation_factory)
        self._link: tuple[Schema, QueryStore] | None = None
        self.steps: tuple[tuple[str, str], ...] = ()
        self.error = ""

    def connect(self) -> None:
        """Open the graph; the first question does it as well.

        Raises StageUnavailable where a package or the server is missing, and SchemaError where
        the arguments name no graph or no schema.
        """
        self._link = _opened(self.connection_args, self.schema_config_or_info_dict)

    def is_connected(self) -> bool:
        """Whether ``connect`` was called."""
        return self._link is not None

    def get_query_results(self, query: str, k: int = 3) -> list[Document]:
        """At most k rows, each with its query; without rows one document with the reason.

        Where a step failed, the reason is also the ``error`` of the document's metadata.
        Connects on first use, sets ``steps`` and ``error``. Raises SchemaError for an empty
        question and StageUnavailable where the graph cannot be opened.
        """
        if not query.strip():
            raise SchemaError("query: it is empty; ask something of the graph")
        if self._link is None:
            self.connect()
        assert self._link is not None
        schema, store = self._link
        agent = SchemaAgent(PromptEngine(schema, self._model), store)
        stage = reflexion(agent, query) if self.use_reflexion else agent
        state = State(query=Query(raw=query, text=query))
        result = finish(progress(cast(Stage, stage), state, root=True))
        self.steps = tuple((node.name, node.note) for node in result.walk())
        documents = _documents(result, k)
        self.error = documents[0].metadata.get("error", "") if documents else ""
        return documents

    def summarise(self, question: str, documents: Sequence[Document]) -> str:
        """The rows in a few sentences (optional). Raises StageUnavailable without an answer."""
        rows = (one.page_content for one in documents if not one.metadata.get("error"))
        context = "\n".join(rows)
        return interpreted(self._model, question, context, title="the knowledge graph")

    def get_description(self) -> str:
        """The entities and relationships of the schema as one sentence."""
        if self._link is None and not self.schema_config_or_info_dict:
            self.connect()
        schema_info = self.schema_config_or_info_dict or {}
        schema = self._link[0] if self._link else read_schema(schema_info)
        kinds, joined = ", ".join(schema.entities), ", ".join(schema.relationships)
        return f"A knowledge graph with these entities: {kinds}. Relationships: {joined}."


class KGQueryReflexionAgent:
    """A DatabaseAgent that always reflects."""

    def __init__(
        self,
        conversation_factory: Factory,
        connection_args: Mapping[str, Any],
        schema_config_or_info_dict: Mapping[str, Any] | None = None,
    ) -> None:
        self.agent = DatabaseAgent(
            connection_args=connection_args,
            schema_config_or_info_dict=schema_config_or_info_dict,
            conversation_factory=conversation_factory,
            use_reflexion=True,
        )

    def execute(self, question: str, k: int = 20) -> list[Document]:
        """The rows of the last query; ``agent.steps`` tells what led to it."""
        return self.agent.get_query_results(question, k)


def _opened(
    connection: Mapping[str, Any], schema: Mapping[str, Any] | None
) -> tuple[Schema, QueryStore]:
    if connection.get("host") == EMBEDDED:
        base = fact_base(load_catalog(read_settings().catalog).tools)
        # The store's temporary folder is removed when the store itself is collected.
        return read_schema(schema or schema_info(base)), FilledStore(base).required()
    if not schema:
        raise SchemaError("schema_config_or_info_dict: missing; give the schema of this graph")
    if "store" in connection:
        return read_schema(schema), cast(QueryStore, connection["store"])
    if not connection:
        raise SchemaError("connection_args: missing; give host and port, or host 'embedded'")
    uri = connection.get("uri") or f"bolt://{connection['host']}:{connection.get('port', 7687)}"
    store = Neo4jStore(
        str(uri),
        user=str(connection.get("user", "")),
        password=str(connection.get("password", "")),
        guard=OutsideCalls(frozenset({PURPOSE})),
        database=connection.get("db_name"),
    )
    return read_schema(schema), store


def _documents(result: StageResult, k: int) -> list[Document]:
    evidence: Evidence = result.state.evidence
    query = evidence.query.text if evidence.query else ""
    metadata = {"cypher_query": query}
    rows = [fact.text for fact in evidence.facts if fact.kind == "query"]
    if rows:
        return [Document(f"{row}\n\nQuery: {query}", dict(metadata)) for row in rows[: max(0, k)]]
    if reason := _failure(result):
        metadata["error"] = reason
    reason = reason or evidence.refusal
    if not query:
        return [Document(reason, metadata)]
    return [Document(f"{reason} To refine it, here is the query: {query}", metadata)]


def _failure(result: StageResult) -> str:
    """Why a question without rows has no result; empty where the graph has nothing to give.

    A server or a model that does not answer, an unusable reply, a query that is refused or fails.
    """
    evidence = result.state.evidence
    if evidence.refusal:
        return "" if evidence.refusal in ANSWERS_NOTHING else evidence.refusal
    # Without a query that ran, the step that stopped the others has the reason.
    return next((node.note for node in (*result.walk(), result) if not node.ran), "")
