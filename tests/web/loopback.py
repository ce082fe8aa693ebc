"""Servers on this machine that answer in every way a service on the web may."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Asked:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def params(self) -> dict[str, str]:
        return {k: v[-1] for k, v in parse_qs(urlsplit(self.target).query).items()}

    @property
    def data(self) -> dict:
        return json.loads(self.body)


Answer = Callable[[socket.socket, Asked, threading.Event], None]


@dataclass
class Loopback:
    """One server; ``answers`` is what it does, ``asked`` what came, ``over`` ends what hangs."""

    answers: Answer
    asked: list[Asked] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self):
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                request = _read(self.request)
                if request is None:
                    return
                outer.asked.append(request)
                try:
                    outer.answers(self.request, request, outer.over)
                except OSError:
                    return

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 50

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


def _read(connection: socket.socket) -> Asked | None:
    got = b""
    while b"\r\n\r\n" not in got:
        more = connection.recv(65536)
        if not more:
            return None
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = {k.casefold(): v.strip() for k, v in (line.split(":", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    return Asked(method, target, headers, body)


def raw(status: int, body: bytes, *headers: str, length: int | None = None) -> bytes:
    told = [f"HTTP/1.1 {status} Told", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*told, *headers, "", ""]).encode() + body


def says(body: bytes | str | dict | list, *headers: str, status: int = 200) -> Answer:
    """The same answer to everything."""
    text = json.dumps(body) if isinstance(body, dict | list) else body
    told = text.encode() if isinstance(text, str) else text

    def answer(connection, _asked, _over):
        connection.sendall(raw(status, told, *headers))

    return answer


def by_path(**answers: Answer) -> Answer:
    """An answer for each part that a path may end with; the name's dots are left out."""

    def answer(connection, asked, over):
        last = asked.path.rsplit("/", 1)[-1].replace(".", "_")
        answers[last](connection, asked, over)

    return answer


def hangs(_connection, _asked, over):
    """Takes the request and says nothing."""
    over.wait(60)


def drips(connection, _asked, over):
    """Sends a good head, then a byte now and then."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
    while not over.wait(0.05):
        connection.sendall(b" ")


def drips_its_head(connection, _asked, over):
    """Sends a head that never ends."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not over.wait(0.05):
        connection.sendall(b"a")


def half(answer: bytes, *headers: str) -> Answer:
    """Promises a whole answer, sends half, and hangs up."""

    def cut(connection, _asked, _over):
        connection.sendall(raw(200, answer[: len(answer) // 2], *headers, length=len(answer)))

    return cut


def endless(connection, _asked, _over):
    """200 MB of blanks."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n")
    for _ in range(200):
        connection.sendall(b" " * 1_000_000)


def redirects(to: str, status: int = 302) -> Answer:
    """Sends everybody elsewhere."""

    def answer(connection, _asked, _over):
        connection.sendall(raw(status, b"", f"Location: {to}"))

    return answer
