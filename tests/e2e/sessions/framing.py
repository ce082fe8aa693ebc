"""A Space as browsers see it: an outer page over https with the page in a frame of another site."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

OUTER, INNER = "huggingface.co", "demo.hf.space"
FRAME = f"<iframe src='https://{INNER}/' style='width:1400px;height:850px'></iframe>"
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive", "host"}


def forwarding(url: str) -> Starlette:
    """The outer page, and a proxy that tells the page behind it about the encrypted connection."""
    client = httpx.AsyncClient(base_url=url, timeout=None)

    async def forward(request: Request) -> Response:
        host = request.headers["host"]
        if host == OUTER:
            return HTMLResponse(FRAME)
        headers = [(k, v) for k, v in request.headers.items() if k not in HOP_BY_HOP]
        headers += [("host", host), ("x-forwarded-proto", "https")]
        target = f"{request.url.path}?{request.url.query}"
        body = request.stream() if request.method == "POST" else None
        asked = client.build_request(request.method, target, headers=headers, content=body)
        answer = await client.send(asked, stream=True)
        end = BackgroundTask(answer.aclose)
        out = StreamingResponse(answer.aiter_raw(), answer.status_code, background=end)
        out.raw_headers = [
            (k.lower(), v) for k, v in answer.headers.raw if k.lower() != b"connection"
        ]
        return out

    return Starlette(routes=[Route("/{path:path}", forward, methods=["GET", "POST", "HEAD"])])


@contextmanager
def over_https(url: str, folder: Path) -> Iterator[int]:
    """The port of the proxy, with a certificate of its own making."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={INNER}".split()
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(
        forwarding(url),
        port=port,
        log_level="error",
        ssl_keyfile=key,
        ssl_certfile=str(certificate),
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    ends = monotonic() + 30
    while not server.started and monotonic() < ends:
        sleep(0.05)
    yield port
    server.should_exit = True
    thread.join(30)
