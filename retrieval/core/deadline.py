"""A wall-clock limit that is handed down, and a bound round one outside call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from retrieval.core.errors import StageUnavailable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock; the default never comes."""

    at: float = float("inf")

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """So many seconds from now."""
        return cls(monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds until the moment, never below 0."""
        return max(0.0, self.at - monotonic())

    @property
    def passed(self) -> bool:
        """Whether the moment has come."""
        return monotonic() >= self.at


NO_LIMIT = Deadline()


def begun(call: Callable[[], T], name: str) -> Future[T]:
    """The call under way in a thread that does not hold the process back at its end."""
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as exc:  # noqa: BLE001 - handed to whoever asks, else its caller waits in vain
            future.set_exception(exc)

    # A call that is left behind must not keep the process alive; its log lines name its request.
    threading.Thread(target=copy_context().run, args=(work,), daemon=True, name=name).start()
    return future


def ready(future: Future[T], seconds: float) -> bool:
    """Whether the call has ended, waiting for it so long at most."""
    return future in wait([future], min(seconds, threading.TIMEOUT_MAX)).done


def bounded(call: Callable[[], T], seconds: float, what: str) -> T:
    """The call's value, or StageUnavailable once the wall clock has run out.

    A peer that drips one byte at a time defeats every per-read timeout, so only leaving the
    call behind holds the limit.
    """
    future = begun(call, f"bounded {what}")
    if not ready(future, seconds):
        raise StageUnavailable(f"{what}: no answer within {seconds:g} s")
    return future.result()
