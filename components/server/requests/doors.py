"""ASGI middleware, the first of all: which requests are let in, by host, origin and number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from components.server.address import (
    Network,
    client_address,
    forwarded_hosts,
    is_trusted_peer,
    with_trusted_headers,
)
from components.server.connections.connections import ADDRESS_CONNECTIONS
from components.server.requests.endpoints import unknown_endpoint
from components.server.requests.health import Monitored
from components.server.requests.hosts import AllowedHosts, is_cross_site, parse_host

POLICY_VIOLATION = 1008
"""WebSocket close code for a refused connection (RFC 6455, 7.4.1)."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Lets requests in that name this page's host, come from its own site, and are not too many."""

    app: ASGIApp
    hosts: AllowedHosts
    trusted: tuple[Network, ...] = ()
    monitored: Monitored = field(default_factory=Monitored)
    open_requests: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse, or pass on."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        answer: Response | None = None
        if scope["type"] == "http":
            own = self._refused_host(Headers(scope=scope)) is None
            answer = self.monitored.answer(str(scope["path"]), scope["method"], own=own)
        answer = answer or self._refusal(scope)
        if answer is not None:
            await _answered(answer, scope, receive, send)
            return
        with self._counted(scope) as free:
            if free:
                await self.app(with_trusted_headers(scope, self.trusted), receive, send)
            else:
                await _answered(_text(429, TOO_MANY), scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        refused = self._refused_host(headers)
        if refused is not None:
            return refused
        # A WebSocket handshake is a GET that any site may begin, so it counts as writing.
        method = scope["method"] if scope["type"] == "http" else "POST"
        names = [headers.get("host", "")]
        if is_trusted_peer(scope, self.trusted):
            names += forwarded_hosts(headers)
        own = [host for host in map(parse_host, names) if host is not None]
        if is_cross_site(method, headers, own, self.hosts):
            return _text(403, CROSS_SITE)
        if unknown_endpoint(scope):
            return JSONResponse({"error": "There is no endpoint of this name"}, status_code=404)
        return None

    def _refused_host(self, headers: Headers) -> Response | None:
        for name, values in (
            ("Host", headers.getlist("host") or [""]),
            ("X-Forwarded-Host", forwarded_hosts(headers)),
        ):
            for value in values:
                host = parse_host(value)
                if host is None:
                    return _text(
                        400, f"{name}: names no host; send the host of this page's address"
                    )
                if not self.hosts.allows(host):
                    return _text(421, WRONG_HOST.format(header=name))
        return None

    @contextmanager
    def _counted(self, scope: Scope) -> Iterator[bool]:
        """Count what one visitor behind a proxy has open; others are counted by connection."""
        if not is_trusted_peer(scope, self.trusted):
            yield True
            return
        address = client_address(scope, self.trusted)
        self.open_requests[address] += 1
        try:
            yield self.open_requests[address] <= ADDRESS_CONNECTIONS
        finally:
            self.open_requests[address] -= 1
            if not self.open_requests[address]:
                del self.open_requests[address]


WRONG_HOST = (
    "{header}: this page is not called by that name; open it by its own address, or add the name "
    "to the setting SCANSCOUT_ALLOWED_HOSTS on the server"
)
CROSS_SITE = (
    "Origin: requests that another site's page sends are refused; if that site is yours, add its "
    "host to the setting SCANSCOUT_ALLOWED_HOSTS on the server"
)
TOO_MANY = "Too many requests of your address are open; close some tabs or try again in a minute"


def _text(status: int, words: str) -> Response:
    headers = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
    return PlainTextResponse(words, status_code=status, headers=headers)


async def _answered(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await answer(scope, receive, send)
        return
    await receive()
    await send({"type": "websocket.close", "code": POLICY_VIOLATION})
