"""Inside the reader process: progress of reading an upload, and whether to stop early."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from retrieval.scans.limits import Limits
from retrieval.scans.upload import Cause

At = tuple[int, int | None]
Say = Callable[[Mapping[str, Any]], None]


def hung_up() -> bool:
    """Whether the parent has closed stdin, which is its request to stop."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        # Windows selects sockets alone: there the parent ends the process.
        return False


def soft_end(limits: Limits, wall_s: float) -> float:
    """When to stop reading and answer, before the parent's clock ends the process."""
    return monotonic() + wall_s * limits.reading_part


@dataclass(slots=True)
class ReadingProgress:
    """Counts the files of one upload as they are read; ``until`` is a monotonic time."""

    of: int
    until: float
    say: Say
    stopped: Callable[[], bool] = hung_up
    read: int = 0
    cause: Cause | None = None

    def begin(self, at: At) -> None:
        """Tell the parent which file is read next, and how many are done."""
        self.say({"at": at, "read": self.read, "of": self.of})

    def passed(self, files: int = 1) -> None:
        """So many files need no further look."""
        self.read += files

    def over(self) -> bool:
        """Whether reading is to end here. The clock never ends it before the first file."""
        if self.cause is None and self.stopped():
            self.cause = "stopped"
        if self.cause is None and self.read and monotonic() > self.until:
            self.cause = "time"
        return self.cause is not None

    @property
    def partial(self) -> dict[str, Any] | None:
        """The counts and cause of a reading that was cut short, as JSON; None otherwise."""
        if self.cause is None:
            return None
        return {"read": self.read, "of": self.of, "cause": self.cause}
