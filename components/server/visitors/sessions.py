"""ASGI middleware: every request that names a session is checked before Gradio sees it.

A session hash is made by the client, travels in addresses and is no secret. So the hash is bound
to the secrets of its first request (`visitor_secrets`), and a request without one of them is
answered 403. Functions of the page itself need a secret. The public endpoints do not: Python's
``gradio_client`` keeps no cookies, and its hash is a random UUID that it sends to nobody else; such
a session holds no values and is bound to its address. With ``/call`` the answer holds a one-time
token, the event's id, and only who has it can fetch the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server.address import Network
from components.server.requests.body import json_body
from components.server.visitors.page_functions import PageFunctions
from components.server.visitors.session_requests import SessionRequest
from components.server.visitors.session_table import SessionError, SessionTable
from components.server.visitors.visitor_secrets import cookie_of, headers_of, is_https, new_cookie


@dataclass(frozen=True, slots=True)
class Sessions:
    """Stands before Gradio's routes."""

    app: ASGIApp
    table: SessionTable
    functions: PageFunctions
    trusted: Sequence[Network] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, again = await json_body(scope, receive)
        values = body.value if isinstance(body.value, dict) else {}
        request = SessionRequest(self.functions, scope, values, self.trusted)
        try:
            session = request.admitted(self.table)
        except SessionError as exc:
            # Gradio's page shows "detail" of a queued call, and "error" of a direct one.
            words = {"detail": str(exc), "error": str(exc)}
            await JSONResponse(words, status_code=exc.status)(scope, again, send)
            return
        try:
            await self.app(scope, again, self._with_cookie(scope, send))
        finally:
            if session is not None and request.is_heartbeat:
                session.closed = True

    def _with_cookie(self, scope: Scope, send: Send) -> Send:
        """A page, and nothing else, brings a cookie to a browser that has none."""
        asks_page = b"text/html" in b",".join(headers_of(scope, b"accept"))
        if scope["method"] != "GET" or not asks_page or cookie_of(scope):
            return send
        cookie = (b"set-cookie", new_cookie(secure=is_https(scope, self.trusted)))

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), cookie]}
            await send(message)

        return sent
