"""The server in which Gradio's page runs: uvicorn with limits that Gradio has no settings for.

``Blocks.launch`` starts uvicorn by itself and passes no option on, so while it runs its
``start_server`` is replaced by one that binds first, limits connections, and reads no header of a
proxy (uvicorn trusts any program on this machine to name another address as its own).
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from gradio import http_server
from gradio.exceptions import ServerFailedToStartError

from components.server.address import Network
from components.server.connections.connections import TOTAL_CONNECTIONS, Connections
from components.server.connections.descriptors import connections_within, raised_limit
from components.server.connections.listening import listening_sockets
from components.server.connections.log_limits import limit_repeats
from components.server.connections.protocol import GuardedProtocol

QUEUE = 1024
"""Connections that the system keeps until the page takes them: ten each of 50 visitors who come at
once, twice."""

BATCH = 64
"""Connections that the event loop takes in one turn. Between two turns it reads what those before
have sent, so that a flood does not crowd out a request before it was looked at."""

START_S = 60.0
"""Seconds for the server's thread to begin; it takes less than one on an idle machine."""

NAMES_FOR_ALL = {"0.0.0.0": "localhost", "::": "[::1]"}
"""How this machine reaches itself where the page listens on every address."""


class PageServer(http_server.Server):
    """Gradio's server in a thread, on sockets that are bound already."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config)
        self._sockets = sockets

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until closed."""
        super().run(sockets=sockets or self._sockets)

    def run_in_thread(self) -> None:
        """Return once it answers. Raises ServerFailedToStartError when it does not."""
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        until = time.monotonic() + START_S
        while not self.started:
            if time.monotonic() > until or not self.thread.is_alive():
                raise ServerFailedToStartError("The page's server did not start.")
            time.sleep(0.001)


@contextmanager
def limited_server(trusted: Sequence[Network]) -> Iterator[None]:
    """Whatever page is launched in the block runs in a server with limits."""
    original = http_server.start_server
    http_server.start_server = partial(_start, tuple(trusted))
    try:
        yield
    finally:
        http_server.start_server = original


def _start(
    trusted: tuple[Network, ...],
    app: Any,  # noqa: ANN401 - an ASGI application
    server_name: str | None = None,
    server_port: int | None = None,
    **ssl: Any,  # noqa: ANN401
) -> tuple[str, int, str, http_server.Server]:
    """What Gradio's ``start_server`` returns: host, port, address and the running server."""
    host = server_name or http_server.LOCALHOST_NAME
    sockets = listening_sockets(host, server_port)
    total = connections_within(raised_limit(), TOTAL_CONNECTIONS)
    connections = Connections(total=total, trusted=trusted)
    protocol: Any = partial(GuardedProtocol, connections)
    config = uvicorn.Config(
        app,
        log_level="warning",
        http=protocol,
        ws="none",
        proxy_headers=False,
        backlog=BATCH,
        **ssl,
    )
    limit_repeats()
    server = PageServer(config, sockets)
    server.run_in_thread()
    for one in sockets:
        one.listen(QUEUE)  # asyncio has one number for both; this changes the system's alone
    port = int(sockets[0].getsockname()[1])
    scheme = "https" if ssl.get("ssl_keyfile") else "http"
    plain = host.strip("[]")
    name = NAMES_FOR_ALL.get(plain, f"[{plain}]" if ":" in plain else plain)
    return host, port, f"{scheme}://{name}:{port}/", server
