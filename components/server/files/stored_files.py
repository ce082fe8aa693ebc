"""Reads what the web server stored of an upload, then deletes it, whatever happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from components.server.files.upload_store import is_stored, remove
from retrieval import BadInput, Engine, Upload


def read_and_delete(engine: Engine, paths: Sequence[str]) -> Upload:
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
            remove(file)
