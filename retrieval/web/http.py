"""Requests to web services: permitted, paced and bounded; no error shows what was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
import stamina

from retrieval.core import Deadline, StageUnavailable
from retrieval.net import (
    DEADLINE,
    HEADERS,
    HIDDEN,
    LIMIT,
    OWN,
    OutsideCalls,
    Pace,
    PassingFault,
    PinnedTransport,
    follow,
    response_body,
)
from retrieval.web.services.request import Ask, Reply

PURPOSE = "web search"
TRIES = 2
PASSING = frozenset({502, 503, 504})
"""HTTP statuses of a service that is likely to be back at once."""

# Every request has a connection of its own: the address is checked when it is opened.
CLOSING = {**HEADERS, "Connection": "close"}


@dataclass(frozen=True, slots=True)
class Http:
    """Sends what a backend asks. Errors are in our own words: no address, no body, no key.

    ``secrets`` are removed from every answer, in case a service repeats them.
    """

    guard: OutsideCalls
    transport: httpx.BaseTransport = field(default_factory=PinnedTransport)
    pace: Pace = field(default_factory=Pace)
    limit: int = LIMIT
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def send(self, ask: Ask, deadline: Deadline) -> Reply:
        """The answer, or StageUnavailable with a reason that names no address and no key.

        At most TRIES requests, each after the pause of its host; a redirect counts as part of one.
        Only faults that are likely to pass are tried again.
        """
        tries = stamina.retry_context(
            on=PassingFault,
            attempts=TRIES,
            timeout=max(deadline.left, 0.001),
            # Short waits, because a whole search has a few seconds.
            wait_initial=0.2,
            wait_max=0.5,
            wait_jitter=0.1,
        )
        for attempt in tries:
            with attempt:
                return self._once(ask, deadline)
        raise StageUnavailable("no answer")

    def _once(self, ask: Ask, deadline: Deadline) -> Reply:
        return follow(
            httpx.URL(ask.url).copy_merge_params([*ask.params, *ask.secret_params]),
            send=lambda url, first: self._response(ask, url, deadline, first=first),
            redirect=lambda url, location: _next(ask, url, location),
            read=lambda response, url: self._read(ask, response, url.host),
        )

    def _response(
        self, ask: Ask, url: httpx.URL, deadline: Deadline, *, first: bool
    ) -> httpx.Response:
        if deadline.passed:
            raise StageUnavailable("no time was left to ask it")
        # Only scheme and host: the path and the query hold what was asked.
        self.guard.permit(PURPOSE, f"{url.scheme}://{url.netloc.decode('ascii')}")
        self.pace.wait(url.host, ask.pause if first else 0.0, deadline)
        request = httpx.Request(
            ask.method,
            url,
            headers={**CLOSING, **dict((*ask.headers, *ask.secret_headers))},
            content=None if ask.body is None else ask.body.encode(),
            # An address that a redirect names was set by nobody here, so it must be public.
            extensions={DEADLINE: deadline, OWN: ask.own and first},
        )
        try:
            return self.transport.handle_request(request)
        except httpx.TimeoutException as exc:
            raise StageUnavailable("did not answer in time") from exc
        except httpx.ConnectError as exc:
            raise PassingFault("could not be reached") from exc
        except httpx.HTTPError as exc:
            raise PassingFault("closed the connection without an answer") from exc

    def _read(self, ask: Ask, response: httpx.Response, host: str) -> Reply:
        status = response.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS:
            stated = response.headers.get("retry-after", "")
            # A date, or a number of days, is answered with the pause of a service that says none.
            number = stated.isascii() and stated.isdigit() and len(stated) < 6
            self.pace.hold(host, float(stated) if number else 10.0)
        if status != httpx.codes.OK:
            raise (PassingFault if status in PASSING else StageUnavailable)(_refusal(status))
        try:
            body = response_body(response, self.limit)
        except httpx.TimeoutException as exc:
            raise StageUnavailable("sent its answer too slowly") from exc
        except (httpx.HTTPError, httpx.StreamError) as exc:
            raise PassingFault("broke off in the middle of its answer") from exc
        for secret in (*self.secrets, *ask.secrets):
            # Shorter ones are no keys, and would take letters out of ordinary words.
            body = body.replace(secret.encode(), HIDDEN.encode()) if len(secret) > 3 else body
        return Reply(body=body, charset=response.charset_encoding)


def _refusal(status: int) -> str:
    reasons = {
        202: "asks to prove that a person is there (a captcha)",
        401: "refused the key (HTTP 401)",
        403: "refused the request (HTTP 403)",
        429: "asks to wait: too many requests (HTTP 429)",
    }
    return reasons.get(status, f"answered HTTP {status}")


def _next(ask: Ask, url: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect leads, if it may be followed; its address is checked on connecting."""
    if ask.secrets or ask.method != "GET":
        raise StageUnavailable("redirected a request that is not for others; not followed")
    try:
        after = url.join(location)
        port = urlsplit(str(after)).port
    except (httpx.InvalidURL, ValueError) as exc:
        raise StageUnavailable("redirected to something that is no address") from exc
    if not location or after.scheme not in {"http", "https"} or not after.host or port == 0:
        raise StageUnavailable("redirected to something that is no web address; not followed")
    # A user name in an address can hide the true host, and http shows what https hid.
    if after.userinfo or (url.scheme == "https" and after.scheme == "http"):
        raise StageUnavailable("redirected to an unsafe address; not followed")
    return after.copy_with(fragment=None)
