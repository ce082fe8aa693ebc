"""What a server sent: a completion reduced to the fields in use, or a refusal in our own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import httpx
from pydantic import BaseModel, ValidationError

from retrieval.core import StageUnavailable
from retrieval.llm.dialect import too_long
from retrieval.net import LONGEST_WAIT, stated_wait

_WORDS = {
    401: "the key was refused; see SCANSCOUT_LLM_API_KEY",
    403: "the key may not do this; see SCANSCOUT_LLM_API_KEY",
    404: "no such model or address; see SCANSCOUT_LLM_MODEL and SCANSCOUT_LLM_BASE_URL",
    429: "too many requests, or the quota is used up",
}


MOST_TOKENS = 100_000_000
"""In one direction of a call: ten times the longest context that a model had in 2025."""


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message = _Message()
    delta: _Message = _Message()
    finish_reason: str | None = None


class _Tokens(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def is_possible(self) -> bool:
        """Whether a model can have counted so; what cannot be is not charged."""
        counts = (self.prompt_tokens, self.completion_tokens)
        return all(0 <= count <= MOST_TOKENS for count in counts)


class Completion(BaseModel):
    """What is used of a chat completion; everything else in it is ignored.

    ``is_cut``: a streamed one that had not ended when its time did.
    """

    choices: list[_Choice] = []
    usage: _Tokens | None = None
    is_cut: bool = False

    @property
    def text(self) -> str:
        """The first choice's text, or its refusal; empty when it says nothing."""
        if not self.choices:
            return ""
        message = self.choices[0].message
        text = message.content or message.refusal or ""
        return text.encode("utf-8", "replace").decode()


def read_completion(body: bytes) -> Completion:
    """A completion from bytes, streamed or not; raises StageUnavailable when they are none."""
    text = body.decode("utf-8", "replace")
    try:
        events = _events(text)
        return _joined(events) if events else Completion.model_validate_json(text)
    except ValidationError:
        raise StageUnavailable(
            "the language model's server sent something that is no chat completion; "
            "does SCANSCOUT_LLM_BASE_URL end in /v1?"
        ) from None


def _events(text: str) -> list[Completion]:
    """The complete events of a stream; none where the text is no stream (WHATWG, HTML 9.2)."""
    # Not ``splitlines``, which also ends lines at U+2028 and others that JSON text may hold. What
    # follows the last end of a line is nothing, or half a line of a stream that was cut.
    lines = re.split(r"\r\n|\n|\r", text)[:-1]
    data = (line[5:].strip() for line in lines if line.startswith("data:"))
    return [_ENDED if one == "[DONE]" else Completion.model_validate_json(one) for one in data]


_ENDED = Completion(choices=[_Choice(finish_reason="stop")])


def _joined(events: Sequence[Completion]) -> Completion:
    """One completion from the pieces of a stream."""
    choices = [event.choices[0] for event in events if event.choices]
    content = "".join(
        one.delta.content or one.delta.refusal or one.message.content or "" for one in choices
    )
    usage = next((event.usage for event in reversed(events) if event.usage), None)
    ended = any(one.finish_reason for one in choices)
    message = _Message(content=content)
    return Completion(choices=[_Choice(message=message)], usage=usage, is_cut=not ended)


def plain_words(response: httpx.Response) -> str:
    """The kind of a refusal, with its HTTP status and the wait that was asked for.

    Nothing of the server's own text is in it.
    """
    status = response.status_code
    words = _WORDS.get(status, "")
    if too_long(status, response.text):
        words = "the prompt is too long for this model; lower SCANSCOUT_LLM_PROMPT_TOKENS"
    elif 300 <= status < 400:
        words = "it pointed elsewhere, which is not followed"
    elif status >= 500:
        words = "its server failed"
    reason = f"{words} (HTTP {status})" if words else f"HTTP {status}"
    wait = stated_wait(response)
    long = wait is not None and wait > LONGEST_WAIT
    return f"{reason}; try again in {wait:.0f} s" if long else reason
