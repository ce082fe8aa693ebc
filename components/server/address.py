"""Which machine sent a request and which address it opened: the peer, or what a trusted proxy says.

Gradio builds links from ``X-Forwarded-Host`` and ``X-Forwarded-Proto`` whoever sent them. Only
those of a trusted proxy reach it, and of each only the last entry, which that proxy wrote itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

Network = IPv4Network | IPv6Network
UNKNOWN = "unknown"
"""The address of a request whose peer the server does not state (a Unix socket, say)."""


def parse_networks(text: str) -> tuple[Network, ...]:
    """Networks written as ``10.0.0.0/8, ::1``. Raises ValueError naming the part that is none."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return tuple(ip_network(part, strict=False) for part in parts)


def client_address(scope: Any, trusted: Sequence[Network]) -> str:  # noqa: ANN401 - an ASGI scope
    """The peer's address, or the last ``X-Forwarded-For`` entry where the peer is trusted.

    Only the last entry was written by the proxy itself; a client can send the others.
    """
    client = scope.get("client")
    peer = _normal(str(client[0])) if client else UNKNOWN
    if not _is_in(peer, trusted):
        return peer
    entries = [
        value.decode("latin-1")
        for name, value in scope.get("headers", ())
        if name.lower() == b"x-forwarded-for"
    ]
    # Several headers of one name mean the same as one with commas (RFC 9110, 5.3).
    last = ",".join(entries).rpartition(",")[2].strip()
    return _normal(last) if last else peer


def is_trusted_peer(scope: Any, trusted: Sequence[Network]) -> bool:  # noqa: ANN401
    """Whether the machine at the other end of the connection is a trusted proxy."""
    client = scope.get("client")
    return client is not None and is_trusted_address(str(client[0]), trusted)


def is_trusted_address(address: str, trusted: Sequence[Network]) -> bool:
    """Whether an address is one of a trusted proxy.

    An IPv4 address inside IPv6 counts as IPv4. ``unknown`` is never trusted.
    """
    return _is_in(_normal(address), trusted)


def _normal(text: str) -> str:
    """One spelling per address: IPv4 inside IPv6 as IPv4; what is no address as ``unknown``."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return UNKNOWN
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def _is_in(address: str, networks: Sequence[Network]) -> bool:
    if address == UNKNOWN:
        return False
    parsed = ip_address(address)
    return any(parsed.version == network.version and parsed in network for network in networks)


FORWARDED_HOST = "x-forwarded-host"
FORWARDED_SCHEME = "x-forwarded-proto"
UNTRUSTED = (FORWARDED_HOST, FORWARDED_SCHEME, "forwarded", "x-gradio-server")
SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


def forwarded_hosts(headers: Headers) -> list[str]:
    """Every entry of ``X-Forwarded-Host``, whoever wrote it."""
    return [part.strip() for part in ",".join(headers.getlist(FORWARDED_HOST)).split(",") if part]


def with_trusted_headers(scope: Any, trusted: Sequence[Network]) -> Any:  # noqa: ANN401
    """The scope as the application may see it: scheme and headers from a trusted proxy alone."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    host, scheme = _last(headers, FORWARDED_HOST), _last(headers, FORWARDED_SCHEME).casefold()
    for name in UNTRUSTED:
        del headers[name]
    changed = {**scope, "headers": headers.raw}
    if not is_trusted_peer(scope, trusted):
        return changed
    if host:
        headers[FORWARDED_HOST] = host
    if scheme in SCHEMES:
        headers[FORWARDED_SCHEME] = SCHEMES[scheme]
        changed["scheme"] = SCHEMES[scheme] if scope["type"] == "http" else scope["scheme"]
    return {**changed, "headers": headers.raw}


def _last(headers: Headers, name: str) -> str:
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip()
