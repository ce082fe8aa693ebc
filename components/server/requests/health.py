"""Answers for monitors: whether the process answers, and whether its stages are loaded.

They are given to any host, since a platform probes by addresses that no setting names, and state
nothing but one word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse, Response

HEALTH, READY = "/health", "/ready"
RETRY_S = 2
"""Seconds after which a monitor may ask again; loading takes a few."""


def health_answer(path: str, method: str, ready: Callable[[], bool]) -> Response | None:
    """The answer to a monitor's request, or None for any other path."""
    if path not in {HEALTH, READY}:
        return None
    if method not in {"GET", "HEAD"}:
        return _answer(405, "method not allowed", {"allow": "GET, HEAD"})
    if path == HEALTH:
        return _answer(200, "ok")
    if ready():
        return _answer(200, "ready")
    return _answer(503, "loading", {"retry-after": str(RETRY_S)})


def _answer(status: int, word: str, headers: Mapping[str, str] | None = None) -> Response:
    always = {"cache-control": "no-store"}
    return JSONResponse({"status": word}, status_code=status, headers={**always, **(headers or {})})
