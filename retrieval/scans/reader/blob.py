"""The bytes of one uploaded file, read on demand and under limits, gzip decompressed."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from retrieval.scans.reasons import Reason, Refused

At = tuple[int, int | None]
"""Where a file stands in the upload: its path from 1, and the file inside a folder or archive."""

GZIP = b"\x1f\x8b\x08"
GZIP_ONLY, EITHER, RAW = 31, 47, -15
"""zlib's window bits for a gzip stream, for gzip or zlib as it begins, for raw deflate."""

_PART, _CHUNK, _IDLE = 1 << 20, 1 << 16, 1 << 20


class ByteStream(AbstractContextManager["ByteStream"], Protocol):
    """An open file, plain, zipped or decompressed while reading; only some can be sought."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to ``size`` bytes; none at the end."""
        ...

    def seekable(self) -> bool:
        """Whether ``seek`` may be called."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to an offset from the start."""
        ...


def read_fully(stream: ByteStream, count: int) -> bytes:
    """``count`` bytes, fewer only at the end of the stream.

    One read of a zip member or pipe may return fewer.
    """
    parts: list[bytes] = []
    while count > 0 and (part := stream.read(count)):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def skip_to(stream: ByteStream, offset: int) -> None:
    """Move a stream from its start to an offset, by reading where it cannot seek."""
    if stream.seekable():
        stream.seek(offset)
        return
    while offset > 0 and (part := stream.read(min(offset, _PART))):
        offset -= len(part)


class Inflater(io.RawIOBase):
    """Forward reading of a compressed stream; ``wbits`` is one of the three above.

    Never inflates more than is asked for, and a damaged stream gives what came before the damage.
    A gzip name or extra field without end gives no output, so input without output is limited too.
    Raises Refused (INFLATES_TOO_FAR).
    """

    def __init__(self, packed: ByteStream, wbits: int = GZIP_ONLY) -> None:
        super().__init__()
        self._packed, self._wbits = packed, wbits
        self._engine = zlib.decompressobj(wbits)
        self._rest, self._idle = b"", 0
        self.cut = False

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


@dataclass(slots=True)
class Blob:
    """One file. ``name`` is matched against closed word lists and never shown.

    ``size`` is the stored size; for gzip the plain size is unknown and ``plain_size`` None.
    """

    name: str
    size: int
    opener: Callable[[], ByteStream]
    at: At
    limit: int = 64 << 20
    seekable: bool = True
    path: Path | None = None
    packed: bool = field(init=False, default=False)
    _head: bytes = field(init=False, default=b"")
    _complete: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        with self.opener() as stream:
            first = stream.read(4096)
        self.packed = first.startswith(GZIP)
        if not self.packed:
            self._head, self._complete = first, len(first) >= self.size

    @property
    def plain_size(self) -> int | None:
        """Bytes after decompression where the file says so without inflating it."""
        return None if self.packed else self.size

    def open(self) -> ByteStream:
        """A fresh forward stream of plain bytes."""
        stream = self.opener()
        return Inflater(stream) if self.packed else stream

    def open_packed(self, offset: int) -> ByteStream:
        """A forward stream of the gzip or zlib data that begin at an offset."""
        stream = self.open()
        skip_to(stream, offset)
        return Inflater(stream, EITHER)

    def head(self, count: int) -> bytes:
        """The first ``count`` plain bytes, fewer when there are no more."""
        if count > self.limit:
            raise Refused(Reason.TOO_BIG)
        if len(self._head) < count and not self._complete:
            with self.open() as stream:
                self._head = read_fully(stream, count)
            self._complete = len(self._head) < count
        return self._head[:count]

    def release(self) -> None:
        """Drop all but the first 4 KiB; hundreds of files may be read again later."""
        self._head, self._complete = self._head[:4096], self._complete and len(self._head) <= 4096

    def slice(self, start: int, count: int) -> bytes:
        """Plain bytes from an offset; what cannot be sought is inflated up to the limit."""
        if start < 0 or count < 0 or count > self.limit:
            raise Refused(Reason.TOO_BIG)
        if self.packed or not self.seekable:
            if start + count > self.limit:
                raise Refused(Reason.TOO_BIG)
            with self.open() as stream:
                return read_fully(stream, start + count)[start:]
        with self.opener() as stream:
            stream.seek(start)
            return read_fully(stream, count)
