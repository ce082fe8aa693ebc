"""The body of a request, read and parsed once for everything that looks at it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from starlette.types import Message, Receive, Scope

BODY_BYTES = 4_000_000
"""A JSON body may be this large; uploads have their own limit."""

KEY = "scanscout.body"
"""Where the scope of a request keeps its body for the middleware that comes next."""

NO_BODY = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


class TooLarge(Exception):
    """A body went over its limit."""


@dataclass(frozen=True, slots=True)
class JsonBody:
    """The bytes of a body and what they say; ``value`` is None where they are no JSON."""

    raw: bytes = b""
    value: Any = None
    fault: Literal["", "no JSON", "nested too deeply"] = ""

    @classmethod
    def of(cls, raw: bytes) -> JsonBody:
        """A body parsed; what is no JSON has its fault."""
        try:
            return cls(raw, json.loads(raw))
        except ValueError:
            return cls(raw, fault="no JSON")
        except RecursionError:
            return cls(raw, fault="nested too deeply")


async def json_body(scope: Scope, receive: Receive) -> tuple[JsonBody, Receive]:
    """The body, and a ``receive`` that gives it once more to the application.

    Uploads, and methods without a body, are left unread. Raises TooLarge by the announced length
    or by what arrived.
    """
    if scope["method"] in NO_BODY or is_form(scope):
        return JsonBody(), receive
    if KEY not in scope:
        scope[KEY] = JsonBody.of(await _bytes_of(scope, receive))
        return scope[KEY], replayed(scope[KEY].raw, receive)
    return scope[KEY], receive


def is_form(scope: Scope) -> bool:
    """Whether a request sends files, which pass through piece by piece."""
    content_type = dict(scope["headers"]).get(b"content-type", b"").lower().lstrip()
    path = str(scope["path"]).rstrip("/")
    return bool(content_type.startswith(b"multipart/")) or path.endswith("/upload")


def replayed(raw: bytes, receive: Receive) -> Receive:
    """Gradio reads the body once; after it comes what the connection says next."""
    is_read = False

    async def again() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": raw, "more_body": False}

    return again


async def _bytes_of(scope: Scope, receive: Receive) -> bytes:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    if length.isdigit() and int(length) > BODY_BYTES:
        raise TooLarge
    parts: list[bytes] = []
    total = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        total += len(parts[-1])
        if total > BODY_BYTES:
            raise TooLarge
        if not message.get("more_body", False):
            return b"".join(parts)
