"""Reads what the web server stored of an upload, then deletes it, whatever happened."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gradio.utils import get_upload_folder

from components.data import Uploaded
from retrieval import Engine

logger = logging.getLogger(__name__)


def read_and_delete(engine: Engine, paths: Sequence[str]) -> Uploaded:
    """The facts of the files; afterwards none of them is left on this machine."""
    files = [Path(path) for path in paths]
    try:
        return engine.read_scans(files)
    finally:
        for file in files:
            _delete(file)


def _delete(file: Path) -> None:
    """Remove a stored upload and the folder made for it; only below the upload folder."""
    root = Path(get_upload_folder()).resolve()
    if root not in file.resolve().parents:
        logger.error("an upload lay outside the upload folder and was left there")
        return
    file.unlink(missing_ok=True)
    with suppress(OSError):
        file.parent.rmdir()
    for empty in root.glob("tmp*"):
        with suppress(OSError):
            if empty.is_file() and empty.stat().st_size == 0:
                empty.unlink()
