"""A request from outside to end a reading early; the files read by then are used."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, RLock
from types import FrameType


class Halt:
    """Requested by any thread or a signal; the reader is called once, also if it starts later."""

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

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for a request or the end of the time; whether it was requested."""
        return self._event.wait(seconds)

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
