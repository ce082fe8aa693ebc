"""A body read to its limit, which counts after inflating."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from retrieval.core import StageUnavailable

LIMIT = 4_000_000
"""Bytes of an answer, inflated."""

WAYS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""Content encodings that are taken, with zlib's window bits."""


class UnreadableBody(StageUnavailable):
    """A body in an encoding that was not asked for, or one that does not inflate."""


def read_body(chunks: Iterable[bytes], encoding: str, limit: int = LIMIT) -> bytes:
    """All of a body, inflated; at most ``limit`` bytes.

    Raises StageUnavailable as soon as it is larger, UnreadableBody for an encoding that was not
    asked for and for a body that does not inflate. Inflating stops at the limit, however
    well a body is compressed.
    """
    named = encoding.strip().casefold()
    if named in {"", "identity"}:
        return _joined(chunks, limit)
    if named not in WAYS:
        raise UnreadableBody("sent an encoding that was not asked for")
    return _joined(_inflated(chunks, WAYS[named], limit), limit)


def _joined(chunks: Iterable[bytes], limit: int) -> bytes:
    parts: list[bytes] = []
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limit:
            raise StageUnavailable(f"sent more than {limit / 1e6:.3g} MB")
        parts.append(chunk)
    return b"".join(parts)


def _inflated(chunks: Iterable[bytes], bits: int, limit: int) -> Iterable[bytes]:
    """Inflated pieces, none longer than one byte over the limit."""
    open_one = zlib.decompressobj(bits)
    for chunk in chunks:
        try:
            # One byte more than allowed, so that the caller sees that the limit is passed.
            yield open_one.decompress(chunk, limit + 1)
        except zlib.error as exc:
            raise UnreadableBody("sent a compressed body that cannot be read") from exc
    if not open_one.eof:
        raise UnreadableBody("sent a compressed body that ends too early")
