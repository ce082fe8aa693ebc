"""A Milvus server of its own for measurements: started on a free port, killed, started again.

``MILVUS_SERVER`` names its program: ``pip install milvus`` in an environment of its own, then
``bin/milvus-server``. It listens on some fixed ports too, so that one runs on a machine at a time.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from types import TracebackType

EXECUTABLE = os.environ.get("MILVUS_SERVER") or shutil.which("milvus-server") or ""
HEALTH = "http://127.0.0.1:9091/healthz"
START_S = 120


class MilvusServer:
    """One server with a data folder and a port that stay the same over restarts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> MilvusServer:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    @property
    def uri(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The process that answers, or the script that started it."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Wait until it answers; ends the program where it does not."""
        command = [EXECUTABLE, "--data", str(self._folder), "--proxy-port", str(self._port)]
        binary, variables = self._folder / "bin" / "milvus", {**os.environ, "PYTHONUNBUFFERED": "1"}
        if binary.exists():
            # The packaged script would take another port while the old one is in TIME-WAIT.
            command = [str(binary), "run", "standalone"]
            variables |= {"DEPLOY_MODE": "STANDALONE", "LD_LIBRARY_PATH": str(binary.parent)}
            variables["MILVUS_RUN_DIR"] = str(self._folder / "run")
        with (self._folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self._folder,
                env=variables,
            )
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            if self._is_ready():
                return
            time.sleep(0.5)
        self.kill()
        raise SystemExit(f"the Milvus server did not start; see {self._folder / 'server.log'}")

    def _is_ready(self) -> bool:
        # The health page may be another server's; this one's port opens late in its start.
        with socket.socket() as own:
            if own.connect_ex(("127.0.0.1", self._port)):
                return False
        try:
            with urllib.request.urlopen(HEALTH, timeout=2) as page:
                return bool(page.status == 200)
        except OSError:
            # Its health page may be on another port; the script's banner says that it is up.
            return b"Ctrl+C" in (self._folder / "server.log").read_bytes()

    def kill(self) -> None:
        """As a power cut: nothing is written, no connection is closed."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
            time.sleep(1)
