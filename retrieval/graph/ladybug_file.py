"""The package of the embedded graph database, and its files opened within bounds."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from retrieval.core import StageUnavailable

POOL_BYTES = 1 << 28
MAX_FILE_BYTES = 1 << 36
"""The database reserves this much address space; its own default of 8 TB fails in containers."""


def imported_ladybug() -> ModuleType:
    """The package. Raises StageUnavailable with the command that installs it."""
    try:
        return import_module("ladybug")
    except ImportError as exc:
        raise StageUnavailable(
            "the package ladybug is missing; pip install 'scanscout[cypher]'"
        ) from exc


def opened_file(ladybug: ModuleType, path: Path, *, read_only: bool) -> Any:  # noqa: ANN401 - untyped
    """A database file; the package's own errors are RuntimeError and OSError."""
    return ladybug.Database(
        str(path), read_only=read_only, buffer_pool_size=POOL_BYTES, max_db_size=MAX_FILE_BYTES
    )
