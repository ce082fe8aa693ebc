"""Anything that a conversation factory makes, as a language model with structured answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from retrieval.compat.biochatter.llm_connect import Conversation, GptConversation
from retrieval.llm import LanguageModel
from retrieval.wiring import How, Replying

Factory = Callable[[], Any]
"""Makes a Conversation, a LanguageModel, or any object with BioChatter's ``query``."""

_FENCE = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)


def default_factory() -> Conversation:
    """A conversation with the configured language model."""
    return GptConversation()


def model_of(factory: Factory | None) -> LanguageModel:
    """The language model behind what a factory makes; it is looked for at its first use."""
    return _Lazy(factory or default_factory)


class _Lazy(Replying):
    id = "conversation"

    def __init__(self, factory: Factory) -> None:
        self._factory = factory

    def reply(self, prompt: str, how: How) -> str:
        """The answer; one without JSON is put into the shape that was asked for."""
        made = self._factory()
        if isinstance(made, Conversation):
            made = made.language_model
        complete = getattr(type(made), "complete", None)
        if complete is not None:
            return shaped(str(made.complete(prompt, **how.told)), how.schema)
        return shaped(str(made.query(prompt)[0] or ""), how.schema)


def shaped(text: str, schema: dict[str, Any] | None) -> str:
    """A plain answer (``Gene,Disease``, a bare query) as JSON of a schema with one field."""
    fields = (schema or {}).get("properties", {})
    if len(fields) != 1 or _has_object(text, next(iter(fields), "")):
        return text
    name, told = next(iter(fields.items()))
    fenced = _FENCE.search(text)
    bare = (fenced.group(1) if fenced else text).strip()
    if told.get("type") == "array":
        listed = [part.strip(" \t\n.\"'[]") for part in re.split(r"[,\n]", bare)]
        return json.dumps({name: [part for part in listed if part]}, ensure_ascii=False)
    if told.get("type") == "string" and bare:
        return json.dumps({name: bare}, ensure_ascii=False)
    return text


def _has_object(text: str, field: str) -> bool:
    return "{" in text and (f'"{field}"' in text)
