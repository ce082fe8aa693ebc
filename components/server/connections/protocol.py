"""One connection with deadlines: uvicorn has none for a request's header and body."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from components.server.connections.connections import SWEEP_S, Connections

HEADER_S = 10.0
"""A header is one or two packets; ten seconds allow for a lost one, sent again three times."""

BODY_STALL_S = 20.0
"""Seconds without a byte of a body; a mobile connection that hands over is silent for a few."""

BODY_GRACE_S = 30.0
BODY_RATE = 4000
"""Bytes a second that a body brings on average once the grace is over: half of a 56k modem, so
that a body of one byte every few seconds does not hold its connection for days."""

LINGER_S, LINGER_STALL_S = 30.0, 5.0
"""Seconds for which the rest of a body is read after its answer, in all and without a byte: many
clients read an answer only when they have sent everything, and see an error where they cannot."""

REASONS = {408: "Request Timeout", 503: "Service Unavailable"}


class GuardedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, counted and timed."""

    def __init__(self, connections: Connections, **uvicorn: Any) -> None:  # noqa: ANN401
        super().__init__(**uvicorn)
        self._connections = connections
        self.peer = ""
        self._since = self._last_byte = self.loop.time()
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count this connection; it may be refused at once."""
        super().connection_made(transport)
        self.peer = str(self.client[0]) if self.client else ""
        self._connections.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._connections.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Time what comes, then read it."""
        if self.transport.is_closing():
            return
        state, was_idle = self.conn.their_state, self.timeout_keep_alive_task is not None
        super().data_received(data)
        self._last_byte = self.loop.time()
        self._received += len(data)
        if was_idle or state is not self.conn.their_state:
            self._begin()
        self._connections.received(self)

    def on_response_complete(self) -> None:
        """Time the next request from here on."""
        self._begin()
        super().on_response_complete()

    def _begin(self) -> None:
        self._since, self._received = self.loop.time(), 0

    @property
    def awaits_client(self) -> bool:
        """Whether nothing is under way but what the client has still to send."""
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY} and not self.flow.read_paused

    def overdue(self, now: float) -> bool:
        """Whether the client took too long over its header or its body."""
        if self.flow.read_paused:
            # The server does not read at present: that time is not the client's.
            self._since, self._last_byte = self._since + SWEEP_S, now
            return False
        state, spent = self.conn.their_state, now - self._since
        if state is h11.IDLE:
            return self.timeout_keep_alive_task is None and spent > HEADER_S
        if state is not h11.SEND_BODY:
            return False
        if self.cycle.response_complete:
            return spent > LINGER_S or now - max(self._last_byte, self._since) > LINGER_STALL_S
        slow = self._received < BODY_RATE * (spent - BODY_GRACE_S)
        return slow or now - self._last_byte > BODY_STALL_S

    def refuse(self, status: int, words: str) -> None:
        """Answer with this, where a request has begun and its answer has not, and close."""
        idle = self.conn.their_state is h11.IDLE and not self._received
        begun = self.conn.our_state is h11.SEND_BODY
        if not (idle or begun or self.transport.is_closing()):
            self.transport.write(
                f"HTTP/1.1 {status} {REASONS[status]}\r\ncontent-type: text/plain\r\n"
                f"content-length: {len(words)}\r\nconnection: close\r\n\r\n{words}".encode()
            )
        self.transport.close()
