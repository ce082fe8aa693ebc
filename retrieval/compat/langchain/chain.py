"""Links that are put together with ``|``: a prompt, a model, a parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, create_model

from retrieval.core import StageUnavailable
from retrieval.databases import UUID
from retrieval.llm import LanguageModel, ask

T = TypeVar("T", bound=BaseModel)


class Link:
    """Anything with ``invoke``; ``a | b`` gives what a gives to b."""

    def invoke(self, told: Any) -> Any:  # noqa: ANN401 - links pass on what the one before made
        """What this link makes of what it is told."""
        raise NotImplementedError

    def __or__(self, after: Link) -> Link:
        return _Both(self, after)


@dataclass(frozen=True)
class _Both(Link):
    first: Link
    second: Link

    def invoke(self, told: Any) -> Any:  # noqa: ANN401 - see Link
        return self.second.invoke(self.first.invoke(told))


@dataclass(frozen=True)
class ChatPromptTemplate(Link):
    """Messages with gaps in braces."""

    messages: tuple[tuple[str, str], ...]

    @classmethod
    def from_messages(cls, messages: Sequence[tuple[str, str]]) -> ChatPromptTemplate:
        """From pairs of a role and a text."""
        return cls(tuple((role, text) for role, text in messages))

    def invoke(self, told: Mapping[str, Any]) -> str:
        """The prompt with its gaps filled; a set or list fills a gap with its parts."""
        filled = {name: _plain(value) for name, value in told.items()}
        return "\n\n".join(f"{role}: {_filled(text, filled)}" for role, text in self.messages)


def _filled(text: str, told: Mapping[str, str]) -> str:
    for name, value in told.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _plain(value: object) -> str:
    if isinstance(value, (set, frozenset, list, tuple)):
        return "\n".join(sorted(map(str, value)) if isinstance(value, (set, frozenset)) else value)
    return str(value)


@dataclass(frozen=True)
class ChatModel(Link):
    """A language model that is looked for when it is asked."""

    model: Callable[[], LanguageModel]

    def invoke(self, told: str) -> str:
        """The answer to a prompt."""
        return self.model().complete(told)


@dataclass(frozen=True)
class StrOutputParser(Link):
    """The answer as text."""

    def invoke(self, told: object) -> str:
        """The text without blanks round it."""
        return str(told).strip()


@dataclass(frozen=True)
class StructuredOutput(Link, Generic[T]):
    """A prompt answered in the shape of a model."""

    output_schema: type[T]
    llm: ChatModel
    prompt: ChatPromptTemplate

    def invoke(self, told: Mapping[str, Any]) -> T:
        """The filled model. Raises StageUnavailable when the answer cannot be used."""
        shape = _nameable(self.output_schema)
        said = ask(self.llm.model(), self.prompt.invoke(told), shape)
        if said.value is None:
            raise StageUnavailable(said.reason)
        return said.value


def _nameable(shape: type[T]) -> type[T]:
    """The same model with a ``question_uuid``, which a builder sets on what it gets."""
    if UUID in shape.model_fields:
        return shape
    named: type[T] = create_model(shape.__name__, __base__=shape, question_uuid=(str | None, None))
    return named


def create_structured_output_runnable(
    output_schema: type[T], llm: ChatModel, prompt: ChatPromptTemplate
) -> StructuredOutput[T]:
    """A link from the gaps of a prompt to a filled model."""
    return StructuredOutput(output_schema, llm, prompt)
