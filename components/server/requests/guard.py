"""ASGI middleware: what the page serves itself, what it refuses, what it says to browsers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.server.files.upload_store import claim, is_stored
from components.server.requests.body import TooLarge, is_form, json_body

BLOCKED = ("/deep_link", "/monitoring", "/vibe-", "/process_recording", "/proxy=", "/dev/reload")
AGENTS = "/gradio_api/mcp"
"""Where the Model Context Protocol is served."""
NO_UPLOAD = "Files are taken by upload, not by address or path; send the paths of uploads"
INVALID_PARAMS = -32602
"""The code of JSON-RPC 2.0 for arguments that are not taken."""
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
        b"style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        b"connect-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; "
        b"base-uri 'self'; form-action 'self'; "
        b"frame-ancestors 'self' https://huggingface.co https://*.hf.space",
    ),
)


@dataclass(frozen=True, slots=True)
class Guard:
    """Stands before Gradio's routes. ``files``: name below ``mount`` to file and media type.

    ``uploads`` answers in the place of Gradio's route for them.
    """

    app: ASGIApp
    mount: str
    uploads: ASGIApp
    files: Mapping[str, tuple[Path, str]] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, refuse, or pass on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"])
        own = self._own(path)
        if own is not None:
            await own(scope, receive, _with_headers(send))
        elif _blocked(path):
            await _refusal(404, "Not found")(scope, receive, _with_headers(send))
        else:
            await self._bounded(scope, receive, _with_headers(send))

    def _own(self, path: str) -> FileResponse | None:
        before, _, name = path.rpartition("/")
        if not before.endswith(f"/{self.mount}") or name not in self.files:
            return None
        file, kind = self.files[name]
        age = {"cache-control": "public, max-age=3600"}
        return FileResponse(file, media_type=kind, headers=age)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_upload = str(scope["path"]).rstrip("/").endswith("/upload")
        if is_upload and scope["method"] == "POST":
            await self.uploads(scope, receive, send)
        elif not is_upload and is_form(scope) and scope["method"] in {"POST", "PUT", "PATCH"}:
            # Gradio would store files of such a form without asking for a limit.
            await _refusal(415, "Files are taken at /gradio_api/upload only")(scope, receive, send)
        else:
            await self._read(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Other bodies are small: read completely, checked, then passed on."""
        try:
            body, again = await json_body(scope, receive)
        except TooLarge:
            await _refusal(413, "The request is too large")(scope, receive, send)
            return
        # Gradio would log the path, a file's name in it, and take a folder of many uploads.
        paths = list(_paths(body.value))
        if any(map(_is_address, paths)) or not all(map(is_stored, paths)):
            refused = _no_upload(body.value if AGENTS in str(scope["path"]) else None)
            await refused(scope, receive, send)
            return
        for path in paths:
            claim(path)
        await self.app(scope, again, send)


def _blocked(path: str) -> bool:
    low = path.casefold()
    if any(part in low for part in BLOCKED):
        return True
    _, is_file, rest = low.partition("/file=")
    _, other, more = low.partition("/file/")
    return (bool(is_file) and "://" in rest.replace(":/", "://")) or (bool(other) and ":/" in more)


def _is_address(path: str) -> bool:
    """Gradio would download such an address from inside the server's network."""
    return "://" in path.strip()[:12]


def _paths(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    """What a JSON value gives as the paths of files, however deep."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, dict):
            path = one.get("path")
            if isinstance(path, str):
                yield path
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)


def _no_upload(message: Any) -> Response:  # noqa: ANN401 - any JSON
    """The refusal of a path; to a request of an agent as the error of that request.

    Any other answer than one of JSON-RPC ends the session of an agent's client.
    """
    if not isinstance(message, dict) or "id" not in message:
        return _refusal(400, NO_UPLOAD)
    error = {"code": INVALID_PARAMS, "message": NO_UPLOAD}
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "error": error})


def _refusal(status: int, text: str) -> PlainTextResponse:
    return PlainTextResponse(text, status_code=status)


def _with_headers(send: Send) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return dressed
