"""Answers of services in a small SQLite file, for a day, without the words asked for."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from retrieval.core import Page

logger = logging.getLogger(__name__)

AGE_S = 24 * 3600.0
"""Seconds that an answer is kept."""

MOST = 500
"""Answers that are kept; the oldest go first."""

SEAL = 64
"""Letters of the hash in front of a row's text."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, made REAL, pages TEXT)"
_NEWEST = "SELECT key FROM answers ORDER BY made DESC LIMIT ?"
_OLD = f"DELETE FROM answers WHERE made < ? OR key NOT IN ({_NEWEST})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPages:
    """An answer from the cache and its age in seconds."""

    pages: tuple[Page, ...]
    age_s: float


@dataclass(frozen=True, slots=True)
class PageCache:
    """A file that only its owner can read; every row is checked by a hash.

    A fault of the file is logged, and the service is asked instead. ``file`` None stores nothing.
    """

    file: Path | None
    age_s: float = AGE_S
    most: int = MOST
    now: Callable[[], float] = time.time

    def get(self, *parts: object) -> CachedPages | None:
        """The pages stored under these values and their age; None for old or damaged rows.

        The words asked for are not in the file: the key is a SHA-256 of them.
        """
        if self.file is None or not self.file.is_file():
            return None
        # A fault inside the context is suppressed and leaves this value.
        row = None
        with self._tolerated(), closing(self._open(self.file)) as base:
            query = "SELECT made, pages FROM answers WHERE key = ?"
            row = base.execute(query, (_key(parts),)).fetchone()
        if row is None:
            return None
        age = self.now() - float(row[0])
        pages = _pages(str(row[1]), _key(parts), row[0])
        return CachedPages(pages=pages, age_s=age) if pages and 0 <= age <= self.age_s else None

    def put(self, pages: tuple[Page, ...], *parts: object) -> None:
        """Store these pages under these values; older rows and those above ``most`` are deleted.

        A fault of the file is logged and not raised.
        """
        if self.file is None:
            return
        text = json.dumps([asdict(page) for page in pages])
        with self._tolerated():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            # SQLite would create the file readable by everybody on the machine.
            os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(self._open(self.file)) as base, base:
                key, now = _key(parts), self.now()
                row = (key, now, _seal(text, key, now) + text)
                base.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)
                base.execute(_OLD, (self.now() - self.age_s, self.most))

    def _open(self, file: Path) -> sqlite3.Connection:
        base = sqlite3.connect(file, timeout=1.0)
        try:
            base.execute(_SCHEMA)
        except sqlite3.Error:
            base.close()
            raise
        return base

    @contextmanager
    def _tolerated(self) -> Iterator[None]:
        """Log faults of the file; remove a damaged one, so that the next put begins a new one."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as exc:
            logger.warning("web answers cannot be kept (%s)", type(exc).__name__)
        except sqlite3.Error as exc:
            logger.warning(
                "the file of web answers is damaged (%s); a new one begins", type(exc).__name__
            )
            with suppress(OSError):
                for ending in ("", "-journal", "-wal", "-shm"):
                    Path(f"{self.file}{ending}").unlink(missing_ok=True)


def _seal(text: str, key: str, stored_at: float) -> str:
    """A hash of a row: SQLite does not notice a flipped byte in a text."""
    return hashlib.sha256(json.dumps([key, stored_at, text]).encode()).hexdigest()


def _key(parts: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _pages(row: str, key: str, stored_at: float) -> tuple[Page, ...]:
    """The pages of a row; none where it is not what was written, or has another shape."""
    seal, text = row[:SEAL], row[SEAL:]
    if seal != _seal(text, key, stored_at):
        return ()
    try:
        return _shape().validate_json(text)
    except ValidationError:
        return ()


@cache
def _shape() -> TypeAdapter[tuple[Page, ...]]:
    # Made on first use: it takes longer than the import of this file.
    return TypeAdapter(tuple[Page, ...])


def age_words(seconds: float) -> str:
    """``just now``, ``5 min ago``, ``3 h ago``, ``2 days ago``."""
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min ago"
    return (
        f"{seconds / 3600:.0f} h ago" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days ago"
    )
