"""The page as a process of its own, and clients that leave their requests unfinished."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from retrieval.settings import ROOT

DESCRIPTORS = 1024
"""What most systems give a process; the page has to do with it here, and cannot raise it."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


@contextmanager
def running_page(folder: Path) -> Iterator[tuple[int, Path]]:
    """The port of a page that answers, and the file of what it logs."""
    port, log = free_port(), folder / "page.log"
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SCANSCOUT_PORT": str(port),
        "SCANSCOUT_VECTOR_SEARCH": "false",
    }
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "app.py"],
            cwd=ROOT,
            env=env,
            stdout=file,
            stderr=file,
            preexec_fn=few_descriptors,
        )
    try:
        until = time.monotonic() + 120
        while seconds_to_answer(port) is None:
            assert time.monotonic() < until, log.read_text()
            assert process.poll() is None, log.read_text()
            time.sleep(0.3)
        yield port, log
    finally:
        process.kill()
        process.wait(timeout=20)


def seconds_to_answer(port: int, limit_s: float = 20.0) -> float | None:
    """How long ``GET /`` takes over a connection of its own; None where nothing answers."""
    start = time.monotonic()
    try:
        answer = httpx.get(f"http://127.0.0.1:{port}/", timeout=limit_s, trust_env=False)
    except httpx.HTTPError:
        return None
    return time.monotonic() - start if answer.status_code == 200 else None


@contextmanager
def unfinished(port: int, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """So many connections that have sent this and send no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count + 500, hard)), hard))
    clients: list[socket.socket] = []
    try:
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            clients.append(client)
            client.sendall(sent)
        yield clients
    finally:
        for client in clients:
            client.close()


@contextmanager
def asking_on(port: int) -> Iterator[list[float | None]]:
    """The seconds of one ``GET /`` after another, for as long as the block runs."""
    times: list[float | None] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            times.append(seconds_to_answer(port))

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield times
    finally:
        done.set()
        asker.join()


def is_closed(client: socket.socket, within_s: float) -> bool:
    """Whether the server ends a connection within a time, read to its end."""
    until = time.monotonic() + within_s
    while (left := until - time.monotonic()) > 0:
        client.settimeout(left)
        try:
            if not client.recv(65536):
                return True
        except TimeoutError:
            return False
        except OSError:
            return True
    return False
