"""``APIAgent``: build, fetch, interpret; a step that failed ends it, and ``error`` says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from retrieval.compat.biochatter.api_agent.base.agent_abc import (
    BaseFetcher,
    BaseInterpreter,
    BaseQueryBuilder,
)
from retrieval.compat.biochatter.conversing import default_factory
from retrieval.core import BadInput, StageUnavailable

MAX_DESCRIPTION = 1000
NO_ANSWER = "the database returned nothing"


class APIAgent:
    """One database behind the three parts."""

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
        if self.response is not None and not self.response.strip():
            self.response, self.error = None, NO_ANSWER
        return self.response

    def summarise_results(self, question: str, response_text: str) -> str | None:
        """The answer in words; None, with ``error`` set, when there is none.

        Without an interpreter the response itself is the answer.
        """
        interpreter = self.interpreter
        if interpreter is None:
            self.final_answer = response_text
            return response_text
        self.final_answer = self._tried(
            lambda: interpreter.summarise_results(
                question, self.conversation_factory, response_text
            )
        )
        return self.final_answer

    def execute(self, question: str) -> str | None:
        """Parameters, response and answer in turn; stops at the first failure, with ``error``."""
        self.error, self.parameters, self.response, self.final_answer = "", None, None, None
        parameters = self.parameterise_query(question)
        if parameters is None:
            return None
        response = self.fetch_results(parameters)
        if response is None:
            return None
        return self.summarise_results(question, response)

    def get_query_results(self, question: str) -> str | None:
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
