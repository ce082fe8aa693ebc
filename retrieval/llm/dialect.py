"""The parts of the chat-completions interface that one server understands, learned by trial."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

UNDERSTOOD_LESS = frozenset({400, 415, 422, 501})
"""Answers that say: this request has a part that is not known here."""

_TOO_LONG = ("context length", "context_length", "context size", "maximum context", "too long")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How an answer's form, its length and the temperature are asked for.

    ``stream``: piece by piece, so that what came in time of a slow answer is of use.
    """

    form: Literal["schema", "json", "text"] = "schema"
    length: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    stream: bool = True

    def options(
        self, schema: dict[str, Any] | None, temperature: float, tokens: int
    ) -> dict[str, Any]:
        """The fields of a request beside model and messages."""
        fields: dict[str, Any] = {self.length: tokens}
        if self.stream:
            fields |= {"stream": True, "stream_options": {"include_usage": True}}
        if self.temperature:
            fields["temperature"] = temperature
        if schema is not None and self.form == "schema":
            shape = {"name": "answer", "strict": True, "schema": strict(schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif schema is not None and self.form == "json":
            fields["response_format"] = {"type": "json_object"}
        return fields

    def simpler(self, status: int, complaint: str, *, structured: bool) -> Dialect | None:
        """What to try after a refusal; None when it has another cause than the dialect.

        One step at a time: the name of the length field, the stream, the temperature, then the form
        (schema, JSON, text).
        """
        text = complaint.casefold()
        if status not in UNDERSTOOD_LESS or too_long(status, complaint):
            return None
        if self.length == "max_tokens" and "max_completion_tokens" in text:
            return replace(self, length="max_completion_tokens")
        if self.stream and "stream" in text:
            return replace(self, stream=False)
        if self.temperature and "temperature" in text:
            return replace(self, temperature=False)
        if structured and self.form != "text":
            return replace(self, form="json" if self.form == "schema" else "text")
        return None


def too_long(status: int, complaint: str) -> bool:
    """Whether a refusal says that the model cannot hold the prompt."""
    text = complaint.casefold()
    # Servers word this differently; 413 is the one code that means nothing else.
    return status == 413 or (status == 400 and any(words in text for words in _TOO_LONG))


def strict(schema: Any) -> Any:  # noqa: ANN401 - any part of a JSON schema
    """The schema as servers with strict output want it: every field required, no other allowed."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: strict(part) for key, part in schema.items() if key != "default"}
    fields = plain.get("properties")
    if plain.get("type") == "object" and isinstance(fields, dict):
        return {**plain, "required": list(fields), "additionalProperties": False}
    return plain
