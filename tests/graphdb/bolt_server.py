"""A graph server on loopback that speaks as much Bolt as a read transaction needs."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from neo4j._codec.packstream.v1 import UnpackableBuffer, Unpacker

GREETING = b"\x60\x60\xb0\x17"
VERSION = b"\x00\x00\x04\x05"
"""Bolt 5.4, without the exchange of lists that later versions begin with."""

HELLO, RUN, PULL, RESET, GOODBYE, LOGON = 0x01, 0x10, 0x3F, 0x0F, 0x02, 0x6A
SUCCESS, RECORD, FAILURE = 0x70, 0x71, 0x7F


class BoltServer:
    """Gives the same rows to every query, or one failure; ``received`` are tag and fields.

    A row's value may be a text of any length. ``silent``: it answers the first message alone.
    """

    def __init__(
        self, rows: Iterable[dict[str, Any]] = (), failure: str = "", silent: bool = False
    ) -> None:
        self.rows, self.failure, self.silent = list(rows), failure, silent
        self.received: list[tuple[int, list[Any]]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> BoltServer:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def fields(self, tag: int) -> list[Any]:
        """The fields of the first message with a tag."""
        return next(fields for one, fields in self.received if one == tag)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(OSError), connection.makefile("rb") as stream:
            if stream.read(20)[:4] != GREETING:
                return
            connection.sendall(VERSION)
            for tag, fields in _messages(stream):
                self.received.append((tag, fields))
                if self.silent and tag != HELLO:
                    continue
                for reply in self._replies(tag):
                    for at in range(0, len(reply), 60_000):
                        part = reply[at : at + 60_000]
                        connection.sendall(struct.pack(">H", len(part)) + part)
                    connection.sendall(b"\0\0")

    def _replies(self, tag: int) -> Iterator[bytes]:
        names = list(self.rows[0]) if self.rows else []
        if tag == HELLO:
            yield _struct(SUCCESS, {"server": "Neo4j/5.26.0", "connection_id": "bolt-1"})
        elif tag == RUN and self.failure:
            yield _struct(FAILURE, {"code": self.failure, "message": "as told"})
        elif tag == RUN:
            yield _struct(SUCCESS, {"fields": names, "t_first": 1})
        elif tag == PULL:
            for row in self.rows:
                yield _struct(RECORD, list(row.values()))
            yield _struct(SUCCESS, {"has_more": False, "type": "r"})
        elif tag != GOODBYE:
            yield _struct(SUCCESS, {})


def _messages(stream: Any) -> Iterator[tuple[int, list[Any]]]:
    data = b""
    while len(head := stream.read(2)) == 2:
        (size,) = struct.unpack(">H", head)
        data += stream.read(size)
        if size == 0 and data:
            buffer = UnpackableBuffer(data[2:])
            yield data[1], [Unpacker(buffer).unpack() for _ in range(data[0] & 0x0F)]
            data = b""


def _struct(tag: int, field: Any) -> bytes:
    return bytes([0xB1, tag]) + _packed(field)


def _packed(value: Any) -> bytes:
    """PackStream of texts, whole numbers, truth values, lists and maps."""
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xcb" + struct.pack(">q", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\xd2" + struct.pack(">I", len(data)) + data
    if isinstance(value, list):
        return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(_packed, value))
    pairs = b"".join(_packed(key) + _packed(one) for key, one in value.items())
    return b"\xda" + struct.pack(">I", len(value)) + pairs
