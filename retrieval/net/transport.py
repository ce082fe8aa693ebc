"""A transport that connects only to checked addresses and never outlives a deadline."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from retrieval.core import Deadline
from retrieval.net.addresses import Lookup, admitted, look_up

OWN, DEADLINE = "scanscout_own", "scanscout_deadline"
"""Names of the request extensions that say whether an address may be private, and until when."""

TRACES = ("httpcore.connection", "httpcore.http11")
"""Loggers whose lowest level writes whole headers, a key that a service echoes among them."""

END_AT = "scanscout_end_at"
"""Name of the response extension that sets an earlier deadline for the rest of a body."""

_LEAST, _MOST = 0.001, 3600.0
"""Seconds of one step: a socket takes neither 0 nor an infinite time."""


class _Bounded(httpcore.NetworkStream):
    """A stream whose every step ends with the deadline, however slowly a peer drips."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def _seconds_left(self, timeout: float | None) -> float:
        if self._deadline.passed:
            raise httpcore.ReadTimeout
        seconds_left = min(max(self._deadline.left, _LEAST), _MOST)
        return seconds_left if timeout is None else min(timeout, seconds_left)

    def end_at(self, deadline: Deadline) -> None:
        """End what is still to come by this deadline."""
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._seconds_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._seconds_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        seconds = self._seconds_left(timeout)
        return _Bounded(
            self._stream.start_tls(ssl_context, server_hostname, seconds), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore's own signature
        return self._stream.get_extra_info(info)


class _Pinned(httpcore.NetworkBackend):
    """Resolves a name once, checks the addresses, and connects to one of those."""

    def __init__(self, lookup: Lookup, deadline: Deadline, *, own: bool) -> None:
        self._lookup, self._deadline, self._own = lookup, deadline, own
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        # Three are enough to get past a dead one; a name can have dozens.
        addresses = admitted(host, port, self._lookup, own=self._own)[:3]
        for number, address in enumerate(addresses, start=1):
            # A dead first address (often IPv6) must leave time for the others.
            share = self._deadline.left / (len(addresses) - number + 1)
            share = min(max(share, _LEAST), _MOST)
            try:
                stream = self._plain.connect_tcp(address, port, share, local_address)
                return _Bounded(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if number == len(addresses):
                    raise
        raise httpcore.ConnectError


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response, pool: httpcore.ConnectionPool) -> None:
        self._response, self._pool = response, pool

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx():
            yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()
        self._pool.close()


@contextmanager
def _as_httpx() -> Iterator[None]:
    try:
        yield
    except httpcore.ConnectError as exc:
        raise httpx.ConnectError("no connection") from exc
    except httpcore.TimeoutException as exc:
        raise httpx.ReadTimeout("no answer in time") from exc
    except (httpcore.NetworkError, httpcore.ProtocolError) as exc:
        raise httpx.RemoteProtocolError("the connection broke off") from exc


class PinnedTransport(httpx.BaseTransport):
    """One connection a request, and only to addresses that ``admitted`` lets through.

    ``environment``: the proxies and certificates that the environment of this machine names are
    used; otherwise neither is, because a host could set them to read along.
    """

    def __init__(self, lookup: Lookup = look_up, *, environment: bool = False) -> None:
        self._lookup, self._environment = lookup, environment
        for name in TRACES:
            # At DEBUG these loggers write the headers of requests, and so the keys.
            logging.getLogger(name).setLevel(logging.INFO)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        if self._environment:
            return ssl.create_default_context()
        return httpx.create_ssl_context(trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The head of the response; its body is read from the connection as it is iterated.

        Its extension END_AT is a function that gives what is still to come an earlier deadline.

        Raises httpx errors for faults of the connection, StageUnavailable for a refused address.
        """
        deadline: Deadline = request.extensions.get(DEADLINE, Deadline())
        own = bool(request.extensions.get(OWN, False))
        pool = self._pool(request.url, deadline, own=own)
        outgoing = httpcore.Request(
            request.method,
            _address(request.url),
            headers=request.headers.raw,
            content=request.read(),
            extensions={"timeout": request.extensions.get("timeout", {})},
        )
        with ExitStack() as unanswered:
            unanswered.callback(pool.close)
            with _as_httpx():
                answer = pool.handle_request(outgoing)
            unanswered.pop_all()
        body = _Body(answer, pool)
        stream = answer.extensions.get("network_stream")
        more = {END_AT: stream.end_at} if isinstance(stream, _Bounded) else {}
        return httpx.Response(answer.status, headers=answer.headers, stream=body, extensions=more)

    def _pool(self, url: httpx.URL, deadline: Deadline, *, own: bool) -> httpcore.ConnectionPool:
        tls = self._tls if url.scheme == "https" else None
        proxies = getproxies() if self._environment and not proxy_bypass(url.host) else {}
        address = proxies.get(url.scheme) or proxies.get("all")
        if not address:
            backend = _Pinned(self._lookup, deadline, own=own)
            return httpcore.ConnectionPool(ssl_context=tls, network_backend=backend)
        # The proxy looks the name up; its own address was set on purpose.
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        return httpcore.HTTPProxy(
            _address(proxy.url),
            proxy_auth=proxy.raw_auth,
            ssl_context=tls,
            network_backend=_Pinned(self._lookup, deadline, own=True),
        )


def _address(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
