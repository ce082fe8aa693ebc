"""What every request to a service shares: headers, redirects, a bounded body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import httpx

from retrieval.core import StageUnavailable
from retrieval.net.inflate import LIMIT, read_body

HEADERS = {"User-Agent": "ScanScout/0.1", "Accept-Encoding": "gzip"}
# 300 and 304 are no redirects: the one offers a choice, the other refers to a cache.
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HOPS = 3
"""Redirects that are followed for one request."""

T = TypeVar("T")


class PassingFault(StageUnavailable):
    """A fault that another try may cure."""


def follow(
    url: httpx.URL,
    *,
    send: Callable[[httpx.URL, bool], httpx.Response],
    redirect: Callable[[httpx.URL, str], httpx.URL],
    read: Callable[[httpx.Response, httpx.URL], T],
    name: str = "",
) -> T:
    """What ``read`` makes of the first response that is no redirect; at most HOPS are followed.

    ``send`` gets the address and whether it is the first; ``redirect`` gets the address and the
    Location header, and raises StageUnavailable for one that must not be followed. Every response
    is closed. ``name`` stands in front of the error for too many redirects.
    """
    for hop in range(HOPS + 1):
        response = send(url, hop == 0)
        try:
            if response.status_code not in REDIRECTS:
                return read(response, url)
            url = redirect(url, response.headers.get("location", ""))
        finally:
            response.close()
    raise StageUnavailable(f"{name}redirected more than {HOPS} times")


def response_body(response: httpx.Response, limit: int = LIMIT) -> bytes:
    """The inflated body of a response, at most ``limit`` bytes.

    Raises StageUnavailable for a larger one, UnreadableBody for a broken one, and what the
    transport raises while it reads.
    """
    if response.is_stream_consumed:
        # A transport of a test gives a response that is read and inflated already.
        return read_body([response.content], "", limit)
    return read_body(response.iter_raw(), response.headers.get("content-encoding", ""), limit)
