"""``APIAgent``, the three abstract parts it runs, and parameters shown as a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from pydantic import BaseModel

from retrieval.compat.biochatter.llm_connect import Conversation, default_factory
from retrieval.compat.langchain.chain import ChatPromptTemplate
from retrieval.core import BadInput, StageUnavailable
from retrieval.databases import UUID

SYSTEM = "You fill in the parameters of requests. Answer with one JSON object and nothing else."
MAX_DESCRIPTION = 1000
NO_ANSWER = "the database returned nothing"
NO_RESULT = "No answer: {reason}"
NOT_SENT = {UUID, "base_url", "endpoint", "method_name"}


class BaseQueryBuilder(ABC):
    """Turns a question into parameters."""

    @property
    def structured_output_prompt(self) -> ChatPromptTemplate:
        """A prompt with the gap ``input`` that asks for structured output."""
        return ChatPromptTemplate.from_messages([("system", SYSTEM), ("user", "{input}")])

    @abstractmethod
    def create_runnable(self, query_parameters: type[BaseModel], conversation: Conversation) -> Any:  # noqa: ANN401 - anything with invoke
        """An object whose ``invoke`` fills in the parameters."""

    @abstractmethod
    def parameterise_query(self, question: str, conversation: Conversation) -> BaseModel:
        """The parameters of a question."""


class BaseFetcher(ABC):
    """Sends parameters to a database."""

    @abstractmethod
    def fetch_results(self, query_model: BaseModel, retries: int = 3) -> str:
        """The response of the database."""


class BaseInterpreter(ABC):
    """Sums up what a database returned."""

    @abstractmethod
    def summarise_results(
        self, question: str, conversation_factory: Callable[[], Any], response_text: str
    ) -> str:
        """The answer to a question from a response."""


class APIAgent:
    """One database: build, fetch, interpret. A failed step ends it, and ``error`` says why.

    ``execute`` then returns that reason, marked as one, so that a caller that prints what it gets
    prints why there is no answer.
    """

    def __init__(
        self,
        conversation_factory: Callable[[], Any] | None,
        query_builder: BaseQueryBuilder,
        fetcher: BaseFetcher,
        interpreter: BaseInterpreter | None = None,
    ) -> None:
        self.conversation_factory = conversation_factory or default_factory
        self.query_builder, self.fetcher = query_builder, fetcher
        self.interpreter = interpreter
        self.final_answer: str | None = None
        self.error = ""
        self.parameters: BaseModel | None = None
        self.response: str | None = None

    def connect(self) -> None:
        """Does nothing; every question opens its own connection."""

    def parameterise_query(self, question: str) -> BaseModel | None:
        """The parameters of a question; None, with ``error`` set, when there are none."""
        self.parameters = self._tried(
            lambda: self.query_builder.parameterise_query(question, self.conversation_factory())
        )
        return self.parameters

    def fetch_results(self, query_model: BaseModel) -> str | None:
        """The response of the database; None, with ``error`` set, when there is none."""
        self.response = self._tried(lambda: self.fetcher.fetch_results(query_model))
        # A blank response must not reach the interpreter, whose model would invent an answer.
        if self.response is not None and not self.response.strip():
            self.response, self.error = None, NO_ANSWER
        return self.response

    def summarise_results(self, question: str, response_text: str) -> str | None:
        """The answer in words; None, with ``error`` set, when there is none.

        Without an interpreter the response itself is the answer.
        """
        interpreter, factory = self.interpreter, self.conversation_factory
        self.final_answer = response_text
        if interpreter is not None:
            self.final_answer = self._tried(
                lambda: interpreter.summarise_results(question, factory, response_text)
            )
        return self.final_answer

    def execute(self, question: str) -> str:
        """Parameters, response and answer in turn; at the first failure NO_RESULT and its reason.

        ``error`` is empty only with an answer.
        """
        self.error, self.parameters, self.response, self.final_answer = "", None, None, None
        parameters = self.parameterise_query(question)
        response = self.fetch_results(parameters) if parameters is not None else None
        answer = self.summarise_results(question, response) if response is not None else None
        return NO_RESULT.format(reason=self.error) if answer is None else answer

    def get_query_results(self, question: str) -> str:
        """As ``execute``."""
        return self.execute(question)

    def get_description(self, tool_name: str, tool_desc: str) -> str:
        """The description by which an agent is selected, at most MAX_DESCRIPTION characters."""
        return f"This API agent interacts with {tool_name}'s API. {tool_desc}"[:MAX_DESCRIPTION]

    def _tried(self, part: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the part gives
        try:
            result = part()
        except (StageUnavailable, BadInput) as exc:
            self.error = str(exc)
            return None
        if result is None:
            self.error = NO_ANSWER
        return result


def format_as_rest_call(model: BaseModel) -> str:
    """The address with the parameters that are set, for a person to read."""
    values = model.model_dump(exclude_none=True)
    base = "/".join(str(values[k]).strip("/") for k in ("base_url", "endpoint") if k in values)
    query = urlencode({k: v for k, v in values.items() if k not in NOT_SENT})
    return f"{base}?{query}" if query else base


def format_as_python_call(model: BaseModel) -> str:
    """A function call with the parameters that are set, for a person to read."""
    values = model.model_dump(exclude_none=True)
    name = str(values.get("method_name", type(model).__name__))
    arguments = ", ".join(f"{k}={v!r}" for k, v in values.items() if k not in NOT_SENT)
    return f"{name}({arguments})"
