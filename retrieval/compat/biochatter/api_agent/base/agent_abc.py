"""The three parts of an agent for a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from retrieval.compat.biochatter.llm_connect import Conversation
from retrieval.compat.langchain.chain import ChatPromptTemplate

SYSTEM = "You fill in the parameters of requests. Answer with one JSON object and nothing else."


class BaseQueryBuilder(ABC):
    """Turns a question into parameters."""

    @property
    def structured_output_prompt(self) -> ChatPromptTemplate:
        """A prompt with the gap ``input`` that asks for structured output."""
        return ChatPromptTemplate.from_messages([("system", SYSTEM), ("user", "{input}")])

    @abstractmethod
    def create_runnable(self, query_parameters: type[BaseModel], conversation: Conversation) -> Any:  # noqa: ANN401 - anything with invoke
        """Something that fills in the parameters when it is invoked."""

    @abstractmethod
    def parameterise_query(self, question: str, conversation: Conversation) -> BaseModel:
        """The parameters of a question."""


class BaseFetcher(ABC):
    """Sends parameters to a database."""

    @abstractmethod
    def fetch_results(self, query_model: BaseModel, retries: int = 3) -> str:
        """The database's answer."""


class BaseInterpreter(ABC):
    """Sums up what a database returned."""

    @abstractmethod
    def summarise_results(
        self, question: str, conversation_factory: Callable[[], Any], response_text: str
    ) -> str:
        """The answer to a question from a response."""
