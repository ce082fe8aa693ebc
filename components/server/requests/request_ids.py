"""One id per request: in a header of its answer, and before every line that it writes to the log.

An event of the page is worked off by another task than the one that took its request, so the id
travels in the request's own headers to there, and then with the context into every thread.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server.address import Network, is_trusted_peer

HEADER = b"x-request-id"
ACCEPTED = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""What a trusted proxy's id may be; anything else is replaced, so that no text enters the log."""

_CURRENT: ContextVar[str] = ContextVar("request id", default="")


def current_id() -> str:
    """The id of the request that this code works for; empty outside of any."""
    return _CURRENT.get()


@contextmanager
def working_for(id: str) -> Iterator[None]:
    """Whatever is logged in the block belongs to the request of this id."""
    token = _CURRENT.set(id)
    try:
        yield
    finally:
        _CURRENT.reset(token)


@dataclass(frozen=True, slots=True)
class RequestIds:
    """ASGI middleware, outside of all others, so that refusals have an id as well."""

    app: ASGIApp
    trusted: tuple[Network, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on with an id, and send it with the answer."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        id, others = _id_of(scope, self.trusted), _without_id(scope.get("headers", ()))

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*_without_id(message.get("headers", ())), (HEADER, id)]
                message = {**message, "headers": headers}
            await send(message)

        with working_for(id.decode("ascii")):
            await self.app({**scope, "headers": [*others, (HEADER, id)]}, receive, marked)


def _id_of(scope: Scope, trusted: Sequence[Network]) -> bytes:
    header_values = [value for name, value in scope.get("headers", ()) if name.lower() == HEADER]
    if (
        len(header_values) == 1
        and ACCEPTED.fullmatch(header_values[0])
        and is_trusted_peer(scope, trusted)
    ):
        return bytes(header_values[0])
    return secrets.token_hex(8).encode("ascii")


def _without_id(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [pair for pair in headers if pair[0].lower() != HEADER]


def mark_events(queue: Any) -> None:  # noqa: ANN401 - Gradio's queue
    """Let every event of a queue work under the id of the request that it came with."""
    work_off = queue.process_events

    async def marked(events: Sequence[Any], *more: Any, **keywords: Any) -> None:  # noqa: ANN401
        request = events[0].request if events else None
        id = request.headers.get(HEADER.decode("ascii"), "") if request is not None else ""
        with working_for(id):
            await work_off(events, *more, **keywords)

    queue.process_events = marked
