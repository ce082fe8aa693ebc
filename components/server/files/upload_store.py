"""Where uploads lie and how long: one folder for each file, with an unguessable name.

The time stamp of such a folder counts as the time of its last use; one that lies ahead reserves
it. A folder that was not used for ``UNCLAIMED_S`` is removed, so nothing else has to be remembered.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from gradio.utils import get_upload_folder

logger = logging.getLogger(__name__)

SWEEP_S, UNCLAIMED_S = 10, 50
"""Seconds between sweeps, and seconds unused before removal: together the minute promised."""
LONGEST_S = 30 * 60
"""The longest that one request may take: 200 MB at 1 Mbit/s."""
CLAIMED_S = 5 * 60
"""An upload that a request names waits for its turn this long at most, counted from its storage:
up to 64 wait, two are read at a time, some seconds each."""

Lifespan = Callable[[Any], AbstractAsyncContextManager[None]]


def root() -> Path:
    """The folder of all uploads of this process."""
    return Path(get_upload_folder()).resolve()


def is_stored(path: str) -> bool:
    """Whether a path is where an uploaded file is stored.

    Only files directly in a folder of this process; symbolic links are resolved first.
    """
    try:
        return Path(path).resolve().parent.parent == root()
    except (OSError, ValueError, RuntimeError):
        return False


def reserve(name: str) -> Path:
    """A path for a file of this name, in a new folder that stays while a request may take."""
    folder = root() / secrets.token_hex(16)
    folder.mkdir(mode=0o700)
    file = folder / name
    file.touch(mode=0o600)
    _stamp(folder, time.time() + LONGEST_S)
    return file


def start_waiting(file: Path) -> None:
    """The file is complete: it is removed soon unless a request names it."""
    now = time.time()
    _stamp(file, now)
    _stamp(file.parent, now)


def claim(path: str) -> None:
    """A request names the file, which is then not removed before its turn; see ``CLAIMED_S``."""
    file = Path(path)
    with suppress(OSError):
        last = file.stat().st_mtime + CLAIMED_S - UNCLAIMED_S
        if last > file.parent.stat().st_mtime:
            _stamp(file.parent, last)


def remove(file: Path) -> None:
    """Remove an upload and its folder; a failure is logged and does not stop others."""
    try:
        file.unlink(missing_ok=True)
    except OSError as exc:
        logger.error("an upload could not be deleted (%s)", exc.strerror)
    with suppress(OSError):
        file.parent.rmdir()


def sweep(now: float | None = None) -> None:
    """Remove what was not used for ``UNCLAIMED_S``, and Gradio's empty placeholders.

    ``now`` is in seconds since 1970; files that vanish meanwhile are passed over.
    """
    last = (time.time() if now is None else now) - UNCLAIMED_S
    with suppress(OSError), os.scandir(root()) as entries:
        for entry in entries:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    if status.st_mtime <= last:
                        shutil.rmtree(entry.path)
                elif status.st_size == 0 or status.st_mtime <= last:
                    Path(entry.path).unlink()


def sweeping(forget: Callable[[], None] = lambda: None) -> Lifespan:
    """A lifespan of the web application that sweeps every ``SWEEP_S`` seconds.

    ``forget`` is called after each sweep, in the event loop.
    """

    async def sweep_on() -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            await asyncio.to_thread(sweep)
            forget()

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:  # noqa: ANN401 - the web application
        task = asyncio.create_task(sweep_on())
        try:
            yield
        finally:
            task.cancel()

    return lifespan


def _stamp(path: Path, when: float) -> None:
    os.utime(path, (when, when))
