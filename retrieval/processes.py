"""Child processes that run one script of ours and end at a limit of time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from retrieval.offline import child_environment


@contextmanager
def script_process(
    script: Path, job: Mapping[str, Any], folder: Path | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """A script of ours and its output, with the job as JSON on its input; killed at the end.

    Isolated: no user site, no PYTHON* variables, nothing of the current folder is imported.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-X", "utf8", os.fspath(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=child_environment(),
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(json.dumps(job).encode())
        yield process, process.stdout
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """Kills the process after ``seconds`` of the clock; the event is set if that happened."""
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        timer.join()
