"""The bytes of one uploaded file, read on demand and under limits; gzip is taken off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.scans.reader.inflate import EITHER, Inflater
from retrieval.scans.reader.stream import ByteStream, read_fully, skip_to
from retrieval.scans.reasons import Reason, Refused

GZIP = b"\x1f\x8b\x08"


@dataclass(slots=True)
class Blob:
    """One file. ``name`` is matched against closed word lists and never shown.

    ``size`` is the stored size; for gzip the plain size is unknown and ``plain_size`` None.
    """

    name: str
    size: int
    opener: Callable[[], ByteStream]
    at: tuple[int, int | None]
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
        """Forget all but the first bytes; hundreds of files stay open to later reading."""
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
