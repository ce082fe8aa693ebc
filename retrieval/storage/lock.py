"""One writer at a time in a folder, across processes; a killed writer holds nothing."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

SECONDS = 30.0
"""How long a writer waits for another; a save takes a second or two."""


@contextmanager
def alone_in(folder: Path, seconds: float = SECONDS) -> Iterator[None]:
    """Hold the folder's lock. Raises TimeoutError when another process keeps it.

    The lock is on the folder itself, so it leaves no file behind. Windows has none: there the
    last writer wins, each with a whole state of its own.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        _wait(handle, seconds)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise TimeoutError(errno.EBUSY, "another process is writing it") from None
            time.sleep(0.05)
        else:
            return
