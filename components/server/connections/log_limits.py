"""Repeated log lines are counted, not written: clients must not be able to fill a disk."""

from __future__ import annotations

import logging
from collections import Counter
from time import monotonic

WINDOW_S = 60.0
SAME_LINES = 10
"""Lines from one place of the code in a minute: enough to see what goes on."""

ALL_LINES = 200
"""Lines in a minute from all places; with tracebacks of 4 kB that is 0.8 MB."""

LOGGERS = ("", "uvicorn", "uvicorn.access")


class RepeatLimit(logging.Filter):
    """Lets a few records from each place of the code through in a minute, then counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._start = monotonic()
        self._lines: Counter[tuple[str, int]] = Counter()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written; the first of a new minute says how many were not."""
        # A record that several handlers see is counted once.
        passed = getattr(record, "within_limit", None)
        if passed is None:
            passed = record.within_limit = self._passes(record)
        return bool(passed)

    def _passes(self, record: logging.LogRecord) -> bool:
        """Count a record; the first of a new window says how many the last one left out."""
        left_out = 0
        if monotonic() - self._start >= WINDOW_S:
            left_out, self._left_out = self._left_out, 0
            self._lines.clear()
            self._start = monotonic()
        place = (record.pathname, record.lineno)
        self._lines[place] += 1
        if self._lines[place] > SAME_LINES or self._lines.total() > ALL_LINES:
            self._left_out += 1
            self._lines[place] -= 1
            return False
        if left_out:
            message = f"{record.getMessage()} ({left_out} lines were left out in the last minute)"
            record.msg, record.args = message, None
        return True


def limit_repeats() -> None:
    """Put one limit before every handler that writes lines of the page and its libraries."""
    limit = RepeatLimit()
    handlers = [handler for name in LOGGERS for handler in logging.getLogger(name).handlers]
    for handler in filter(None, [*handlers, logging.lastResort]):
        if not any(isinstance(one, RepeatLimit) for one in handler.filters):
            handler.addFilter(limit)
