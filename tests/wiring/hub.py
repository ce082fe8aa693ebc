"""A hub on this machine: it serves the files of folders as the real one names and dates them."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REVISION = "0123456789abcdef0123456789abcdef01234567"
LARGE = (".safetensors", ".bin")


class Hub(ThreadingHTTPServer):
    """``folders`` by id of a model; ``broken_after`` ends the next large answer early, once."""

    def __init__(self, folders: dict[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folders, self.ranges = folders, list[str]()
        self.broken_after: int | None = None
        self.corrupt = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def hub_of(folders: dict[str, Path]) -> Iterator[Hub]:
    """The hub while it runs."""
    hub = Hub(folders)
    thread = threading.Thread(target=hub.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        path = self.path.partition("?")[0].strip("/")
        for model, folder in self.server.folders.items():
            if path.startswith(f"api/models/{model}"):
                return self._tell(model, folder, tree="/tree/" in path)
            if path.startswith(f"{model}/resolve/"):
                return self._file(folder / path.split("/", 4)[4], body=body)
        return self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})

    def _tell(self, model: str, folder: Path, *, tree: bool) -> None:
        names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
        sizes = {name: (folder / name).stat().st_size for name in names}
        if tree:
            rows = [{"type": "file", "path": n, "size": sizes[n], "oid": "0" * 40} for n in names]
            return self._send(200, json.dumps(rows).encode(), {})
        told = {"id": model, "sha": REVISION, "siblings": [{"rfilename": name} for name in names]}
        return self._send(200, json.dumps(told).encode(), {})

    def _file(self, path: Path, *, body: bool) -> None:
        if not path.is_file():
            return self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
        content = path.read_bytes()
        large = path.suffix in LARGE
        sha1 = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
        tag = hashlib.sha256(content).hexdigest() if large else sha1.hexdigest()
        headers = {"ETag": f'"{tag}"', "X-Repo-Commit": REVISION, "Accept-Ranges": "bytes"}
        if large:
            headers |= {"X-Linked-Etag": f'"{tag}"', "X-Linked-Size": str(len(content))}
            if self.server.corrupt:
                content = content[:-1] + bytes([content[-1] ^ 1])
        wanted = self.headers.get("Range", "")
        status, start = 200, 0
        if wanted.startswith("bytes=") and body:
            start, status = int(wanted[6:].split("-")[0]), 206
            self.server.ranges.append(wanted)
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        return self._send(status, content[start:], headers, body=body, large=large)

    def _send(
        self,
        status: int,
        content: bytes,
        headers: dict[str, str],
        *,
        body: bool = True,
        large: bool = False,
    ) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if not body:
            return
        cut = self.server.broken_after if large else None
        if cut is not None:
            self.server.broken_after = None
            self.wfile.write(content[:cut])
            self.close_connection = True
            return
        self.wfile.write(content)
