"""The body of a response read to a limit, which counts after inflating."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import httpx

from retrieval.core import Deadline, StageUnavailable
from retrieval.net.transport import END_AT

LIMIT = 4_000_000
"""Bytes of an answer, inflated."""

WAYS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Content encodings that are accepted, with zlib's window bits."""


EVENTS = "text/event-stream"
"""The media type of a body whose beginning is of use without its end."""


def response_body(
    response: httpx.Response, limit: int = LIMIT, until: Deadline | None = None
) -> bytes:
    """The inflated body of a response, at most ``limit`` bytes.

    Of a stream of events (EVENTS) what came before ``until`` is enough; nothing at all is not.

    Raises StageUnavailable as soon as it is larger, for an encoding that was not asked for and for
    a body that does not inflate, and what the transport raises while it reads. Inflating stops at
    the limit, however well a body is compressed.
    """
    if response.is_stream_consumed:
        # A transport of a test gives a response that is read and inflated already.
        chunks: Iterable[bytes] = [response.content]
    else:
        chunks = _inflated(response, limit)
    parts: list[bytes] = []
    total = 0
    cuts = until if response.headers.get("content-type", "").startswith(EVENTS) else None
    for chunk in chunks if cuts is None else _before(response, chunks, cuts):
        total += len(chunk)
        if total > limit:
            raise StageUnavailable(f"sent more than {limit / 1e6:.3g} MB")
        parts.append(chunk)
    return b"".join(parts)


def _before(response: httpx.Response, chunks: Iterable[bytes], until: Deadline) -> Iterator[bytes]:
    """The pieces that come in time; a peer that pauses over the end of it loses none of them."""
    if END_AT in response.extensions:
        response.extensions[END_AT](until)
    has_data = False
    try:
        for chunk in chunks:
            has_data = True
            yield chunk
            if until.passed:
                return
    except httpx.TimeoutException:
        if not (has_data and until.passed):
            raise


def _inflated(response: httpx.Response, limit: int) -> Iterator[bytes]:
    """Inflated pieces, none longer than one byte over the limit."""
    encoding = response.headers.get("content-encoding", "").strip().casefold()
    if encoding in {"", "identity"}:
        yield from response.iter_raw()
        return
    if encoding not in WAYS:
        raise StageUnavailable("sent an encoding that was not asked for")
    stream = zlib.decompressobj(WAYS[encoding])
    for chunk in response.iter_raw():
        try:
            # One byte more than allowed, so that the caller sees that the limit is passed.
            yield stream.decompress(chunk, limit + 1)
        except zlib.error as exc:
            raise StageUnavailable("sent a compressed body that cannot be read") from exc
    if not stream.eof:
        raise StageUnavailable("sent a compressed body that ends too early")
