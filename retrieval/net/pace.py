"""A minimum pause between requests to the same host."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from time import monotonic

from retrieval.core import Deadline, StageUnavailable

LONGEST = 300.0
"""Seconds for which a host is not asked at most, whatever its Retry-After says."""


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
            left = turn - monotonic()
            if left > deadline.left:
                raise StageUnavailable(f"asked too often; it may be asked again in {left:.0f} s")
            self._next[host] = turn + pause
        # Outside of the lock: other hosts do not wait for this one.
        time.sleep(max(0.0, left))

    def hold(self, host: str, seconds: float) -> None:
        """Do not ask a host for so many seconds, at least 1 and at most LONGEST."""
        until = monotonic() + min(max(seconds, 1.0), LONGEST)
        with self._lock:
            self._next[host] = max(self._next.get(host, 0.0), until)
