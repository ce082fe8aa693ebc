"""The interface of an open file: plain, zipped or decompressed while reading."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

_PART = 1 << 20


class ByteStream(Protocol):
    """Bytes in their order; only some streams can be sought."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to so many bytes; none at the end."""
        ...

    def seekable(self) -> bool:
        """Whether ``seek`` may be called."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to an offset from the start."""
        ...

    def close(self) -> None:
        """Let the file go."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> bool | None: ...


def read_fully(stream: ByteStream, count: int) -> bytes:
    """Exactly so many bytes, fewer only at the end.

    A zip member or pipe may give fewer than asked for at a time.
    """
    parts: list[bytes] = []
    while count > 0 and (part := stream.read(count)):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def skip_to(stream: ByteStream, offset: int) -> None:
    """Go to an offset of a stream that stands at its start, by reading where it must be."""
    if stream.seekable():
        stream.seek(offset)
        return
    while offset > 0 and (part := stream.read(min(offset, _PART))):
        offset -= len(part)
