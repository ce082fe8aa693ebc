"""The one way out: every request is permitted, paced, bounded and tried again by one policy.

Services are asked through ``Http.send``; a library that speaks HTTP itself (the client of language
models) gets ``Http.client``. Errors are in our own words: no address, no body and no key.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from retrieval.core import Deadline, StageUnavailable
from retrieval.net.body import LIMIT, response_body
from retrieval.net.permission import OutsideCalls, Pace
from retrieval.net.request import Reply, Request
from retrieval.net.retry import TRIES, PassingFault, passing_fault, retried, stated_wait
from retrieval.net.secrets import hide
from retrieval.net.transport import DEADLINE, OWN, PinnedTransport

# Every request has a connection of its own: the address is checked when it is opened.
HEADERS = {"User-Agent": "ScanScout/0.1", "Accept-Encoding": "gzip", "Connection": "close"}

# 300 and 304 are no redirects: the one offers a choice, the other refers to a cache.
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HOPS = 3
"""Redirects that are followed for one request."""

REFUSALS: Mapping[int, str] = {
    403: "refused the request (HTTP 403)",
    429: "asks to wait: too many requests (HTTP 429)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """Sends requests for one purpose.

    ``secrets`` are removed from every answer, in case a service repeats them. ``refusals``: the
    words for a status. ``elsewhere``: whether a redirect may lead to another machine.
    """

    guard: OutsideCalls
    purpose: str
    transport: httpx.BaseTransport = field(default_factory=PinnedTransport)
    pace: Pace = field(default_factory=Pace)
    limit: int = LIMIT
    secrets: tuple[str, ...] = field(default=(), repr=False)
    refusals: Mapping[int, str] = field(default_factory=lambda: REFUSALS)
    elsewhere: bool = False

    def send(self, request: Request, deadline: Deadline, tries: int = TRIES) -> Reply:
        """The answer, or StageUnavailable with a reason that names no address and no key.

        At most ``tries`` requests, each after the pause of its host; a redirect counts as part of
        one. Only faults that are likely to pass are tried again.
        """
        return retried(lambda: self._followed(request, deadline), deadline, tries)

    def client(
        self,
        deadline: Deadline,
        requests: int,
        until: Deadline | None = None,
        tries: int = TRIES,
    ) -> httpx.Client:
        """A client for a library that speaks HTTP itself, to an address that was set on purpose.

        It sends at most ``requests`` in all and follows no redirect. Every response is complete
        when the library gets it, or a stream of events as far as it came before ``until``; passing
        faults were tried again, ``tries`` in all. For everything but a status the library raises
        StageUnavailable.
        """
        transport = _Complete(self, deadline, requests, until, tries)
        return httpx.Client(transport=transport, headers=HEADERS, follow_redirects=False)

    def open(self, request: httpx.Request, deadline: Deadline, *, own: bool) -> httpx.Response:
        """The head of one response, for a request that is permitted and recorded."""
        if deadline.passed:
            raise StageUnavailable("no time was left to ask it")
        # Only scheme and host: the path and the query hold what was asked.
        url = request.url
        self.guard.permit(self.purpose, f"{url.scheme}://{url.netloc.decode('ascii')}")
        request.extensions = {**request.extensions, DEADLINE: deadline, OWN: own}
        try:
            return self.transport.handle_request(request)
        except httpx.TimeoutException as exc:
            raise StageUnavailable("did not answer in time") from exc
        except httpx.ConnectError as exc:
            raise PassingFault("could not be reached") from exc
        except httpx.HTTPError as exc:
            raise PassingFault("closed the connection without an answer") from exc

    def read(self, response: httpx.Response, until: Deadline | None = None) -> bytes:
        """The body of a response, bounded; of a stream of events what came before ``until``."""
        try:
            return response_body(response, self.limit, until)
        except httpx.TimeoutException as exc:
            sent = "its answer too slowly" if response.num_bytes_downloaded else "nothing in time"
            raise StageUnavailable(f"sent {sent}") from exc
        except (httpx.HTTPError, httpx.StreamError) as exc:
            raise PassingFault("broke off in the middle of its answer") from exc

    def _followed(self, request: Request, deadline: Deadline) -> Reply:
        params = httpx.QueryParams([*request.params, *request.secret_params])
        start = url = httpx.URL(request.url).copy_merge_params(params)
        for hop in range(HOPS + 1):
            self.pace.wait(url.host, 0.0 if hop else request.pause, deadline)
            # An address that a redirect names was not set here, so it must be public.
            own = request.own and _origin(url) == _origin(start)
            with closing(self.open(_outgoing(request, url), deadline, own=own)) as response:
                if response.status_code not in REDIRECTS:
                    return self._reply(request, response, url.host, deadline)
                url = self._next(request, url, response.headers.get("location", ""))
        raise StageUnavailable(f"redirected more than {HOPS} times")

    def _reply(
        self, request: Request, response: httpx.Response, host: str, deadline: Deadline
    ) -> Reply:
        status = response.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS:
            stated = stated_wait(response)
            self.pace.hold(host, 10.0 if stated is None else stated)
        if status != httpx.codes.OK:
            words = self.refusals.get(status, f"answered HTTP {status}")
            raise passing_fault(response, deadline, words) or StageUnavailable(words)
        body = hide(self.read(response), (*self.secrets, *request.secrets))
        return Reply(body=body, charset=response.charset_encoding)

    def _next(self, request: Request, url: httpx.URL, location: str) -> httpx.URL:
        """Where a redirect leads, if it may be followed; its address is checked on connecting."""
        if request.secrets or request.method != "GET":
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
        if not self.elsewhere and _origin(after) != _origin(url):
            raise StageUnavailable("redirected to another place; not followed")
        return after.copy_with(fragment=None)


class _Complete(httpx.BaseTransport):
    """Hands a library complete responses; passing faults are tried again before it sees one."""

    def __init__(
        self,
        http: Http,
        deadline: Deadline,
        requests: int,
        until: Deadline | None,
        tries: int,
    ) -> None:
        self._http, self._deadline, self._left, self._until = http, deadline, requests, until
        self._tries = tries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return retried(lambda: self._once(request), self._deadline, self._tries)
        except PassingFault as fault:
            if fault.response is None:
                raise
            return fault.response

    def _once(self, request: httpx.Request) -> httpx.Response:
        if self._left < 1:
            raise StageUnavailable("was asked too often for one answer")
        self._left -= 1
        with closing(self._http.open(request, self._deadline, own=True)) as response:
            body = self._http.read(response, self._until)
        # The body is inflated already, and its length is another.
        described = {"content-encoding", "content-length", "transfer-encoding"}
        headers = [(k, v) for k, v in response.headers.multi_items() if k not in described]
        complete = httpx.Response(response.status_code, headers=headers, content=body)
        if fault := passing_fault(
            complete, self._deadline, f"answered HTTP {complete.status_code}"
        ):
            raise fault
        return complete


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _outgoing(request: Request, url: httpx.URL) -> httpx.Request:
    authorization = {"Authorization": f"Bearer {request.token}"} if request.token else {}
    return httpx.Request(
        request.method,
        url,
        headers={**HEADERS, **authorization, **dict(request.secret_headers)},
        json=request.data,
        data=dict(request.form) or None,
    )
