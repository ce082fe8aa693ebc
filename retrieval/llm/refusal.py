"""The reason of a failed request in our own words, without any text of the server."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from retrieval.llm.dialect import too_long

if TYPE_CHECKING:
    import httpx2

LONGEST_WAIT = 2.0
"""Seconds a server may ask to wait before the one or two tries that follow a refusal."""

TRANSIENT = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
RETRIES = 2
PAUSE = 0.25

_WORDS = {
    401: "the key was refused; see SCANSCOUT_LLM_API_KEY",
    403: "the key may not do this; see SCANSCOUT_LLM_API_KEY",
    404: "no such model or address; see SCANSCOUT_LLM_MODEL and SCANSCOUT_LLM_BASE_URL",
    429: "too many requests, or the quota is used up",
}


def plain_words(error: Exception) -> str:
    """The kind of a failure, with its HTTP status and the wait that was asked for."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return "no connection, or a broken one" if _is_connection(error) else "no answer in time"
    words = _WORDS.get(status, "")
    response: httpx2.Response | None = getattr(error, "response", None)
    if too_long(status, response.text if response is not None else ""):
        words = "the prompt is too long for this model; lower SCANSCOUT_LLM_PROMPT_TOKENS"
    elif 300 <= status < 400:
        words = "it pointed elsewhere, which is not followed"
    elif status >= 500:
        words = "its server failed"
    reason = f"{words} (HTTP {status})" if words else f"HTTP {status}"
    wait = asked_wait(error)
    return (
        reason if wait is None or wait <= LONGEST_WAIT else f"{reason}; try again in {wait:.0f} s"
    )


def again_in(error: Exception, request: int) -> float | None:
    """Seconds until another try is sensible; None when it is not, or not so soon.

    The wait that the server states, else PAUSE, 2 PAUSE ...; a time-out is not tried again,
    because it has used the time of the next try.
    """
    if request >= RETRIES:
        return None
    status = getattr(error, "status_code", None)
    if status is None:
        return PAUSE if _is_connection(error) else None
    if status not in TRANSIENT:
        return None
    wait = asked_wait(error)
    if wait is None:
        return PAUSE * (1 << request)
    return wait if wait <= LONGEST_WAIT else None


def asked_wait(error: Exception) -> float | None:
    """The Retry-After of a response in seconds, from a number or a date; None without one."""
    response = getattr(error, "response", None)
    header: str = response.headers.get("retry-after", "").strip() if response is not None else ""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        return _until(header)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    seconds: float = (moment - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds)


def _is_connection(error: Exception) -> bool:
    """Whether the connection failed, other than by taking too long."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return "APIConnectionError" in names and "APITimeoutError" not in names
