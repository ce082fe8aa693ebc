"""Splits one JSON text into records while it is read.

A document may be larger than memory allows to parse, so brackets are followed without parsing and
only the bytes of the current record are kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import BinaryIO

MAX_DOCUMENT = 100_000_000
"""Bytes of one JSON text that are read; JSONL has no such limit."""

MAX_DEPTH = 500
"""Depth of brackets; Python's JSON parser fails at about this depth."""

_CHUNK = 1 << 16
_MARKS = re.compile(rb'["\\{}\[\]\n]')
_BETWEEN = b" \t\r\n,"


class _Cutter:
    """Follows brackets and strings over chunks; keeps the bytes of one record only.

    ``base`` is the depth of the records: 0 until the list that holds them is met.
    """

    def __init__(self, wrappers: Collection[str], limit: int) -> None:
        self._wrappers = {f'"{name}":'.encode() for name in wrappers}
        self._limit = limit
        self.base = self.depth = 0
        self.line = self._began = 1
        self._string = self._escape = self._over = self.listed = False
        self._buffer = bytearray()
        self._word = bytearray()
        self.cut: list[tuple[int, bytes]] = []

    def feed(self, chunk: bytes) -> None:
        """Read on; the records that end in this chunk are added to ``cut``."""
        at = 0
        for mark in _MARKS.finditer(chunk):
            self._keep(chunk[at : mark.start()])
            at = mark.end()
            if mark[0] == b"\n":
                # A JSON text has no bare line break inside a string: a quote is missing here.
                self._string = self._escape = False
                if self._buffer:
                    self._add(b"\n")
                self.line += 1
            elif self._string:
                self._inside(mark[0])
            else:
                self._outside(mark[0])
        self._keep(chunk[at:])

    def finish(self) -> None:
        """Cut what was never closed as a last record, so that it is reported as invalid."""
        self._cut()

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._escape = False
        if self.depth == 1 and len(self._word) < 100:
            self._word += piece
        if self.depth == self.base and not self._string:
            piece = piece.strip(_BETWEEN)
        self._add(piece)

    def _add(self, piece: bytes) -> None:
        if not piece or self._over:
            return
        if not self._buffer:
            self._began = self.line
        room = self._limit + 1 - len(self._buffer)
        if room > 0:
            self._buffer += piece[:room]

    def _inside(self, mark: bytes) -> None:
        self._add(mark)
        if self._escape:
            self._escape = False
        elif mark == b"\\":
            self._escape = True
        elif mark == b'"':
            self._string = False
            self._word += mark

    def _outside(self, mark: bytes) -> None:
        if mark == b'"':
            self._string = True
            self._word = bytearray(mark)
            self._add(mark)
        elif mark in b"{[":
            self._open(mark)
        elif mark in b"}]":
            self._close(mark)
        else:
            self._add(mark)

    def _open(self, mark: bytes) -> None:
        if self.depth == self.base:
            self._cut()
        self.depth += 1
        # Records are in a list at the top, or in one below a wrapper's key.
        at_key = b"".join(bytes(self._word).split()) in self._wrappers
        lists_records = self.depth == 1 or (self.depth == 2 and at_key)
        if not self.base and mark == b"[" and lists_records:
            self.base = self.depth
            self.listed, self._over = True, False
            self._buffer.clear()
        else:
            self._add(mark)

    def _close(self, mark: bytes) -> None:
        if self.depth > self.base:
            self._add(mark)
            self.depth -= 1
            if self.depth == self.base:
                self._cut()
            return
        self._cut()
        self.depth = max(0, self.depth - 1)
        self._over = self.base == 2
        self.base = 0

    def _cut(self) -> None:
        if bytes(self._buffer).strip(_BETWEEN):
            self.cut.append((self._began, bytes(self._buffer)))
        self._buffer.clear()
        self._over = self._over and self.depth > 0


def elements(
    handle: BinaryIO, wrappers: Collection[str], limit: int
) -> Iterator[tuple[int, bytes]]:
    """The line and bytes of every record; of one over the limit only one byte more than it.

    Reading stops early at MAX_DOCUMENT and where brackets nest deeper than MAX_DEPTH.
    """
    cutter = _Cutter(wrappers, limit)
    for _ in range(MAX_DOCUMENT // _CHUNK):
        chunk = handle.read(_CHUNK)
        if not chunk or cutter.depth > MAX_DEPTH:
            break
        cutter.feed(chunk.removeprefix(b"\xef\xbb\xbf") if cutter.line == 1 else chunk)
        yield from cutter.cut
        cutter.cut.clear()
    cutter.finish()
    yield from cutter.cut


def opens_list(head: bytes, wrappers: Collection[str]) -> bool:
    """Whether a JSON object keeps its records in a list below one of these keys."""
    cutter = _Cutter(wrappers, len(head))
    cutter.feed(head)
    return cutter.listed
