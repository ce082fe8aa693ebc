"""No connection leaves the machine unless somebody switched it on."""

from __future__ import annotations

import threading
from collections import deque
from urllib.parse import urlsplit

from retrieval.core import OutsideCallRefused

Call = tuple[str, str]
"""A purpose and the host that was asked for it."""

HISTORY = 1000
"""Calls that are remembered, so that the memory of a long-running process stays bounded."""


class OutsideCalls:
    """Which purposes may call out; every adapter asks here before it connects."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self._history: deque[Call] = deque(maxlen=HISTORY)
        self._count = 0
        self._lock = threading.Lock()

    @property
    def recent(self) -> list[Call]:
        """The last calls, at most HISTORY, the oldest first."""
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
        """Record the call, or raise OutsideCallRefused for a purpose that is off.

        Only the host is recorded: a path or a query can hold what was asked.
        """
        host = urlsplit(url).hostname or ""
        if purpose not in self.allowed:
            raise OutsideCallRefused(f"{purpose} is off: nothing is sent until it is switched on")
        with self._lock:
            self._history.append((purpose, host))
            self._count += 1
