"""Redirects, addresses, pace, permission: the bounds of the one way out."""

from __future__ import annotations

import time

import httpx
import pytest

from retrieval.core.deadline import Deadline
from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.net.addresses import admitted, is_public
from retrieval.net.permission import OutsideCalls, Pace
from retrieval.net.request import Request
from retrieval.net.transport import PinnedTransport
from retrieval.web.backend import PURPOSE, web_http
from tests.web.farming import KEYS, SHOWN
from tests.web.loopback import Loopback, says

URL = "https://service.example/find"


def way(handler, **more):
    transport = (
        handler if isinstance(handler, httpx.BaseTransport) else httpx.MockTransport(handler)
    )
    return web_http(OutsideCalls(frozenset([PURPOSE])), transport, **more)


def sent(http, seconds=5.0, **ask):
    return http.send(Request(**{"url": URL, **ask}), Deadline.after(seconds))


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("64:ff9b::7f00:1", "2002:7f00:1::", "2002:c0a8:101::", "fec0::1", "not an address", ""),
    ],
)
def test_loopback_link_local_private_and_wrapped_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_open_internet_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"]])
def test_a_name_that_leads_to_a_private_address_is_refused_after_resolution(found):
    with pytest.raises(StageUnavailable, match="not asked"):
        admitted("innocent.example", 443, lambda host, port: found, own=False)
    assert admitted("mine.example", 443, lambda host, port: found, own=True) == found


def test_the_checked_address_is_the_one_connected_to():
    server = Loopback(says("{}"))
    asked = []

    def lookup(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    http = way(PinnedTransport(lookup))
    url = f"http://no-such-name.invalid:{server.port}/"
    assert sent(http, url=url, own=True).data() == {}
    assert asked == ["no-such-name.invalid"]
    assert server.asked[0].headers["host"] == f"no-such-name.invalid:{server.port}"
    with pytest.raises(StageUnavailable, match="not asked"):
        sent(http, url=url)
    assert len(server.asked) == 1
    server.close()


def test_a_public_service_whose_name_leads_to_this_machine_is_refused():
    with pytest.raises(StageUnavailable, match="private network; not asked"):
        sent(way(PinnedTransport(lambda host, port: ["127.0.0.1"])))


def test_a_redirect_to_the_web_is_followed():
    def handler(request):
        if request.url.path == "/find":
            return httpx.Response(302, headers={"Location": "https://www.service.example/there"})
        return httpx.Response(200, json={"at": str(request.url)})

    http = way(handler)
    assert sent(http).data() == {"at": "https://www.service.example/there"}
    assert [host for _, host in http.guard.recent] == ["service.example", "www.service.example"]


def test_a_redirect_loop_ends_after_a_few():
    asked = []

    def handler(request):
        asked.append(request)
        return httpx.Response(302, headers={"Location": URL})

    with pytest.raises(StageUnavailable, match="redirected more than 3 times"):
        sent(way(handler))
    assert len(asked) == 4


@pytest.mark.parametrize(
    "to",
    ["http://service.example/", "https://me:you@service.example/", "https://x:0/"],
)
def test_a_redirect_that_drops_tls_or_is_no_plain_address_is_refused(to):
    with pytest.raises(StageUnavailable, match="redirected to"):
        sent(way(lambda request: httpx.Response(301, headers={"Location": to})))


def test_a_key_is_never_sent_on_by_a_redirect():
    asked = []

    def handler(request):
        asked.append(request.url.host)
        return httpx.Response(307, headers={"Location": "https://elsewhere.example/"})

    for how in ({"secret_headers": (("X", "key"),)}, {"secret_params": (("k", "key"),)}):
        with pytest.raises(StageUnavailable, match="not for others"):
            sent(way(handler), **how)
    assert set(asked) == {"service.example"}


def test_cookies_proxies_and_netrc_play_no_part(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    heads = []

    def handler(request):
        heads.append(set(request.headers))
        return httpx.Response(200, json={}, headers={"Set-Cookie": "id=1"})

    http = way(handler)
    sent(http)
    sent(http)
    assert heads == [{"host", "user-agent", "accept-encoding", "connection"}] * 2


@pytest.mark.requirement("S0-42")
def test_while_web_search_is_off_nothing_is_sent(farm):
    web = farm.web(web_search=False, **KEYS)
    for preset in web.presets:
        with pytest.raises(OutsideCallRefused, match="web search is off: nothing is sent"):
            web.run("latest papers on lungs", preset)
    assert farm.count == 0
    with pytest.raises(OutsideCallRefused):
        web_http(OutsideCalls(), httpx.MockTransport(lambda r: httpx.Response(200))).send(
            Request(url=URL), Deadline.after(1)
        )


def test_what_is_offered_is_what_is_sent_and_where(farm):
    web = farm.web()
    text = "latest papers on lung segmentation [EXCLUDE:lungmask] [NO_RERANK]"
    offer = web.offer(text)
    assert farm.count == 0
    assert (offer.preset, offer.because) == ("literature", "papers")
    assert offer.text == "latest papers on lung segmentation"
    assert [name for name, _ in offer.hosts] == list(SHOWN.values())[4:]
    assert web.run(text).sent == offer.sends == ("lung segmentation",)
    assert "lungmask" not in str([s.asked for s in farm.servers.values()])
    assert web.offer("segment lungs") is None


def test_no_more_than_three_hundred_characters_are_sent(farm):
    farm.web().run("latest " + "lungs " * 200, "DuckDuckGo")
    assert len(farm.asked("duckduckgo")[0].params["q"]) <= 300


def test_the_pause_of_a_host_is_kept_and_never_outlasts_the_deadline():
    pace = Pace()
    start = time.monotonic()
    for _ in range(3):
        pace.wait("one.example", 0.1, Deadline.after(5))
    assert time.monotonic() - start >= 0.2
    pace.wait("two.example", 60.0, Deadline.after(0.1))
    with pytest.raises(StageUnavailable, match="asked too often"):
        pace.wait("two.example", 60.0, Deadline.after(0.1))


def test_public_services_are_asked_with_their_pause_and_own_servers_without(farm):
    from retrieval.web.services.table import Keys, services

    http = way(lambda request: httpx.Response(200))
    path = Request(url="/find")
    public = {one.name: one.placed(path) for one in services(http, Keys(), {})}
    assert {name: ask.pause > 0 for name, ask in public.items()} == dict.fromkeys(public, True)
    assert not any(ask.own for ask in public.values())
    own = farm.settings()
    mine = services(http, Keys(), {"arxiv": own.arxiv_url})[-1].placed(path)
    assert (mine.pause, mine.own) == (0.0, True)


def test_a_deadline_that_has_passed_sends_nothing():
    asked = []
    with pytest.raises(StageUnavailable, match="no time was left"):
        sent(way(lambda request: asked.append(request)), seconds=0.0)
    assert asked == []


def test_a_request_shows_no_secret():
    request = Request(
        url=URL, token="key-0", secret_params=(("k", "key-1"),), secret_headers=(("h", "key-2"),)
    )
    assert "key-" not in repr(request) + request.line
