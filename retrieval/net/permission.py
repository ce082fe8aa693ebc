"""Whether a host may be asked, and when: permission by purpose, and a pause between requests."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urlsplit

from retrieval.core import Deadline, OutsideCallRefused, StageUnavailable

Call = tuple[str, str]
"""A purpose and the host that was asked for it."""

HISTORY = 1000
"""Calls that are remembered, so that the memory of a long-running process stays bounded."""

LONGEST = 300.0
"""Seconds for which a host is not asked at most, whatever its Retry-After says."""


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

    def check(self, purpose: str) -> None:
        """Raise OutsideCallRefused for a purpose that is off; nothing is recorded."""
        if purpose not in self.allowed:
            raise OutsideCallRefused(f"{purpose} is off: nothing is sent until it is switched on")

    def permit(self, purpose: str, url: str) -> None:
        """Record the call, or raise OutsideCallRefused for a purpose that is off.

        Only the host is recorded: a path or a query can hold what was asked.
        """
        self.check(purpose)
        with self._lock:
            self._history.append((purpose, urlsplit(url).hostname or ""))
            self._count += 1


@dataclass(slots=True)
class Pace:
    """The next moment at which each host may be asked; shared by all threads."""

    _next: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, host: str, pause: float, deadline: Deadline) -> None:
        """Sleep until the host may be asked again, and reserve ``pause`` seconds after that.

        Raises StageUnavailable, without sleeping, when that is after the deadline.
        """
        with self._lock:
            turn = max(self._next.get(host, 0.0), monotonic())
            wait_seconds = turn - monotonic()
            if wait_seconds > deadline.left:
                raise StageUnavailable(
                    f"asked too often; it may be asked again in {wait_seconds:.0f} s"
                )
            self._next[host] = turn + pause
        # Outside of the lock: other hosts do not wait for this one.
        time.sleep(max(0.0, wait_seconds))

    def hold(self, host: str, seconds: float) -> None:
        """Do not ask a host for so many seconds, at least 1 and at most LONGEST."""
        until = monotonic() + min(max(seconds, 1.0), LONGEST)
        with self._lock:
            self._next[host] = max(self._next.get(host, 0.0), until)
