"""No connection leaves the machine unless somebody switched it on."""

from __future__ import annotations

import threading
from collections import deque
from urllib.parse import urlsplit

from retrieval.core import OutsideCallRefused

Call = tuple[str, str]
"""A purpose and the host that was asked for it."""

HISTORY = 1000
"""Calls that are remembered; a page that runs for months keeps no more."""


class OutsideCalls:
    """Which purposes may call out; every adapter asks here before it connects."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self._history: deque[Call] = deque(maxlen=HISTORY)
        self._count = 0
        self._lock = threading.Lock()

    @property
    def recent(self) -> list[Call]:
        """The last calls, at most HISTORY, the latest behind."""
        return self.since(0)

    @property
    def count(self) -> int:
        """How many calls were made in all."""
        return self._count

    def since(self, count: int) -> list[Call]:
        """The calls made after the first ``count``, as far as they are remembered."""
        with self._lock:
            new = min(self._count - count, len(self._history))
            return list(self._history)[len(self._history) - new :]

    def permit(self, purpose: str, url: str) -> None:
        """Record the call, or raise OutsideCallRefused; only the host is kept."""
        host = urlsplit(url).hostname or ""
        if purpose not in self.allowed:
            raise OutsideCallRefused(f"{purpose} is off: nothing is sent until it is switched on")
        with self._lock:
            self._history.append((purpose, host))
            self._count += 1
