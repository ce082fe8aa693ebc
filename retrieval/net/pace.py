"""How often a host may be asked."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from time import monotonic

from retrieval.core import Deadline, StageUnavailable

LONGEST = 300.0
"""Seconds that a host is left alone at most after it asked us to wait."""


@dataclass(slots=True)
class Pace:
    """The next moment at which each host may be asked; shared by all threads."""

    _next: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, host: str, pause: float, deadline: Deadline) -> None:
        """Sleep until it is our turn, or raise when that comes after the deadline."""
        with self._lock:
            turn = max(self._next.get(host, 0.0), monotonic())
            left = turn - monotonic()
            if left > deadline.left:
                raise StageUnavailable(f"asked too often; it may be asked again in {left:.0f} s")
            self._next[host] = turn + pause
        time.sleep(max(0.0, left))

    def hold(self, host: str, seconds: float) -> None:
        """Leave a host alone for so long."""
        until = monotonic() + min(max(seconds, 1.0), LONGEST)
        with self._lock:
            self._next[host] = max(self._next.get(host, 0.0), until)
