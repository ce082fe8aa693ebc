"""Requests to databases: permitted, bounded in size and time; no error shows what was sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from retrieval.core import Deadline, OutsideCallRefused, StageUnavailable, bounded
from retrieval.net import (
    HEADERS,
    HIDDEN,
    LIMIT,
    OutsideCalls,
    PassingFault,
    UnreadableBody,
    checked_address,
    follow,
    response_body,
)

PURPOSE = "databases"
PASSING = frozenset({429, 502, 503, 504})
PAUSE = 0.5
TRIES = 3
OFF = (
    "questions to databases are off: nothing is sent until they are switched on "
    "(SCANSCOUT_DATABASES=true)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request; a token is kept apart and never printed."""

    url: str
    params: tuple[tuple[str, str], ...] = ()
    form: tuple[tuple[str, str], ...] = ()
    token: str = field(default="", repr=False)

    @property
    def line(self) -> str:
        """The request as one line, without its token."""
        url = httpx.URL(self.url).copy_merge_params([*self.params, *self.form])
        return f"{'POST' if self.form else 'GET'} {url}"


@dataclass(frozen=True, slots=True)
class ApiHttp:
    """Sends requests of one database; its errors name the database and no address."""

    guard: OutsideCalls
    title: str
    transport: httpx.BaseTransport | None = None
    limit: int = LIMIT
    sleep: Callable[[float], None] = time.sleep

    def allowed(self) -> None:
        """Raise OutsideCallRefused while databases are off."""
        if PURPOSE not in self.guard.allowed:
            raise OutsideCallRefused(OFF)

    def send(self, call: Call, deadline: Deadline, tries: int = TRIES) -> str:
        """The body of the answer as text, with the token hidden in it.

        Raises StageUnavailable with a reason that names the database and no address. Faults
        that are likely to pass are tried again, at most ``tries`` times in all, after PAUSE,
        2 PAUSE ... seconds.
        """
        self.allowed()
        for number in range(1, max(1, tries) + 1):
            try:
                return self._once(call, deadline)
            except PassingFault:
                pause = PAUSE * number
                if number >= tries or pause >= deadline.left:
                    raise
                self.sleep(pause)
        raise StageUnavailable(f"{self.title}: not asked")

    def _once(self, call: Call, deadline: Deadline) -> str:
        if deadline.passed:
            raise StageUnavailable(f"{self.title}: the time for it was used up")
        self.guard.permit(PURPOSE, call.url)
        # The wait of a thread needs a finite number, also without a deadline.
        seconds = min(deadline.left, 3600.0)
        return bounded(lambda: self._follow(call, seconds), seconds, self.title)

    def _follow(self, call: Call, seconds: float) -> str:
        # Not through a client: that one logs every address with what is asked.
        transport = self.transport or httpx.HTTPTransport(trust_env=False)
        try:
            return follow(
                httpx.URL(call.url).copy_merge_params(list(call.params)),
                send=lambda url, _: transport.handle_request(_request(call, url, seconds)),
                redirect=lambda url, location: self._next(call, url, url.join(location)),
                read=lambda response, _: self._text(response, call.token),
                name=f"{self.title}: ",
            )
        except httpx.TimeoutException:
            raise StageUnavailable(f"{self.title}: no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnreadableBody):
            raise PassingFault(f"{self.title}: could not be reached, or broke off") from None
        finally:
            transport.close()

    def _text(self, response: httpx.Response, token: str) -> str:
        """The body as text in the encoding that the response names, else in UTF-8."""
        status = response.status_code
        if status != httpx.codes.OK:
            wrong = f"{self.title}: {_refusal(status)}"
            raise (PassingFault if status in PASSING else StageUnavailable)(wrong)
        try:
            body = response_body(response, self.limit)
        except UnreadableBody:
            raise
        except StageUnavailable as exc:
            raise StageUnavailable(f"{self.title}: {exc}") from None
        try:
            text = body.decode(response.charset_encoding or "utf-8", "replace")
        except LookupError:
            text = body.decode("utf-8", "replace")
        # Some servers repeat the request in an error text.
        return text.replace(token, HIDDEN) if token else text

    def _next(self, call: Call, url: httpx.URL, after: httpx.URL) -> httpx.URL:
        """A redirect is followed on the same machine only, and never with a token or a form."""
        same = (after.scheme, after.host, after.port) == (url.scheme, url.host, url.port)
        if call.token or call.form or not same:
            raise StageUnavailable(f"{self.title}: redirected to another place; not followed")
        return after


def _request(call: Call, url: httpx.URL, seconds: float) -> httpx.Request:
    authorization = {"Authorization": f"Bearer {call.token}"} if call.token else {}
    return httpx.Request(
        "POST" if call.form else "GET",
        url,
        headers={**HEADERS, **authorization},
        data=dict(call.form) or None,
        extensions={"timeout": httpx.Timeout(seconds).as_dict()},
    )


def _refusal(status: int) -> str:
    reasons = {
        400: "did not understand the request (HTTP 400); change the parameters",
        401: "asks for a token, or refused the one it got (HTTP 401)",
        403: "refused the request (HTTP 403)",
        404: "knows nothing under these parameters (HTTP 404)",
        429: "asks to wait: too many requests (HTTP 429)",
    }
    return reasons.get(status, f"answered HTTP {status}")


def checked_base(url: str) -> str:
    """The address of a database; raises BadInput for one that holds more than an address."""
    return checked_address(url, example="https://host/api", secret="a token")
