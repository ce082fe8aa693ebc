"""Answers for monitors: whether the process answers, and whether its stages are loaded.

They are given to any host, since a platform probes by addresses that no setting names, and state
nothing but one word there. Under the page's own names they also state which stages are up and the
hashes of catalog and index; ``/metrics`` is there alone, and only where a setting switches it on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

HEALTH, READY, METRICS = "/health", "/ready", "/metrics"
PROMETHEUS = "text/plain; version=0.0.4"
RETRY_S = 2
"""Seconds after which a monitor may ask again; loading takes a few."""


@dataclass(frozen=True, slots=True)
class Monitored:
    """What monitors may learn: readiness, details as JSON, and the text of the metrics."""

    ready: Callable[[], bool] = lambda: True
    details: Callable[[], Mapping[str, Any]] = dict
    metrics: Callable[[], str] | None = None

    def answer(self, path: str, method: str, *, own: bool) -> Response | None:
        """The answer to a monitor's request, or None for any other path.

        ``own``: it names this page's host.
        """
        measured = path == METRICS and self.metrics is not None and own
        if path not in {HEALTH, READY} and not measured:
            return None
        if method not in {"GET", "HEAD"}:
            return _answer(405, "method not allowed", {"allow": "GET, HEAD"})
        if measured and self.metrics is not None:
            always = {"cache-control": "no-store"}
            return PlainTextResponse(self.metrics(), media_type=PROMETHEUS, headers=always)
        details = self.details() if own else {}
        if path == HEALTH:
            return _answer(200, "ok", details=details)
        if self.ready():
            return _answer(200, "ready", details=details)
        return _answer(503, "loading", {"retry-after": str(RETRY_S)}, details)


def _answer(
    status: int,
    word: str,
    headers: Mapping[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> Response:
    always = {"cache-control": "no-store", **(headers or {})}
    return JSONResponse({"status": word, **(details or {})}, status_code=status, headers=always)
