"""One policy for another try: which faults are likely to pass, when, and how often."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx
import stamina

from retrieval.core import Deadline, StageUnavailable

TRIES = 2
"""Requests at most for one question, where the fault of the first is likely to pass."""

PASSING = frozenset({502, 503, 504})
"""HTTP statuses of a service that is likely to be back at once."""

BUSY = frozenset({408, 409, 429, 500, 529})
"""HTTP statuses that are tried again where the service itself says when."""

LONGEST_WAIT = 2.0
"""Seconds that a service may ask to wait before another try; a longer wait is not awaited."""

T = TypeVar("T")


class PassingFault(StageUnavailable):
    """A fault that another try may cure, after ``wait`` seconds where the service says so."""

    wait: float | None = None
    response: httpx.Response | None = None


def retried(call: Callable[[], T], deadline: Deadline, tries: int = TRIES) -> T:
    """The value of a call, made again after a PassingFault: at most ``tries`` times in all.

    The pause is the one that the service asks for, else a fifth of a second and then longer.
    """
    attempts = stamina.retry_context(
        on=lambda exc: isinstance(exc, PassingFault) and (exc.wait is None or exc.wait),
        attempts=max(1, tries),
        timeout=max(deadline.left, 0.001),
        # Short waits, because a whole search has a few seconds.
        wait_initial=0.2,
        wait_max=0.5,
        wait_jitter=0.1,
    )
    for attempt in attempts:
        with attempt:
            return call()
    raise StageUnavailable("no answer")


def passing_fault(response: httpx.Response, deadline: Deadline, words: str) -> PassingFault | None:
    """The fault of a response that is worth another try; None for any other response.

    A service that says when it is back is asked then, if that is within LONGEST_WAIT and the
    deadline; one that says nothing is asked again for the statuses in PASSING.
    """
    wait = stated_wait(response)
    if wait is None:
        passes = response.status_code in PASSING
    else:
        soon = wait <= LONGEST_WAIT and wait < deadline.left
        passes = soon and response.status_code in PASSING | BUSY
    if not passes:
        return None
    fault = PassingFault(words)
    fault.wait, fault.response = wait, response
    return fault


def stated_wait(response: httpx.Response) -> float | None:
    """The Retry-After of a response in seconds, from a number or a date; None without one."""
    header = response.headers.get("retry-after", "").strip()
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except (ValueError, TypeError):
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
