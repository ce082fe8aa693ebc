"""A web or literature service, and the same at an address with the way out to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from retrieval.core import NO_LIMIT, Deadline, Page, StageUnavailable
from retrieval.net import REFUSALS, Http, OutsideCalls, PinnedTransport, Reply, Request

PURPOSE = "web search"
REFUSED = {
    **REFUSALS,
    202: "asks to prove that a person is there (a captcha)",
    401: "refused the key (HTTP 401)",
}

Send = Callable[[Request], Reply]
T = TypeVar("T")


def web_http(
    guard: OutsideCalls,
    transport: httpx.BaseTransport | None = None,
    secrets: tuple[str, ...] = (),
) -> Http:
    """The way out for web search; a service may redirect to another machine of the web."""
    return Http(
        guard=guard,
        purpose=PURPOSE,
        transport=transport or PinnedTransport(),
        secrets=secrets,
        refusals=REFUSED,
        elsewhere=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a service is called, where its public server is, and how it is asked.

    ``search`` gets a function that sends a request, the text, the most hits that are wanted and
    the options of the service; it sends one request or more, each with its path for an address,
    and returns pages in the order of the service. ``pause``: seconds between two requests to the
    public server. ``through``: words for the answer, where another service is asked.
    """

    name: str
    home: str
    search: Callable[..., tuple[Page, ...]]
    pause: float = 0.0
    through: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebBackend:
    """A service at an address, with its options, such as a key."""

    service: Service
    base: str
    http: Http
    options: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """What the answer calls it."""
        return self.service.name

    @property
    def host(self) -> str:
        """The machine that is asked, as it is shown before anything is sent."""
        return urlsplit(self.base).hostname or self.base

    def search(self, text: str, limit: int, deadline: Deadline = NO_LIMIT) -> tuple[Page, ...]:
        """At most ``limit`` pages in the order of the service, all requests within one deadline.

        Raises StageUnavailable when there is none, or when the service gives none in time.
        """

        def send(request: Request) -> Reply:
            return self.http.send(self.placed(request), deadline)

        return some(self.service.search(send, text, limit, **self.options), limit)

    def placed(self, request: Request) -> Request:
        """The request at this address; a server of one's own may be private and needs no pause."""
        base = self.base.rstrip("/")
        own = base != self.service.home
        pause = 0.0 if own else self.service.pause
        return replace(request, url=f"{base}{request.url}", pause=pause, own=own)


def some(items: tuple[T, ...], limit: int) -> tuple[T, ...]:
    """At most so many; raises StageUnavailable for none."""
    if not items:
        raise StageUnavailable("found nothing")
    return items[:limit]
