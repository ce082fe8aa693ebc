"""What a server sent: a completion reduced to the fields in use, or a refusal in our own words."""

from __future__ import annotations

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


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message = _Message()


class _Tokens(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Completion(BaseModel):
    """What is used of a chat completion; everything else in it is ignored."""

    choices: list[_Choice] = []
    usage: _Tokens | None = None

    @property
    def text(self) -> str:
        """The first choice's text, or its refusal; empty when it says nothing."""
        if not self.choices:
            return ""
        message = self.choices[0].message
        text = message.content or message.refusal or ""
        return text.encode("utf-8", "replace").decode()


def read_completion(body: bytes) -> Completion:
    """A completion from bytes; raises StageUnavailable when they are none."""
    try:
        return Completion.model_validate_json(body.decode("utf-8", "replace"))
    except ValidationError:
        raise StageUnavailable(
            "the language model's server sent something that is no chat completion; "
            "does SCANSCOUT_LLM_BASE_URL end in /v1?"
        ) from None


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
