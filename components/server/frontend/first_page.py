"""ASGI middleware: the page with links to the pack in the place of Gradio's own first script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server.assets import MOUNT, script, sheet
from components.server.frontend.modules import ENTRY, SHEET, modules
from components.server.frontend.pack import Packed, script_pack, sheet_pack

CHARSET = '<meta charset="utf-8" />'
TITLE = re.compile(r'<meta property="og:title" content="([^"]*)"')
"""Of those in a page of Gradio, the last is that of the app."""
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens a page: the pack, what stands in its head, and in the body of the main page."""

    files: Mapping[str, Packed]
    head: str
    box: str


def opening(types: Iterable[str], box: str) -> Opening | None:
    """The opening for components of these types; none where Gradio's scripts are not as known.

    ``box`` is the form that takes words until the page's own is there.
    """
    parts = modules(types)
    if parts is None:
        return None
    scripts, sheets = script_pack(parts), sheet_pack(parts)
    links = f'<link rel="stylesheet" href="{MOUNT}/{sheets.name}">'
    links += f'<script defer src="{MOUNT}/{scripts.name}"></script>'
    files = {one.name: one for one in (scripts, sheets)}
    return Opening(files, f"{first_head()}{links}", f"{box}<script>{script('first.js')}</script>")


def first_head() -> str:
    """What has to be there before Gradio's first request and before anything is painted."""
    scripts = f"<script>{script('english.js')}{script('session.js')}</script>"
    first = f"<style>{sheet('first.css')}</style>{scripts}"
    return f'<meta name="referrer" content="no-referrer">{first}'


@dataclass(frozen=True, slots=True)
class FirstPage:
    """Serves the pack, and rewrites what Gradio answers as a page."""

    app: ASGIApp
    opening: Opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, rewrite, or pass on."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        before, _, name = str(scope["path"]).rpartition("/")
        if before.endswith(f"/{MOUNT}") and name in self.opening.files:
            await _file(self.opening.files[name], scope)(scope, receive, send)
        else:
            box = self.opening.box if name == "" else ""
            await self.app(scope, receive, _Rewritten(send, self.opening.head, box))


def _file(one: Packed, scope: Scope) -> Response:
    accepted = Headers(scope=scope).get("accept-encoding", "")
    encoding = "gzip" if "gzip" in accepted else ""
    headers = {"cache-control": FOREVER, "vary": "Accept-Encoding"}
    if encoding:
        headers["content-encoding"] = encoding
    return Response(one.bodies[encoding], media_type=one.kind, headers=headers)


class _Rewritten:
    """Holds an answer that is a page back until it is complete; lets every other one pass."""

    def __init__(self, send: Send, head: str, box: str) -> None:
        self._send, self._head, self._box = send, head, box
        self._start: Message | None = None
        self._body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start, bytes(self._body))

    async def _finish(self, start: Message, body: bytes) -> None:
        text = opened(body.decode(), self._head, self._box).encode()
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["content-length"] = str(len(text))
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": text})


def _is_page(start: Message) -> bool:
    headers = Headers(raw=list(start["headers"]))
    kind = headers.get("content-type", "")
    return (
        start["status"] == 200
        and kind.startswith("text/html")
        and "content-encoding" not in headers
    )


def opened(html: str, head: str, box: str) -> str:
    """A page of Gradio that starts by the pack, with ``box`` in it; any other page as it is."""
    first = SHEET.search(html)
    if first is None or not ENTRY.search(html):
        return html
    # Before the configuration, so that the browser asks for the pack while that is on its way.
    bare = SHEET.sub("", ENTRY.sub("", html))
    # Gradio's script sets the title; where words are taken before it runs, it stands here.
    titles = TITLE.findall(html) if box else []
    title = f"<title>{titles[-1]}</title>" if titles else ""
    begun = bare.replace(CHARSET, f"{CHARSET}{title}{first[0]}{head}", 1)
    return begun.replace("<gradio-app", f"{box}<gradio-app", 1)
