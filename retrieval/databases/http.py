"""The way out to databases: permitted, bounded in size and time, and quiet about what was sent."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from retrieval.core import BadInput, Deadline, OutsideCallRefused, StageUnavailable, bounded
from retrieval.net import OutsideCalls

PURPOSE = "databases"
LIMIT = 4_000_000
"""Bytes of an answer, inflated."""

HOPS = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PASSING = frozenset({429, 502, 503, 504})
HEADERS = {"User-Agent": "ScanScout/0.1", "Accept-Encoding": "gzip"}
HIDDEN = "[hidden]"
PAUSE = 0.5
TRIES = 3
OFF = (
    "questions to databases are off: nothing is sent until they are switched on "
    "(SCANSCOUT_DATABASES=true)"
)


class _Passing(StageUnavailable):
    """A fault that another try may cure."""


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
        """The body of the answer as text; StageUnavailable with a readable reason."""
        self.allowed()
        for number in range(1, max(1, tries) + 1):
            try:
                return self._once(call, deadline)
            except _Passing:
                pause = PAUSE * number
                if number >= tries or pause >= deadline.left:
                    raise
                self.sleep(pause)
        raise StageUnavailable(f"{self.title}: not asked")

    def _once(self, call: Call, deadline: Deadline) -> str:
        if deadline.passed:
            raise StageUnavailable(f"{self.title}: the time for it was used up")
        self.guard.permit(PURPOSE, call.url)
        seconds = min(deadline.left, 3600.0)
        return bounded(lambda: self._follow(call, seconds), seconds, self.title)

    def _follow(self, call: Call, seconds: float) -> str:
        url = httpx.URL(call.url).copy_merge_params(list(call.params))
        # Not through a client: that one logs every address with what is asked.
        transport = self.transport or httpx.HTTPTransport(trust_env=False)
        try:
            for _ in range(HOPS + 1):
                reply = self._read(transport, call, url, seconds)
                if isinstance(reply, str):
                    return reply
                url = self._next(call, url, reply)
        except httpx.TimeoutException:
            raise StageUnavailable(f"{self.title}: no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
            raise _Passing(f"{self.title}: could not be reached, or broke off") from None
        finally:
            transport.close()
        raise StageUnavailable(f"{self.title}: redirected more than {HOPS} times")

    def _read(
        self, transport: httpx.BaseTransport, call: Call, url: httpx.URL, seconds: float
    ) -> str | httpx.URL:
        """The body, or where a redirect leads."""
        authorization = {"Authorization": f"Bearer {call.token}"} if call.token else {}
        request = httpx.Request(
            "POST" if call.form else "GET",
            url,
            headers={**HEADERS, **authorization},
            data=dict(call.form) or None,
            extensions={"timeout": httpx.Timeout(seconds).as_dict()},
        )
        answer = transport.handle_request(request)
        try:
            return self._text_or_redirect(answer, call, url)
        finally:
            answer.close()

    def _text_or_redirect(
        self, answer: httpx.Response, call: Call, url: httpx.URL
    ) -> str | httpx.URL:
        if answer.status_code in REDIRECTS:
            return url.join(answer.headers.get("location", ""))
        if answer.status_code != httpx.codes.OK:
            wrong = f"{self.title}: {_refusal(answer.status_code)}"
            raise (_Passing if answer.status_code in PASSING else StageUnavailable)(wrong)
        body = self._bounded(answer)
        text = body.decode(_charset(answer), "replace")
        return text.replace(call.token, HIDDEN) if call.token else text

    def _bounded(self, answer: httpx.Response) -> bytes:
        body = b""
        for chunk in answer.iter_bytes(65_536):
            body += chunk
            if len(body) > self.limit:
                raise StageUnavailable(f"{self.title}: sent more than {self.limit / 1e6:.3g} MB")
        return body

    def _next(self, call: Call, url: httpx.URL, after: httpx.URL) -> httpx.URL:
        """A redirect is followed on the same machine only, and never with a token or a form."""
        same = (after.scheme, after.host, after.port) == (url.scheme, url.host, url.port)
        if call.token or call.form or not same:
            raise StageUnavailable(f"{self.title}: redirected to another place; not followed")
        return after


def _charset(answer: httpx.Response) -> str:
    """The encoding that the answer names, UTF-8 where it names none that there is."""
    try:
        return codecs.lookup(answer.charset_encoding or "utf-8").name
    except LookupError:
        return "utf-8"


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
    """An http(s) address without user, query or fragment. Raises BadInput."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadInput("base_url: no http or https address; give one such as https://host/api")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput("base_url: holds more than an address; give a token by its own setting")
    return url.rstrip("/")
