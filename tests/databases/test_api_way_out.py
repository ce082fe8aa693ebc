"""Every way in which a database may answer, and what may be sent to it."""

from __future__ import annotations

import gzip
import logging
from time import monotonic

import pytest

from retrieval.core.errors import BadInput, OutsideCallRefused, StageUnavailable
from retrieval.databases.api import checked_base
from retrieval.net.request import Request
from tests.databases.databases import http, soon
from tests.web.loopback import drips, drips_its_head, endless, half, hangs, raw, redirects, says


def test_nothing_is_sent_until_databases_are_switched_on(serving):
    server = serving(says("ok"))
    with pytest.raises(OutsideCallRefused, match="SCANSCOUT_DATABASES"):
        http(on=False).send(Request(own=True, url=server.url), soon())
    assert server.asked == []


def test_what_is_asked_is_in_no_log(serving, caplog):
    caplog.set_level(logging.INFO)
    http().send(Request(own=True, url=serving(says("ok")).url, params=(("q", "private"),)), soon())
    assert "private" not in caplog.text


def test_an_encoding_that_there_is_not_is_read_as_utf_8(serving):
    server = serving(says("Größe", "Content-Type: text/plain; charset=klingon"))
    assert http().send(Request(own=True, url=server.url), soon()) == "Größe"


def test_every_request_is_recorded_by_its_host_alone(serving):
    server, way = serving(says("ok")), http()
    way.send(Request(own=True, url=f"{server.url}/secret", params=(("q", "private"),)), soon())
    assert way.guard.recent == [("databases", "127.0.0.1")]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (says("no", status=400), "HTTP 400"),
        (says("no", status=401), "token"),
        (says("no", status=404), "knows nothing"),
        (says("no", status=500), "HTTP 500"),
        (half(b"x" * 1000), "broke off"),
        (endless, "sent more than 4 MB"),
        (redirects("http://169.254.169.254/latest"), "another place"),
        (redirects("file:///etc/passwd"), "no web address"),
        (redirects(""), "no web address"),
        (redirects("/"), "redirected more than 3 times"),
        (says(gzip.compress(b"0" * 30_000_000), "Content-Encoding: gzip"), "sent more than"),
        (says(b"not gzip", "Content-Encoding: gzip"), "cannot be read"),
    ],
)
def test_a_fault_is_told_in_plain_words_without_an_address(serving, answer, told):
    server = serving(answer)
    with pytest.raises(StageUnavailable, match=told) as caught:
        http().send(Request(own=True, url=server.url), soon())
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.parametrize("answer", [hangs, drips, drips_its_head])
def test_a_server_that_keeps_us_waiting_is_left_in_time(serving, answer):
    server, start = serving(answer), monotonic()
    with pytest.raises(StageUnavailable, match=r"in time|within|too slowly"):
        http().send(Request(own=True, url=server.url), soon(1))
    assert monotonic() - start < 20


def test_nobody_there_is_told():
    with pytest.raises(StageUnavailable, match="could not be reached"):
        http().send(Request(own=True, url="http://127.0.0.1:9"), soon())


def test_a_passing_fault_is_tried_again_and_another_is_not(serving):
    def recovers(connection, _asked, _over):
        good = len(server.asked) > 1
        connection.sendall(raw(200 if good else 503, b"fine"))

    server = serving(recovers)
    assert http().send(Request(own=True, url=server.url), soon()) == "fine"
    assert len(server.asked) == 2
    with pytest.raises(StageUnavailable, match="503"):
        http().send(Request(own=True, url=serving(says("x", status=503)).url), soon(), tries=3)
    broken = serving(says("x", status=500))
    with pytest.raises(StageUnavailable):
        http().send(Request(own=True, url=broken.url), soon())
    assert len(broken.asked) == 1


def test_a_redirect_on_the_same_machine_is_followed_but_never_with_a_token(serving):
    def moves(connection, asked, _over):
        if asked.path == "/old":
            connection.sendall(raw(302, b"", "Location: /new"))
        else:
            connection.sendall(raw(200, b"here"))

    server = serving(moves)
    assert http().send(Request(own=True, url=f"{server.url}/old"), soon()) == "here"
    with pytest.raises(StageUnavailable, match="not followed"):
        http().send(Request(own=True, url=f"{server.url}/old", token="t0ken"), soon())


def test_a_token_is_sent_in_its_header_and_hidden_everywhere_else(serving):
    server = serving(says("you said t0ken-12345"))
    call = Request(own=True, url=server.url, params=(("a", "b"),), token="t0ken-12345")
    assert "t0ken" not in http().send(call, soon())
    assert server.asked[0].headers["authorization"] == "Bearer t0ken-12345"
    assert "t0ken" not in call.line + repr(call)
    assert "t0ken" not in server.asked[0].target


@pytest.mark.parametrize("url", ["ftp://h", "h/api", "http://user:pw@h", "http://h?a=b", ""])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(BadInput, match="base_url"):
        checked_base(url)
