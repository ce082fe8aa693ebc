"""One way out for services and for the client of language models, over servers on this machine."""

from __future__ import annotations

import logging
import time

import pytest

from retrieval.core.deadline import NO_LIMIT, Deadline
from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.net.addresses import look_up
from retrieval.net.http import Http
from retrieval.net.permission import OutsideCalls
from retrieval.net.request import Request
from retrieval.net.retry import LONGEST_WAIT, stated_wait
from retrieval.net.transport import PinnedTransport
from tests.web.loopback import Loopback, drips, raw, redirects, says

KEY = "sk-canary0123456789"


@pytest.fixture
def serving():
    """Starts servers that end with the test."""
    servers = []

    def serve(answers):
        servers.append(Loopback(answers))
        return servers[-1]

    yield serve
    for one in servers:
        one.close()


def http(*, on=True, **more):
    return Http(guard=OutsideCalls(frozenset(["tests"] if on else [])), purpose="tests", **more)


def soon(seconds=10.0):
    return Deadline.after(seconds)


def by_send(server, way=None, seconds=10.0):
    """The body of an answer, through ``send``."""
    request = Request(url=server.url, own=True, token=KEY)
    return (way or http()).send(request, soon(seconds)).text()


def by_client(server, way=None, seconds=10.0):
    """The body of an answer, through the client that a library is given; it raises statuses."""
    with (way or http()).client(soon(seconds), 4) as client:
        response = client.get(server.url, headers={"Authorization": f"Bearer {KEY}"})
    if response.status_code != 200:
        raise StageUnavailable(f"answered HTTP {response.status_code}")
    return response.text


BOTH = pytest.mark.parametrize("ask", [by_send, by_client])


def fails_once(status, *headers):
    """Answers the first request with a status, and every other well."""
    seen = []

    def answer(connection, asked, _over):
        seen.append(asked)
        good = len(seen) > 1
        connection.sendall(raw(200, b"fine") if good else raw(status, b"", *headers))

    return answer


@BOTH
@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (502, ()),
        (503, ()),
        (504, ()),
        (503, ("Retry-After: 0",)),
        (429, ("Retry-After: 0",)),
        (500, ("Retry-After: 0",)),
    ],
)
def test_a_fault_that_is_likely_to_pass_is_tried_once_more(serving, ask, status, headers):
    server = serving(fails_once(status, *headers))
    assert ask(server) == "fine"
    assert len(server.asked) == 2


@BOTH
@pytest.mark.parametrize(
    ("status", "headers"),
    [(500, ()), (429, ()), (404, ("Retry-After: 0",)), (503, ("Retry-After: 3600",))],
)
def test_any_other_fault_is_not_tried_again(serving, ask, status, headers):
    server = serving(fails_once(status, *headers))
    with pytest.raises(StageUnavailable, match=str(status)):
        ask(server)
    assert len(server.asked) == 1


@BOTH
def test_a_fault_that_stays_is_tried_twice_and_no_third_time(serving, ask):
    server = serving(says("", status=503))
    with pytest.raises(StageUnavailable, match="503"):
        ask(server)
    assert len(server.asked) == 2


@BOTH
def test_while_a_purpose_is_off_nothing_is_sent(serving, ask):
    server, way = serving(says("x")), http(on=False)
    with pytest.raises(OutsideCallRefused, match="tests is off"):
        ask(server, way)
    assert (server.asked, way.guard.recent) == ([], [])


@BOTH
def test_every_request_is_recorded_by_its_host_and_none_is_logged(serving, ask, caplog):
    caplog.set_level(logging.DEBUG)
    server, way = serving(fails_once(503)), http()
    ask(server, way)
    assert way.guard.recent == [("tests", "127.0.0.1")] * 2
    assert KEY not in caplog.text


@BOTH
def test_a_body_is_read_to_the_limit_and_no_further(serving, ask):
    server = serving(says("x" * 3000))
    assert len(ask(server, http(limit=3000))) == 3000
    with pytest.raises(StageUnavailable, match=r"sent more than 0\.003 MB"):
        ask(serving(says("x" * 3001)), http(limit=3000))


@BOTH
def test_a_server_that_drips_is_left_at_the_deadline(serving, ask):
    start = time.monotonic()
    with pytest.raises(StageUnavailable, match=r"too slowly|in time"):
        ask(serving(drips), seconds=0.5)
    assert time.monotonic() - start < 5


@BOTH
def test_a_key_is_not_taken_along_by_a_redirect(serving, ask):
    other = serving(says("x"))
    with pytest.raises(StageUnavailable, match=r"not followed|302"):
        ask(serving(redirects(other.url)))
    assert other.asked == []


def test_a_request_without_a_deadline_is_sent(serving):
    request = Request(url=serving(says("x")).url, own=True)
    assert http().send(request, NO_LIMIT).text() == "x"


def test_a_key_that_a_service_repeats_is_hidden(serving):
    assert by_send(serving(says(f"you sent {KEY}"))) == "you sent [hidden]"


def test_a_client_sends_no_more_requests_than_it_was_given(serving):
    server = serving(says("", status=503))
    with http().client(soon(), 3) as client:
        assert client.get(server.url).status_code == 503
        with pytest.raises(StageUnavailable, match="asked too often"):
            client.get(server.url)
    assert len(server.asked) == 3


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy"])
@pytest.mark.parametrize("environment", [False, True])
def test_a_proxy_of_the_environment_is_used_only_where_that_is_asked_for(
    serving, monkeypatch, environment, variable
):
    proxy, server = serving(says("by proxy")), serving(says("directly"))
    for name in ("http_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv(variable, proxy.url.removeprefix("http://"))
    way = http(transport=PinnedTransport(look_up, environment=environment))
    assert by_client(server, way) == ("by proxy" if environment else "directly")
    assert [one.target for one in proxy.asked] == ([f"{server.url}/"] if environment else [])


def test_the_wait_that_a_service_states_is_read_from_numbers_and_dates(serving):
    for header, wait in (("1.5", 1.5), ("-3", 0.0), ("nan", None), ("soon", None), ("", None)):
        with http().client(soon(), 1) as client:
            response = client.get(serving(says("x", f"Retry-After: {header}")).url)
        assert stated_wait(response) == wait
    with http().client(soon(), 1) as client:
        date = "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"
        response = client.get(serving(says("x", date)).url)
    assert (stated_wait(response) or 0.0) > LONGEST_WAIT
