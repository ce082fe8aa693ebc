"""Names with a time that is running out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from retrieval.core import boundary


class Expiry:
    """Calls ``end(name)`` in a thread once ``seconds`` have passed since ``renew(name)``.

    One timer for all names; the thread is a daemon, so that it keeps no process alive.
    """

    def __init__(self, end: Callable[[str], object], seconds: float) -> None:
        self._end, self.seconds = end, seconds
        self._lock = threading.Lock()
        self._due: dict[str, float] = {}  # the earliest first: every name has the same time
        self._timer: threading.Timer | None = None

    def renew(self, name: str) -> None:
        """Let the time of a name begin anew."""
        with self._lock:
            self._due.pop(name, None)
            self._due[name] = time.monotonic() + self.seconds
            self._schedule()

    def drop(self, name: str) -> None:
        """Let a name go without a call."""
        with self._lock:
            self._due.pop(name, None)

    def _schedule(self) -> None:
        if self._timer is None and self._due:
            first = next(iter(self._due.values()))
            self._timer = threading.Timer(max(0.0, first - time.monotonic()), self._run)
            self._timer.daemon = True
            self._timer.start()

    def _run(self) -> None:
        now = time.monotonic()
        with self._lock:
            over = [name for name, due in self._due.items() if due <= now]
            for name in over:
                del self._due[name]
            self._timer = None
            self._schedule()
        for name in over:
            with boundary("what ends with its time", []):  # the others are due as well
                self._end(name)
