"""What a proxy in front of the page says of the address that a visitor opened.

Gradio builds links from ``X-Forwarded-Host`` and ``X-Forwarded-Proto`` whoever sent them. Only
those of a trusted proxy reach it, and of each only the last entry, which that proxy wrote itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

from components.server.address import Network, is_trusted_peer

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
