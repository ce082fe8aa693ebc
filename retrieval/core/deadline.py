"""A wall-clock limit that is handed down, and a bound round one outside call."""

from __future__ import annotations

import threading
from collections.abc import Callable
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


def bounded(call: Callable[[], T], seconds: float, what: str) -> T:
    """The call's value, or StageUnavailable once the wall clock has run out.

    The call runs in a daemon thread: a peer that drips one byte at a time defeats every
    per-read timeout, so only leaving the call behind holds the limit.
    """
    box: list[T] = []
    error: list[BaseException] = []

    def work() -> None:
        try:
            box.append(call())
        except BaseException as exc:  # noqa: BLE001 - handed to the waiting thread
            error.append(exc)

    thread = threading.Thread(target=work, daemon=True, name=f"bounded {what}")
    thread.start()
    thread.join(seconds)
    if error:
        raise error[0]
    if not box:
        raise StageUnavailable(f"{what}: no answer within {seconds:g} s")
    return box[0]
