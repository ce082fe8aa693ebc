"""Files that are whole or not there, and one writer at a time in a folder."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = ".lock"
"""The empty file in a folder whose lock a writer holds; it stays, as removing it would race."""

ASIDE = ".new-"
"""How the names of folders begin that are being filled, or were by a killed writer."""

SECONDS = 30.0
"""How long a writer waits for another; a save takes a second or two."""


@contextmanager
def alone_in(folder: Path, seconds: float = SECONDS) -> Iterator[None]:
    """Hold the folder's lock against other threads and processes; a killed holder loses it.

    Raises TimeoutError when another holds it for longer than ``seconds``, and OSError where the
    folder cannot be written.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / LOCK, timeout=seconds):
            yield
    except Timeout as exc:
        raise TimeoutError(errno.EBUSY, "another process is writing it") from exc


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits. Raises OSError, also for what is no file."""
    if not path.is_file():  # a pipe would be read for ever
        raise FileNotFoundError(errno.ENOENT, "not a file")
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_whole(path: Path, data: bytes) -> None:
    """Write aside, flush to disk, rename: a crash leaves the file before or the new one.

    Raises OSError, leaving no part of it.
    """
    # Threads of one process may write files of one folder at once.
    aside = path.with_name(f".{os.getpid()}{threading.get_ident()}.part")
    try:
        with aside.open("wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
