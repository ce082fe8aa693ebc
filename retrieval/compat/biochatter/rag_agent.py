"""``RagAgent``: an agent for a graph, documents or a database, with one interface."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from retrieval.ask import WrongAgent
from retrieval.compat.biochatter.api_agent import web
from retrieval.compat.biochatter.api_agent.base import MAX_DESCRIPTION, APIAgent
from retrieval.compat.biochatter.database_agent import DatabaseAgent
from retrieval.compat.biochatter.llm_connect import Factory
from retrieval.compat.biochatter.vectorstore_agent import VectorDatabaseAgentMilvus
from retrieval.compat.langchain.document import Document
from retrieval.core import StageUnavailable

logger = logging.getLogger(__name__)

OFF = "this agent is switched off; make it with use_prompt=True"

Response = tuple[str | None, Any]


class RagAgentModeEnum(StrEnum):
    """The modes of an agent."""

    VectorStore = "vectorstore"
    KG = "kg"
    API_BLAST = "api_blast"
    API_ONCOKB = "api_oncokb"
    API_BIO_TOOLS = "api_bio_tools"


PARTS = {
    RagAgentModeEnum.API_BLAST: web.BLAST,
    RagAgentModeEnum.API_ONCOKB: web.ONCOKB,
    RagAgentModeEnum.API_BIO_TOOLS: web.BIO_TOOLS,
}
TITLES = {
    RagAgentModeEnum.API_BLAST: ("BLAST", "It finds sequences that are like a given sequence."),
    RagAgentModeEnum.API_ONCOKB: ("OncoKB", "It knows what alterations of cancer genes mean."),
    RagAgentModeEnum.API_BIO_TOOLS: ("bio.tools", "It knows software for the life sciences."),
}


class RagAgent:
    """An agent for a graph, for documents or for a database.

    With ``use_prompt=False`` it is off: it answers with an empty list, and ``reason`` says so.
    ``model_name`` is kept for callers that still give it; ``conversation_factory`` decides.
    """

    def __init__(
        self,
        mode: str,
        model_name: str = "",
        connection_args: Mapping[str, Any] | None = None,
        n_results: int = 3,
        use_prompt: bool = False,
        schema_config_or_info_dict: Mapping[str, Any] | None = None,
        conversation_factory: Factory | None = None,
        embedding_func: Any = None,  # noqa: ANN401 - LangChain's embeddings or an Encoder
        documentids_workspace: Sequence[str] | None = None,
        agent_desc: str | None = None,
        use_reflexion: bool = False,
        model_provider: str = "",
        summarise: bool = False,
    ) -> None:
        try:
            self.mode = RagAgentModeEnum(mode)
        except ValueError:
            modes = ", ".join(RagAgentModeEnum)
            unknown = f"mode: unknown {str(mode)[:40]!r}; choose one of: {modes}"
            raise WrongAgent(unknown) from None
        self.model_name, self.model_provider = model_name, model_provider
        self.n_results, self.use_prompt = n_results, use_prompt
        self.use_reflexion, self.summarise = use_reflexion, summarise
        self.connection_args = connection_args
        self.schema_config_or_info_dict = schema_config_or_info_dict
        self.conversation_factory = conversation_factory
        self.embedding_func = embedding_func
        self.documentids_workspace = documentids_workspace
        self.agent_desc = agent_desc
        self.last_response: list[Response] = []
        self.reason = ""
        self._connected = False
        self.agent = self._new_agent()

    def _new_agent(self) -> DatabaseAgent | VectorDatabaseAgentMilvus | APIAgent:
        """The agent of the mode. Raises WrongAgent where an argument that it needs is missing."""
        if self.mode in PARTS:
            builder, fetcher, interpreter = PARTS[self.mode]
            return APIAgent(self.conversation_factory, builder(), fetcher(), interpreter())
        if not self.connection_args:
            raise WrongAgent(f"connection_args: mode {self.mode} needs them; give host and port")
        if self.mode is RagAgentModeEnum.VectorStore:
            if self.embedding_func is None:
                raise WrongAgent("embedding_func: mode vectorstore needs one")
            return VectorDatabaseAgentMilvus(
                self.embedding_func,
                self.connection_args,
                conversation_factory=self.conversation_factory,
            )
        if not self.schema_config_or_info_dict:
            raise WrongAgent("schema_config_or_info_dict: mode kg needs the graph's schema")
        return DatabaseAgent(
            self.model_name,
            self.connection_args,
            self.schema_config_or_info_dict,
            self.conversation_factory,
            self.use_reflexion,
        )

    def connect(self) -> None:
        """Open the graph, store or database of the mode; the first question does it as well."""
        if not self._connected:
            self.agent.connect()
            self._connected = True

    def generate_responses(self, question: str) -> list[Response]:
        """Texts with their metadata; the text of a failure has ``error`` instead.

        A failure is a database, graph or store that does not answer, or a query that fails. With
        ``summarise`` a first text sums the others up where a model can. Sets ``last_response``,
        and ``reason`` for a failure, a missing summary and an agent that is switched off; the
        list of such an agent is empty.
        """
        # BioChatter's pages switch an agent off by this flag.
        self.reason = "" if self.use_prompt else OFF
        if not self.use_prompt:
            logger.info(OFF)
            self.last_response = []
            return []
        if isinstance(self.agent, APIAgent):
            self.connect()
            answer = self.agent.execute(question)
            self.reason = self.agent.error
            self.last_response = [(answer, "error" if self.reason else "response")]
            return self.last_response
        try:
            documents = self._documents(self.agent, question)
        except StageUnavailable as exc:
            self.reason = str(exc)
            self.last_response = [(self.reason, "error")]
            return self.last_response
        if isinstance(self.agent, DatabaseAgent):
            self.reason = self.agent.error
        self.last_response = [
            (one.page_content, "error" if self.reason else one.metadata) for one in documents
        ]
        if self.summarise and documents and not self.reason:
            self._sum_up(self.agent, question, documents)
        return self.last_response

    def _documents(
        self, agent: DatabaseAgent | VectorDatabaseAgentMilvus, question: str
    ) -> list[Document]:
        self.connect()
        if isinstance(agent, VectorDatabaseAgentMilvus):
            return self.similarity_search(question)
        return agent.get_query_results(question, self.n_results)

    def _sum_up(
        self,
        agent: DatabaseAgent | VectorDatabaseAgentMilvus,
        question: str,
        documents: Sequence[Document],
    ) -> None:
        try:
            summary = agent.summarise(question, documents)
        except StageUnavailable as exc:
            self.reason = f"not summed up: {exc}"
        else:
            self.last_response.insert(0, (summary, {"summary": True}))

    def get_query_results(self, question: str) -> list[Response]:
        """As ``generate_responses``."""
        return self.generate_responses(question)

    def similarity_search(self, question: str) -> list[Document]:
        """At most ``n_results`` passages near a text, within ``documentids_workspace``.

        Raises WrongAgent in other modes than vectorstore.
        """
        if not isinstance(self.agent, VectorDatabaseAgentMilvus):
            raise WrongAgent(f"mode: {self.mode} has no passages; use mode vectorstore")
        self.connect()
        return self.agent.similarity_search(question, self.n_results, self.documentids_workspace)

    def get_description(self) -> str:
        """What the agent says of itself, at most MAX_DESCRIPTION characters."""
        if self.agent_desc:
            return self.agent_desc[:MAX_DESCRIPTION]
        if isinstance(self.agent, APIAgent):
            return self.agent.get_description(*TITLES[self.mode])[:MAX_DESCRIPTION]
        if isinstance(self.agent, VectorDatabaseAgentMilvus):
            self.connect()
        return self.agent.get_description()[:MAX_DESCRIPTION]
