"""The product of any conversation factory as a language model with structured answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from retrieval.compat.biochatter.llm_connect import Conversation, GptConversation
from retrieval.llm import LanguageModel

Factory = Callable[[], Any]
"""Makes a Conversation, a LanguageModel, or any object with BioChatter's ``query``."""

_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)


def default_factory() -> Conversation:
    """A conversation with the configured language model."""
    return GptConversation()


def model_of(factory: Factory | None) -> LanguageModel:
    """The language model behind the product of a factory, which is called for every reply."""
    return _Lazy(factory or default_factory)


class _Lazy:
    id = "conversation"

    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    def complete(self, prompt: str, **options: Any) -> str:  # noqa: ANN401 - as in the port
        """The answer; one without JSON is converted to the schema."""
        conversation = self._factory()
        if isinstance(conversation, Conversation):
            conversation = conversation.language_model
        if getattr(type(conversation), "complete", None) is not None:
            text = conversation.complete(prompt, **options)
        else:
            text = conversation.query(prompt)[0]
        return shaped(str(text or ""), options.get("schema"))


def shaped(text: str, schema: dict[str, Any] | None) -> str:
    """A plain answer (``Gene,Disease``, a bare query) as JSON of a schema with one field.

    Unchanged for other schemas, and for text that already holds an object with that field. A fence
    of Markdown is removed; an array is split at commas and line breaks.
    """
    fields = (schema or {}).get("properties", {})
    if len(fields) != 1:
        return text
    name, spec = next(iter(fields.items()))
    if "{" in text and f'"{name}"' in text:
        return text
    fenced = _FENCE.search(text)
    bare = (fenced.group(1) if fenced else text).strip()
    if spec.get("type") == "array":
        listed = [part.strip(" \t\n.\"'[]") for part in re.split(r"[,\n]", bare)]
        return json.dumps({name: [part for part in listed if part]}, ensure_ascii=False)
    if spec.get("type") == "string" and bare:
        return json.dumps({name: bare}, ensure_ascii=False)
    return text
