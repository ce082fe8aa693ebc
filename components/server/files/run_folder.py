"""A folder for this process's uploads; folders of processes that ended are removed.

A process holds a lock on its folder for as long as it lives, however it ends: a folder without one
belongs to nobody. So two pages on one machine never remove each other's uploads.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from gradio.utils import get_upload_folder

if sys.platform != "win32":
    import fcntl

logger = logging.getLogger(__name__)

PREFIX = "scanscout-uploads-"
VARIABLE = "GRADIO_TEMP_DIR"
ABANDONED_S = 24 * 3600
"""Windows has no lock on folders: there one that nothing was written to for a day is removed."""


def own_upload_folder() -> Path:
    """This process's folder, made on the first call, removed when the process ends.

    Gradio stores and looks for uploads where the variable points, so it is set to the folder.
    """
    current = Path(get_upload_folder())
    own_prefix = f"{PREFIX}{os.getpid()}-"
    if current.name.startswith(own_prefix) and current.is_dir():
        return current
    base = current.parent if current.name.startswith(PREFIX) else current
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
    if not os.access(base, os.W_OK | os.X_OK):  # such as the folder of another user
        logger.warning("the folder for uploads cannot be written to; the system's own is used")
        base = Path(tempfile.gettempdir())
    folder = _locked_folder(base.resolve(), own_prefix)
    atexit.register(remove_folder, folder)
    # Gradio's one way to say where uploads go, and child processes inherit it.
    os.environ[VARIABLE] = str(folder)
    # These noted the folder when they were imported, and make folders of their own in it.
    for name in ("gradio.routes", "gradio.route_utils", "gradio.mcp"):
        if name in sys.modules:
            vars(sys.modules[name])["DEFAULT_TEMP_DIR"] = str(folder)
    return folder


def remove_folder(folder: Path) -> None:
    """Remove a folder with all its content, also while a thread still writes into it.

    Tries five times within half a second; a folder that stays is logged.
    """
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
    logger.error("the folder of uploads could not be removed")


def _locked_folder(base: Path, prefix: str) -> Path:
    """A new folder with this process's lock on it; those that nobody locks are removed first."""
    for folder in base.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if not folder.is_symlink() and folder.is_dir() and _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=base))
        # Another process that starts now may have removed the folder before the lock was there.
        if _lock(folder) and folder.is_dir():
            return folder


def _is_abandoned(folder: Path) -> bool:
    if sys.platform == "win32":
        return folder.stat().st_mtime < time.time() - ABANDONED_S
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return folder.stat().st_uid == os.getuid()


def _lock(folder: Path) -> bool:
    """Lock a folder until the process ends: the handle is left open on purpose."""
    if sys.platform == "win32":
        return True
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
