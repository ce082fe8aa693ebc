"""Links of a chain, joined by ``|``: a prompt, a model, a parser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, create_model

from retrieval.core import StageUnavailable
from retrieval.databases import UUID
from retrieval.llm import LanguageModel, ask

T = TypeVar("T", bound=BaseModel)


class Link(ABC):
    """Anything with ``invoke``; ``a | b`` gives what a gives to b."""

    @abstractmethod
    def invoke(self, input: Any) -> Any:  # noqa: ANN401 - links pass on what the one before made
        """The output of this link for an input."""

    def __or__(self, after: Link) -> Link:
        return _Both(self, after)


@dataclass(frozen=True)
class _Both(Link):
    first: Link
    second: Link

    def invoke(self, input: Any) -> Any:  # noqa: ANN401 - see Link
        return self.second.invoke(self.first.invoke(input))


@dataclass(frozen=True)
class ChatPromptTemplate(Link):
    """Messages with placeholders in braces."""

    messages: tuple[tuple[str, str], ...]

    @classmethod
    def from_messages(cls, messages: Sequence[tuple[str, str]]) -> ChatPromptTemplate:
        """From pairs of a role and a text."""
        return cls(tuple((role, text) for role, text in messages))

    def invoke(self, input: Mapping[str, Any]) -> str:
        """The prompt with its placeholders filled; a list or set fills one with a line per item.

        Sets are sorted, so that the same input gives the same prompt. Other braces stay.
        """
        lines = []
        for role, text in self.messages:
            for name, value in input.items():
                if isinstance(value, (set, frozenset)):
                    value = sorted(map(str, value))
                inserted = "\n".join(value) if isinstance(value, (list, tuple)) else str(value)
                text = text.replace(f"{{{name}}}", inserted)
            lines.append(f"{role}: {text}")
        return "\n\n".join(lines)


@dataclass(frozen=True)
class ChatModel(Link):
    """A language model that is opened when it is first invoked."""

    model: Callable[[], LanguageModel]

    def invoke(self, input: str) -> str:
        """The answer to a prompt."""
        return self.model().complete(input)


@dataclass(frozen=True)
class StrOutputParser(Link):
    """The answer as text."""

    def invoke(self, input: object) -> str:
        """The text without surrounding white space."""
        return str(input).strip()


@dataclass(frozen=True)
class StructuredOutput(Link, Generic[T]):
    """A prompt answered in the shape of a model."""

    output_schema: type[T]
    llm: ChatModel
    prompt: ChatPromptTemplate

    def invoke(self, input: Mapping[str, Any]) -> T:
        """The filled model. Raises StageUnavailable when the answer cannot be used."""
        shape = self.output_schema
        if UUID not in shape.model_fields:
            # A builder sets the question's id on what it gets, so the model has to have the field.
            fields: dict[str, Any] = {UUID: (str | None, None)}
            shape = create_model(shape.__name__, __base__=shape, **fields)
        reply = ask(self.llm.model(), self.prompt.invoke(input), shape)
        if reply.value is None:
            raise StageUnavailable(reply.reason)
        return reply.value


create_structured_output_runnable = StructuredOutput
"""The name by which examples make such a link."""
