"""A Milvus server for tests: started on a free port, killed and started again as a test wants."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path
from time import monotonic, sleep

import pytest

EXECUTABLE = os.environ.get("MILVUS_SERVER") or shutil.which("milvus-server") or ""
REASON = (
    "no Milvus server: pip install milvus into an environment of its own, and name its "
    "bin/milvus-server in MILVUS_SERVER"
)
START_S = 90
FIXED_PORTS = (2379, 2380, 9091)
"""What the packaged server listens on whatever it is told: one runs on a machine at a time."""


def answers(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as tried:
        return not tried.connect_ex(("127.0.0.1", port))


def in_use() -> list[int]:
    """The fixed ports on which somebody listens."""
    return [port for port in FIXED_PORTS if answers(port)]


class MilvusServer:
    """One server with a data folder and a port that stay the same over restarts."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self._options = folder, options
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Wait until it answers; skip the test with a reason where it does not run here."""
        if in_use():
            pytest.skip(f"ports {in_use()} are in use: a Milvus server runs here already")
        command = [EXECUTABLE, "--data", str(self.folder), "--proxy-port", str(self.port)]
        binary, variables = self.folder / "bin" / "milvus", dict(os.environ)
        if binary.exists():
            # The packaged script would take another port while the old one is in TIME-WAIT.
            command = [str(binary), "run", "standalone"]
            variables |= {"DEPLOY_MODE": "STANDALONE", "LD_LIBRARY_PATH": str(binary.parent)}
            variables["MILVUS_RUN_DIR"] = str(self.folder / "run")
        else:
            command += self._options
        with (self.folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self.folder,
                env={**variables, "PYTHONUNBUFFERED": "1"},
            )
        end = monotonic() + START_S
        while monotonic() < end and self._process.poll() is None:
            if self._is_ready():
                return
            sleep(0.5)
        printed = (self.folder / "server.log").read_text("utf-8", "replace")
        self.kill()
        pytest.skip(f"the Milvus server does not run here: {printed[-300:]}")

    def _is_ready(self) -> bool:
        """By the health page, or by the script's banner: its health page may be on another port."""
        try:
            with urllib.request.urlopen("http://127.0.0.1:9091/healthz", timeout=2) as page:
                return bool(page.status == 200)
        except OSError:
            return b"Ctrl+C" in (self.folder / "server.log").read_bytes()

    def kill(self) -> None:
        """As a power cut: nothing is written, no connection is closed."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
            end = monotonic() + START_S
            while in_use() and monotonic() < end:
                sleep(0.1)


def started(folder: Path, *options: str) -> MilvusServer:
    """A running server; skips the test with a reason where there is none."""
    if not EXECUTABLE:
        pytest.skip(REASON)
    server = MilvusServer(folder, *options)
    server.start()
    return server
