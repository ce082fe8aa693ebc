"""Takes uploads in the place of Gradio's route: checks, counts, stores; cut ones leave nothing.

The answer is what Gradio's clients expect: a JSON list of the paths of the stored files.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from urllib.parse import parse_qs

from gradio.routes import file_upload_statuses
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from components.server.address import Network, client_address
from components.server.files.multipart import PartFiles, UploadRefused, boundary_of
from components.server.files.upload_budget import OverBudget, UploadBudget
from components.server.files.upload_store import LONGEST_S

logger = logging.getLogger(__name__)

STALL_S = 30.0
"""The longest silence within a body; a phone that changes its network is back before."""
TICK_S = 0.5
"""How soon an upload under way ends when the page is stopped."""
LINGER_S = 10.0
"""So long is read on after a refusal: a browser shows the answer only when it has sent all."""
FORGET_S = 60.0
"""Gradio keeps the progress of an upload until somebody asked for it; here for so long."""


class Cut(Exception):
    """The connection ended before the body did."""


@dataclass(slots=True)
class Uploads:
    """An ASGI application for one route. Sizes in bytes: of one file, and of a request."""

    file_bytes: int
    request_bytes: int
    budget: UploadBudget
    trusted: Sequence[Network] = ()
    stopping: Event = field(default_factory=Event)
    stall_s: float = STALL_S

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Store the files of one request, or say why not."""
        body = _Body(receive)
        try:
            paths = await self._stored(scope, body)
        except UploadRefused as refusal:
            logger.info("an upload was refused with status %d", refusal.status)
            await _refuse(refusal, body, send)
        except Cut:
            logger.debug("an upload was cut off")
        else:
            await JSONResponse([str(path) for path in paths])(scope, receive, send)

    async def _stored(self, scope: Scope, receive: Receive) -> list[Path]:
        headers = dict(scope["headers"])
        files = PartFiles(boundary_of(headers.get(b"content-type", b"")), self.file_bytes)
        length = headers.get(b"content-length", b"0")
        announced = int(length) if length.isdigit() else 0
        progress = _Progress(scope)
        paths: list[Path] = []
        try:
            async with aclosing(self._counted(scope, receive, announced)) as pieces:
                async for piece in pieces:
                    await asyncio.to_thread(files.write, piece)
                    progress.add(files.progress)
            paths = await asyncio.to_thread(files.finish)
        except OSError as exc:
            logger.error("an upload could not be stored (%s)", exc.strerror)
            raise UploadRefused(507, "The server has no room for the upload; try later") from exc
        finally:
            progress.end()
            if not paths:
                await asyncio.to_thread(files.discard)
        return paths

    async def _counted(
        self, scope: Scope, receive: Receive, announced: int
    ) -> AsyncGenerator[bytes, None]:
        """The pieces of a body, as long as they keep all limits. Raises UploadRefused, Cut."""
        if announced > self.request_bytes:
            raise self._too_large()
        address = client_address(scope, self.trusted)
        try:
            with self.budget.transfer(address, announced) as transfer:
                async for piece in self._pieces(receive):
                    transfer.add(len(piece))
                    if transfer.size > self.request_bytes:
                        raise self._too_large()
                    yield piece
        except OverBudget as over:
            limit = self.budget.overall if over.everybody else self.budget.per_address
            who = "all visitors" if over.everybody else "one address"
            most = f"This server takes {limit / 1e6:g} MB of uploads a minute from {who}"
            if announced > limit:
                raise UploadRefused(413, f"{most}; send fewer files at once") from over
            again = f"try again in {over.wait_s} s"
            raise UploadRefused(429, f"{most}; {again}", over.wait_s) from over

    async def _pieces(self, receive: Receive) -> AsyncGenerator[bytes, None]:
        began, more = time.monotonic(), True
        while more:
            if time.monotonic() - began > LONGEST_S:
                raise UploadRefused(408, "The upload took too long; send fewer files at once")
            message = await self._next(receive)
            if message["type"] != "http.request":
                raise Cut
            more = bool(message.get("more_body", False))
            if piece := message.get("body", b""):
                yield piece

    async def _next(self, receive: Receive) -> Message:
        """The next piece. Raises UploadRefused where none comes, or the page is stopped."""
        ends = time.monotonic() + self.stall_s
        waiting = asyncio.ensure_future(receive())
        try:
            while True:
                if self.stopping.is_set():
                    raise UploadRefused(503, "The server is being stopped; upload again later")
                finished_tasks, _ = await asyncio.wait([waiting], timeout=TICK_S)
                if finished_tasks:
                    return waiting.result()
                if time.monotonic() >= ends:
                    raise UploadRefused(408, f"Nothing came for {self.stall_s:g} s; upload again")
        finally:
            waiting.cancel()

    def _too_large(self) -> UploadRefused:
        most = f"{self.request_bytes / 1e6:g} MB"
        return UploadRefused(
            413, f"An upload exceeds the maximum allowed size of {most}; send fewer files at once"
        )


@dataclass(slots=True)
class _Body:
    """The messages of one request, and whether its body was read to the end."""

    receive: Receive
    is_whole: bool = False

    async def __call__(self) -> Message:
        message = await self.receive()
        more = bool(message.get("more_body", False))
        self.is_whole = message["type"] == "http.request" and not more
        return message


class _Progress:
    """What Gradio's route of progress tells the page about an upload."""

    def __init__(self, scope: Scope) -> None:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self._id = query.get("upload_id", [""])[0][:64]
        if self._id:
            file_upload_statuses.track(self._id)

    def add(self, stored: Sequence[tuple[str, int]]) -> None:
        for name, size in stored if self._id else ():
            file_upload_statuses.append(self._id, name, bytes(size))

    def end(self) -> None:
        def forget() -> None:
            file_upload_statuses.stop_tracking(self._id)
            file_upload_statuses._signals.pop(self._id, None)

        if self._id:
            file_upload_statuses.set_done(self._id)
            asyncio.get_running_loop().call_later(FORGET_S, forget)


async def _refuse(refusal: UploadRefused, body: _Body, send: Send) -> None:
    """Answer at once, read on for a while so that the client sees the answer, then close."""

    async def read_on() -> None:
        message = await body()
        while message["type"] == "http.request" and message.get("more_body", False):
            message = await body()

    extra = {"connection": "close"}
    if refusal.wait_s:
        extra["retry-after"] = str(refusal.wait_s)
    answer = PlainTextResponse(refusal.reason, status_code=refusal.status, headers=extra)
    start = {"status": answer.status_code, "headers": answer.raw_headers}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    if refusal.status not in {408, 503} and not body.is_whole:
        with suppress(TimeoutError):
            await asyncio.wait_for(read_on(), LINGER_S)
    await send({"type": "http.response.body", "body": b"", "more_body": False})
