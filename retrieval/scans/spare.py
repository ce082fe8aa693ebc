"""A reader process that waits for its job: starting one takes longer than reading most files."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock

from retrieval.offline import child_environment


def environment() -> dict[str, str]:
    """The variables that Python needs to start; no secret of the parent's is among them."""
    # Where the program must not write beside its own files, the reader must not either.
    needed = child_environment("PYTHONDONTWRITEBYTECODE")
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **needed,
        **dict.fromkeys(threads, "1"),
        "PYTHONPATH": os.fspath(Path(__file__).resolve().parents[2]),
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
    }


def started() -> subprocess.Popen[bytes]:
    """A new reader process; it reads one job from stdin and ends where that is closed."""
    return subprocess.Popen(
        # -P keeps the working folder off the path: an upload may lie there.
        [sys.executable, "-P", "-m", "retrieval.scans.reader.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # A library's error text may hold a path or a patient's name.
        stderr=subprocess.DEVNULL,
        env=environment(),
        # A session of its own keeps Ctrl-C away, so that the parent decides when reading ends.
        start_new_session=True,
    )


class Spare:
    """At most one waiting reader, once somebody asked for it; a reader is never used twice."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: subprocess.Popen[bytes] | None = None
        self._wanted = False

    def keep(self) -> None:
        """Start the first one, and from now on a new one after each reading."""
        self._wanted = True
        self.refill()

    def refill(self) -> None:
        """Start the next one where one is to be kept and none waits."""
        with self._lock:
            if self._wanted and (self._waiting is None or self._waiting.poll() is not None):
                self._waiting = started()

    def take(self) -> subprocess.Popen[bytes]:
        """The waiting reader, or a new one."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        return waiting if waiting is not None and waiting.poll() is None else started()

    def end(self) -> None:
        """End the waiting reader; none is kept any more."""
        self._wanted = False
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        waiting.kill()
        waiting.wait()
        for pipe in (waiting.stdin, waiting.stdout):
            with suppress(OSError):
                pipe and pipe.close()


SPARE = Spare()
"""The readers of this process."""

atexit.register(SPARE.end)


def keep_reader_ready() -> None:
    """Start a reader before the first file comes, and the next after each reading."""
    SPARE.keep()
