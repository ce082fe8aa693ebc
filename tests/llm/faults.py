"""A loopback server that answers as a test wants it, down to single bytes and resets."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

KEY = "sk-canary0123456789abcdefghij"


def completion(text: str | None, **message: object) -> bytes:
    """A chat completion with this content."""
    told = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "finish_reason": "stop", "message": told}
    usage = {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280}
    return json.dumps({"id": "1", "model": "tiny", "choices": [choice], "usage": usage}).encode()


def ranking(*ids: object, why: str = "it fits the task") -> str:
    return json.dumps({"tools": [{"id": i, "why": why} for i in ids]})


@dataclass
class Asked:
    """One request as it came."""

    head: str
    body: bytes

    @property
    def told(self) -> dict:
        return json.loads(self.body)

    @property
    def prompt(self) -> str:
        return self.told["messages"][0]["content"]


@dataclass
class Server:
    """Answers the n-th request with the n-th act, the last act from then on."""

    acts: tuple[Callable[[Wire], None], ...]
    asked: list[Asked] = field(default_factory=list)
    sent: int = 0
    broken: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def serve(self, connection: socket.socket) -> None:
        with connection:
            asked = _request(connection)
            if asked is None:
                return
            self.asked.append(asked)
            act = self.acts[min(len(self.asked), len(self.acts)) - 1]
            try:
                act(Wire(self, connection))
            except OSError:
                self.broken.set()


@dataclass
class Wire:
    """One connection, for an act to write to."""

    server: Server
    connection: socket.socket

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)
        self.server.sent += len(data)

    def pause(self, seconds: float) -> bool:
        """Wait; False once the test is over."""
        return not self.server.stopped.wait(seconds)

    def reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


Act = Callable[[Wire], None]


def says(body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> Act:
    """A whole answer; header names with _ for -."""
    more = "".join(f"{n.replace('_', '-')}: {v}\r\n" for n, v in headers.items())
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(body)}\r\n"

    def act(wire: Wire) -> None:
        wire.send(f"{head}Connection: close\r\n\r\n".encode() + body)

    return act


def streams(chunk: bytes, times: int, pause: float = 0.0, head: bytes | None = None) -> Act:
    """The same bytes again and again after a head, without a length."""
    start = head or b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"

    def act(wire: Wire) -> None:
        wire.send(start)
        for _ in range(times):
            wire.send(chunk)
            if pause and not wire.pause(pause):
                return

    return act


def silent(wire: Wire) -> None:
    wire.pause(60)


def resets(wire: Wire) -> None:
    wire.send(b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{")
    wire.reset()


def hangs_up(wire: Wire) -> None:
    wire.connection.close()


def stops_half_way(wire: Wire) -> None:
    wire.send(b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{")


def _request(connection: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    told = head.decode("latin-1")
    lengths = [row for row in told.lower().splitlines() if row.startswith("content-length:")]
    length = int(lengths[0].split(":")[1]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65536)
    return Asked(told, body)


@contextmanager
def serving(*acts: Act) -> Iterator[Server]:
    """A server for these acts on a free port of this machine."""
    server = Server(acts)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        threading.Thread(target=_accept, args=(server, listener), daemon=True).start()
        try:
            yield server
        finally:
            server.stopped.set()


def _accept(server: Server, listener: socket.socket) -> None:
    while not server.stopped.is_set():
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=server.serve, args=(connection,), daemon=True).start()
