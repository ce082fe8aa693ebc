"""Decompression that stops at a limit."""

from __future__ import annotations

import io
import zlib

from retrieval.scans.reader.stream import ByteStream
from retrieval.scans.reasons import Reason, Refused

GZIP_ONLY, EITHER, RAW = 31, 47, -15
"""zlib's window bits for a gzip stream, for gzip or zlib as it begins, for raw deflate."""

_CHUNK = 1 << 16
_IDLE = 1 << 20


class Inflater(io.RawIOBase):
    """Forward reading of a compressed stream; ``wbits`` is one of the three above.

    Never inflates more than is asked for. A gzip name or extra field that goes on for ever
    gives no output, so input without output is limited too.
    """

    def __init__(self, packed: ByteStream, wbits: int = GZIP_ONLY) -> None:
        super().__init__()
        self._packed, self._wbits = packed, wbits
        self._engine = zlib.decompressobj(wbits)
        self._rest, self._idle = b"", 0
        self.cut = False

    def readable(self) -> bool:
        """Always."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to ``size`` bytes; fewer only at the end or where the stream is damaged."""
        if size < 0:
            raise Refused(Reason.INFLATES_TOO_FAR)
        parts: list[bytes] = []
        while size > 0 and (part := self._some(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _some(self, size: int) -> bytes:
        while not self.cut:
            if self._engine.eof:
                # RFC 1952 2.2: a gzip file is a series of members.
                self._rest = self._engine.unused_data or self._packed.read(_CHUNK)
                if self._wbits == RAW or not self._rest.startswith(b"\x1f\x8b"):
                    return b""
                self._engine = zlib.decompressobj(self._wbits)
            feed = self._rest or self._packed.read(_CHUNK)
            try:
                part = self._engine.decompress(feed, size)
            except zlib.error:
                self.cut = True
                return b""
            self._rest = self._engine.unconsumed_tail
            self.cut = not feed and not part and not self._engine.eof
            self._idle = 0 if part or not feed else self._idle + len(feed)
            if self._idle > _IDLE:
                raise Refused(Reason.INFLATES_TOO_FAR)
            if part:
                return part
        return b""


def inflate(packed: ByteStream, limit: int, wbits: int = GZIP_ONLY) -> bytes:
    """At most ``limit`` bytes of the stream.

    A damaged stream gives what came before the damage. Raises Refused (INFLATES_TOO_FAR).
    """
    return Inflater(packed, wbits).read(limit)
