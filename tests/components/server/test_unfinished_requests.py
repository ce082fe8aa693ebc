"""Clients that leave requests unfinished neither stop the page nor fill its log."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median

import pytest
from flooding import asking_on, is_closed, running_page, unfinished

pytestmark = pytest.mark.process

CLIENTS = 1100
HOLD_S = 7
HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /gradio_api/upload HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n"
)
JSON_BODY = (
    b"POST /gradio_api/queue/join HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with running_page(tmp_path_factory.mktemp("page")) as started:
        yield started


# A processor that something else uses breaks its time limits, which are the point of the test.
@pytest.mark.flaky(reruns=2)
@pytest.mark.parametrize(
    "sent", [HEADER, BODY, JSON_BODY, b""], ids=["header", "upload", "json", ""]
)
def test_1100_unfinished_requests_keep_nobody_out_and_the_log_small(page, sent):
    port, log = page
    with asking_on(port) as times, unfinished(port, CLIENTS, sent):
        time.sleep(HOLD_S)
    assert None not in times
    seconds = [one for one in times if one is not None]
    assert median(seconds) < 2
    # One may wait for a processor that other tests use; without limits it waits for the end.
    assert max(seconds) < HOLD_S
    assert log.stat().st_size < 1_000_000


REFUSED = (
    b"POST /gradio_api/queue/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n\r\n"
)


@dataclass(frozen=True)
class Ended:
    """What a client that sent a part of a request read, and whether it was closed in time."""

    read: bytes
    closed: bool


def end_of(port: int, sent: bytes, reads: int, within_s: float) -> Ended:
    with unfinished(port, 1, sent) as (client,):
        read = client.recv(reads) if reads else b""
        return Ended(read, is_closed(client, within_s=within_s))


@pytest.fixture(scope="module")
def ends(page):
    """The ends of three requests that are waited for at the same time, as they only wait."""
    asked = {"header": (HEADER, 12, 5), "body": (JSON_BODY, 0, 40), "refused": (REFUSED, 12, 20)}
    with ThreadPoolExecutor() as threads:
        yield {name: threads.submit(end_of, page[0], *how) for name, how in asked.items()}


def test_a_header_without_end_is_answered_and_closed(ends):
    assert ends["header"].result() == Ended(b"HTTP/1.1 408", closed=True)


def test_a_body_without_end_is_closed(ends):
    assert ends["body"].result().closed


def test_a_body_that_goes_on_after_its_refusal_is_closed(ends):
    assert ends["refused"].result() == Ended(b"HTTP/1.1 413", closed=True)
