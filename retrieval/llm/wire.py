"""A response of a server: bounded while it is read, then reduced to the fields in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from retrieval.core import Deadline, StageUnavailable

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 1_000_000
"""Largest answer that is read; one of 2,000 tokens has about 10,000 bytes."""

TOO_LARGE = f"the language model's answer is larger than {MAX_BYTES:,} bytes; it was not read on"
OUT_OF_TIME = "the language model did not answer in time"


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


def bounding(deadline: Deadline) -> Callable[[httpx2.Response], None]:
    """A response hook: the body is read up to MAX_BYTES and to the deadline, and only plain."""
    import httpx2

    def hook(response: httpx2.Response) -> None:
        length = response.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > MAX_BYTES:
            raise StageUnavailable(TOO_LARGE)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise StageUnavailable("the language model's server packed an answer asked for plain")
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _bounded(response.stream, deadline)

    return hook


def _bounded(stream: httpx2.SyncByteStream, deadline: Deadline) -> httpx2.SyncByteStream:
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in stream:
                size += len(chunk)
                if size > MAX_BYTES:
                    raise StageUnavailable(TOO_LARGE)
                if deadline.passed:
                    raise StageUnavailable(OUT_OF_TIME)
                yield chunk

        def close(self) -> None:
            stream.close()

    return Bounded()
