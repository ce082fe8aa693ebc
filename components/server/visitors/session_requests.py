"""One request as the sessions see it: who sends it, which sessions it names, what it calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import parse_qs

from components.server.address import UNKNOWN, Network, client_address
from components.server.visitors.page_functions import NO_FUNCTION, PageFunctions
from components.server.visitors.session_table import Session, SessionError, SessionTable
from components.server.visitors.visitor_secrets import headers_of, secrets_of

CALLS = re.compile(r"/(?:queue/join|(?:run|api|call|call/v2)/(?P<name>[^/]+))/?$")
HEARTBEAT = re.compile(r"/heartbeat/(?P<hash>[^/]+)/?$")
COMPONENT_FUNCTIONS = "/component_server"
"""A route of Gradio that reaches sessions; no component of this page has such a function."""

HOLDS = b"x-scanscout-holds"
"""What stands on the page when it asks, of what only its session knows: nothing, answer, scan."""

LONGEST_HASH = 100
"""Characters; Gradio's own clients use up to 36."""

ENDED = (
    "Your session ended; add the scan again, or the documents. What you typed is still here. "
    "To go on without them, press Remove scan or reload the page."
)
ENDED_ANSWER = (
    "Your session ended, and with it the answer on this page. Search again, then repeat this. "
    "What you typed is still here."
)
NO_SECRET = (
    "The page could not prove whose session this is. Allow cookies for this site, "
    "then reload the page. Programs use the endpoints that the API page lists."
)
TOO_LONG = f"session_hash: at most {LONGEST_HASH} characters."
NO_COMPONENT_FUNCTIONS = "This page has no component functions."


class SessionEnded(SessionError):
    """The page shows what its session held, and the session is gone."""

    status = 410


class NoSecret(SessionError):
    """A function of the page was called without the page's secret."""


class BadRequest(SessionError):
    """An invalid hash, or a route that this page does not serve."""

    status = 400


class SessionRequest:
    """One request before it is passed on."""

    def __init__(
        self,
        functions: PageFunctions,
        scope: Any,  # noqa: ANN401 - an ASGI scope
        body: dict[str, Any],
        trusted: Sequence[Network],
    ) -> None:
        self._path, self._body = str(scope["path"]), body
        self._query = parse_qs(bytes(scope.get("query_string", b"")).decode("latin-1"))
        self._page_holds = b"".join(headers_of(scope, HOLDS))
        self._sender = (address_group(client_address(scope, trusted)), secrets_of(scope))
        call, heartbeat = CALLS.search(self._path), HEARTBEAT.search(self._path)
        self.is_heartbeat = heartbeat is not None
        self._hash = heartbeat["hash"] if heartbeat else body.get("session_hash") if call else None
        self._call = functions.of_call(body, call["name"] or "") if call else NO_FUNCTION

    def admitted(self, table: SessionTable) -> Session | None:
        """The session that the request uses; None where it uses none. Raises SessionError.

        Side effects: the session counts as used now, and as begun where the call says so.
        """
        if self._path.rstrip("/").endswith(COMPONENT_FUNCTIONS):
            raise BadRequest(NO_COMPONENT_FUNCTIONS)
        # Everything that may be a session's hash, wherever it stands: /heartbeat/<hash>,
        # /stream/<hash>/..., and /call/<name>/<hash> in the place of an event.
        in_path = self._path.split("/")
        possible_hashes = [
            self._body.get("session_hash"),
            *self._query.get("session_hash", ()),
            *in_path,
        ]
        for possible_hash in possible_hashes:
            if isinstance(possible_hash, str):
                table.check(possible_hash, *self._sender)
        if not isinstance(self._hash, str):
            return None
        if len(self._hash) > LONGEST_HASH:
            raise BadRequest(TOO_LONG)
        self._check_call(table, self._hash)
        session = table.use(self._hash, *self._sender)
        session.begun |= self.is_heartbeat or self._call.uses_values
        session.has_values |= self._call.uses_values and not self._call.loads
        return session

    def _check_call(self, table: SessionTable, name: str) -> None:
        """Refuse a function of the page without a secret, or with a session that is gone."""
        if not self._call.private:
            return
        if not self._sender[1]:
            raise NoSecret(NO_SECRET)
        session = table.check(name, *self._sender)
        is_new = session is None or not session.begun
        # A search may replace an answer; an export, a plan or a remark cannot do without it.
        is_lost = self._page_holds not in {b"answer", b"nothing"} or (
            self._page_holds == b"answer" and not self._call.searches
        )
        if is_new and self._call.reads and not self._call.begins and is_lost:
            raise SessionEnded(ENDED_ANSWER if self._page_holds == b"answer" else ENDED)


def address_group(address: str) -> str:
    """What counts as one visitor's network: an IPv4 address, or the /64 of an IPv6 address.

    Providers give a household or a rented server at least a /64, so its addresses are free.
    """
    if address == UNKNOWN:
        return address
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, 64), strict=False))
    return address
