"""A browser in which a foreign site's name leads to this machine, as after DNS rebinding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest
from conftest import CHROMIUM

REBOUND = "rebound.example"
UPLOAD = """async address => {
  const form = new FormData();
  form.append("files", new Blob(["x"]), "x.txt");
  const sent = await fetch(address + "gradio_api/upload", {method: "POST", body: form,
                                                           mode: "no-cors"});
  return sent.type;
}"""


class Blank(BaseHTTPRequestHandler):
    """A foreign site: one empty page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>elsewhere</title>")

    def log_message(self, *_):
        """Write nothing."""


@contextmanager
def foreign_site() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def rebound(browser):
    """A page of a browser for which the foreign name means this machine."""
    rules = f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1"
    opened = browser.browser_type.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", "--disable-gpu", rules],
    )
    yield opened.new_page()
    opened.close()


def test_a_site_that_rebinds_its_name_reads_nothing_of_a_local_page(served, rebound):
    answer = rebound.goto(f"http://{REBOUND}:{urlsplit(served).port}/config")
    assert answer.status == 421
    assert "SCANSCOUT_ALLOWED_HOSTS" in answer.text()


def test_another_sites_upload_stores_nothing(served, rebound, upload_dir):
    before = sorted(upload_dir.rglob("x.txt"))
    statuses = []
    rebound.on("response", lambda one: statuses.append((one.request.method, one.status)))
    with foreign_site() as port:
        rebound.goto(f"http://{REBOUND}:{port}/")
        rebound.evaluate(UPLOAD, served)
    assert ("POST", 403) in statuses
    assert sorted(upload_dir.rglob("x.txt")) == before
