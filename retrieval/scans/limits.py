"""What one upload may cost, and a request from outside to end its reading early."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, RLock
from types import FrameType


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on time, memory, counts and sizes.

    ``batch_s`` is wall clock and bounds everything; ``file_s`` and ``preview_s`` are CPU seconds.
    After ``reading_part`` of the wall clock no further file is begun, so that an answer comes of
    those read; ``stop_s`` is what is left for it once somebody stops the reading.
    """

    batch_s: float = 10.0
    batch_s_per_file: float = 0.03
    batch_s_most: float = 40.0
    reading_part: float = 0.75
    stop_s: float = 15.0
    file_s: float = 1.2
    preview_s: float = 1.0
    memory_mb: int = 600
    inflate_mb: int = 64
    files: int = 5000
    members: int = 2000
    answer_mb: int = 8
    previews: int = 12
    refusals: int = 500

    def wall(self, files: int) -> float:
        """Seconds for a batch of so many paths: more for hundreds, never without a bound."""
        return min(self.batch_s + self.batch_s_per_file * files, self.batch_s_most)


class Halt:
    """An end requested by any thread or signal; a reader that starts later is told as well."""

    def __init__(self) -> None:
        self._event = Event()
        # A signal may come while this very thread holds it.
        self._lock = RLock()
        self._tell: Callable[[], None] | None = None

    @property
    def requested(self) -> bool:
        """Whether the end was requested."""
        return self._event.is_set()

    def ask(self) -> None:
        """Request the end; a second request changes nothing."""
        self._event.set()
        self._pass_on()

    @contextmanager
    def reaching(self, tell: Callable[[], None]) -> Iterator[None]:
        """Within the block ``tell`` is called once, when the end is or was requested."""
        with self._lock:
            self._tell = tell
        if self.requested:
            self._pass_on()
        try:
            yield
        finally:
            with self._lock:
                self._tell = None

    def _pass_on(self) -> None:
        with self._lock:
            tell, self._tell = self._tell, None
            if tell is not None:
                tell()


@contextmanager
def on_interrupt() -> Iterator[Halt]:
    """Within the block the first Ctrl-C requests the end; the second interrupts as usual.

    Where Ctrl-C is ignored, as in a shell's background job, it stays so.
    """
    halt, before = Halt(), signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield halt
        return

    def ask(_signum: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        halt.ask()

    signal.signal(signal.SIGINT, ask)
    try:
        yield halt
    finally:
        signal.signal(signal.SIGINT, before)
