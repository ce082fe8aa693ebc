"""The one boundary of the reader process: whatever goes wrong becomes a reason."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from retrieval.scans.reasons import Reason, Refused

T = TypeVar("T")


class OutOfTime(BaseException):
    """The alarm. Not an Exception, so that a library's own handlers let it through."""


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_signum: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    # CPU time: on a busy machine a good file must not be refused; the parent holds the wall clock.
    # It rings again: the first ring may fall into a destructor, which swallows it.
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.01), 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def guarded(call: Callable[[], T], seconds: float) -> T | Reason:
    """The call's value, or why there is none; error texts may hold paths and are dropped.

    ``seconds`` are CPU time of this process. Not to be nested: there is one timer.
    """
    try:
        with _alarm(seconds):
            return call()
    except Refused as refusal:
        return refusal.reason
    except OutOfTime:
        return Reason.TOO_SLOW
    except MemoryError:
        return Reason.TOO_MUCH_MEMORY
    # The reader's one broad boundary, the last of these: over hostile bytes a format's library may
    # raise anything, and neither its text nor its type may leave the process. Ctrl-C passes.
    except Exception:  # noqa: BLE001
        return Reason.UNREADABLE
