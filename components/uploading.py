"""Reads what the web server stored of an upload, then deletes it, whatever happened."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time

from gradio.utils import get_upload_folder

from components.data import Uploaded
from retrieval import BadInput, Engine

logger = logging.getLogger(__name__)
PLACEHOLDER_SECONDS = 60
"""An empty file this old is Gradio's placeholder; a younger one may be an upload just begun."""


def read_and_delete(engine: Engine, paths: Sequence[str]) -> Uploaded:
    """The facts of the files; afterwards none of them is left on this machine.

    Raises BadInput for what is no stored upload: the folder of all uploads is another user's too.
    """
    with stored_then_deleted(paths) as stored:
        return engine.read_scans(stored)


@contextmanager
def stored_then_deleted(paths: Sequence[str]) -> Iterator[list[Path]]:
    """The uploaded files, for as long as the block runs; then they are gone.

    Raises BadInput for what is no stored upload.
    """
    stored = [Path(path).resolve() for path in paths if is_stored(path)]
    try:
        if len(stored) < len(paths):
            raise BadInput("files: upload each file; a folder or path of the server is not taken")
        yield stored
    finally:
        for file in stored:
            _delete(file)
        _sweep(_root())


def is_stored(path: str) -> bool:
    """Whether a path is where the web server stores one uploaded file."""
    try:
        return Path(path).resolve().parent.parent == _root()
    except (OSError, ValueError, RuntimeError):
        return False


def _root() -> Path:
    return Path(get_upload_folder()).resolve()


def _delete(file: Path) -> None:
    """Remove a stored upload and the folder made for it; one that resists keeps no other."""
    try:
        file.unlink(missing_ok=True)
    except OSError as exc:
        logger.error("an upload could not be deleted (%s)", exc.strerror)
    with suppress(OSError):
        file.parent.rmdir()


def _sweep(root: Path) -> None:
    """Remove the empty placeholders that Gradio leaves for every uploaded file."""
    old = time() - PLACEHOLDER_SECONDS
    for one in root.glob("tmp*"):
        with suppress(OSError):
            told = one.stat()
            if one.is_file() and told.st_size == 0 and told.st_mtime < old:
                one.unlink()
