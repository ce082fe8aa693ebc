"""A small page with a session, started as the real one is, and its visitors over HTTP."""

from __future__ import annotations

import json
from contextlib import contextmanager
from time import sleep
from uuid import uuid4

import gradio as gr
import httpx
import pytest
from gradio.events import api as endpoint
from gradio_client import Client

from components.serve import serve
from retrieval import Settings

pytestmark = pytest.mark.process

PRIVATE = {"api_visibility": "private"}
NOTHING = {"x-scanscout-holds": "nothing"}


def echo(text: str) -> str:
    """The public endpoint."""
    return f"public {text}"


def small_page() -> gr.Blocks:
    with gr.Blocks() as page:
        value, text = gr.State(""), gr.Textbox()
        keep, read, clear = gr.Button(), gr.Button(), gr.UploadButton()
        page.load(lambda: "fresh", None, value, queue=False, **PRIVATE)
        keep.click(lambda new, old: new, [text, value], value, **PRIVATE)
        read.click(lambda one: f"value {one}", value, text, **PRIVATE)
        search = {"concurrency_id": "search", "concurrency_limit": 2}
        text.submit(
            lambda words, one: f"found {words} {one}", [text, value], text, **search, **PRIVATE
        )
        clear.upload(lambda: "uploaded", None, value, **PRIVATE)
        endpoint(echo, api_name="echo")
    return page


LOAD, KEEP, READ, SEARCH, UPLOAD, ECHO = range(6)


@contextmanager
def running(**settings):
    page = small_page()
    page.queue()
    url = serve(page, Settings(_env_file=None, port=0, **settings), prevent_thread_lock=True)[1]
    try:
        yield url
    finally:
        page.close(verbose=False)


@pytest.fixture(scope="module")
def url():
    with running(trusted_proxies="127.0.0.0/8") as address:
        yield address


class Visitor:
    """One open page: a hash, the cookie it was given, an address."""

    def __init__(self, url, *, session=None, cookie=True, address="203.0.113.1"):
        headers = {"x-forwarded-for": address}
        self.http = httpx.Client(base_url=f"{url}gradio_api/", headers=headers, timeout=20)
        self.session = session or uuid4().hex
        if cookie:
            self.page = self.http.get(url, headers={"accept": "text/html"})

    def body(self, fn, *data):
        return {"data": list(data), "fn_index": fn, "session_hash": self.session}

    def open(self):
        self.http.post("run/predict", json=self.body(LOAD)).raise_for_status()
        return self

    def join(self, fn, *data, **headers):
        return self.http.post("queue/join", json=self.body(fn, *data), headers=headers)

    def result(self):
        answer = self.http.get("queue/data", params={"session_hash": self.session})
        lines = [json.loads(line[6:]) for line in answer.text.splitlines() if line[:6] == "data: "]
        done = [one for one in lines if one["msg"] == "process_completed"]
        return done[-1]["output"]["data"][0]

    def asks(self, fn, *data, **headers):
        self.join(fn, *data, **headers).raise_for_status()
        return self.result()


def test_a_flood_of_requests_leaves_a_visitors_session_alone():
    with running(sessions=60, trusted_proxies="127.0.0.0/8") as url:
        visitor = Visitor(url).open()
        visitor.asks(KEEP, "scan", None)
        for number in range(70):
            same = "203.0.113.1" if number % 2 else "198.51.100.7"
            Visitor(url, cookie=False, address=same).asks(ECHO, "x")
        assert visitor.asks(READ, None) == "value scan"


def test_a_flood_of_pages_finds_the_house_full_instead_of_ending_a_session():
    with running(sessions=6, trusted_proxies="127.0.0.0/8") as url:
        visitor = Visitor(url).open()
        visitor.asks(KEEP, "scan", None)
        for _ in range(5):
            Visitor(url).open().asks(KEEP, "y", None)
        busy = Visitor(url, address="198.51.100.7").join(SEARCH, "x", None, **NOTHING)
        assert busy.status_code == 429
        assert "ScanScout is busy" in busy.json()["detail"]
        assert visitor.asks(READ, None) == "value scan"


def test_fifty_visitors_behind_one_address_keep_their_sessions(url):
    visitors = [Visitor(url).open() for _ in range(50)]
    for number, visitor in enumerate(visitors):
        visitor.asks(KEEP, str(number), None)
    for number, visitor in enumerate(visitors):
        assert visitor.asks(READ, None) == f"value {number}"


@pytest.mark.parametrize("cookie", [True, False])
def test_a_thief_with_the_hash_reads_nothing(url, cookie):
    owner = Visitor(url).open()
    owner.asks(KEEP, "scan", None)
    thief = Visitor(url, session=owner.session, cookie=cookie)
    name = owner.session
    body = thief.body(READ, None)
    doors = [
        thief.join(READ, None),
        thief.http.post("run/predict", json=body),
        thief.http.post("api/predict", json=body),
        thief.http.post("call/echo", json={"data": ["x"], "session_hash": name}),
        thief.http.get("queue/data", params={"session_hash": name}),
        thief.http.get(f"queue/data?session_hash=x&session_hash={name}"),
        thief.http.get(f"call/echo/{name}"),
        thief.http.get(f"call/v2/echo/{name}"),
        thief.http.get(f"heartbeat/{name}"),
        thief.http.get(f"stream/{name}/1/1/playlist.m3u8"),
        thief.http.post("cancel", json={"session_hash": name, "fn_index": 1, "event_id": "x"}),
    ]
    assert {one.status_code for one in doors} == {403}
    assert "another browser" in doors[0].json()["detail"]
    assert owner.asks(READ, None) == "value scan"


def test_a_thief_does_not_hear_an_answer_that_is_on_its_way(url):
    owner = Visitor(url).open()
    owner.join(KEEP, "scan", None).raise_for_status()
    thief = Visitor(url, session=owner.session)
    assert thief.http.get("queue/data", params={"session_hash": owner.session}).status_code == 403
    owner.result()
    assert owner.asks(READ, None) == "value scan"


def test_component_functions_are_no_way_into_a_session(url):
    owner = Visitor(url).open()
    form = {"session_hash": (None, owner.session), "component_id": (None, "1")}
    for path in ("component_server", "component_server/"):
        answer = Visitor(url).http.post(path, files={**form, "fn_name": (None, "f")})
        assert answer.status_code == 415


def test_a_function_of_the_page_wants_a_secret(url):
    answer = Visitor(url, cookie=False).join(READ, None)
    assert answer.status_code == 403
    assert "Allow cookies" in answer.json()["detail"]


def test_the_pages_own_secret_stands_in_for_a_cookie(url):
    """As in a frame of a browser that keeps no cookies there."""
    owner = Visitor(url, cookie=False)
    owner.http.headers["x-scanscout-page"] = "s" * 32
    owner.open().asks(KEEP, "scan", None)
    assert owner.asks(READ, None) == "value scan"
    del owner.http.headers["x-scanscout-page"]
    assert owner.join(READ, None).status_code == 403


def test_a_lost_session_says_so_and_runs_nothing_until_something_is_added():
    with running(session_minutes=0.03) as url:
        visitor = Visitor(url).open()
        visitor.asks(KEEP, "scan", None)
        sleep(4)
        for fn in (READ, SEARCH, READ):
            lost = visitor.join(fn, "words", None, **{"x-scanscout-holds": "scan"})
            assert lost.status_code == 410
            assert lost.json()["detail"].startswith("Your session ended; add the scan again")
        visitor.asks(UPLOAD)
        assert visitor.asks(READ, None) == "value uploaded"


def test_a_page_that_outlives_the_server_says_that_its_session_ended():
    with running() as url:
        visitor = Visitor(url).open()
        cookies = visitor.http.cookies
    with running() as url:
        after = Visitor(url, session=visitor.session, cookie=False)
        after.http.cookies = cookies
        assert after.join(SEARCH, "words", None).status_code == 410


def test_a_page_that_shows_nothing_of_a_session_goes_on_without_a_word(url):
    visitor = Visitor(url)
    assert visitor.asks(SEARCH, "words", None, **{"x-scanscout-holds": "nothing"}) == "found words "


def test_a_page_that_shows_an_answer_may_search_again_but_not_export_it(url):
    holds = {"x-scanscout-holds": "answer"}
    refused = Visitor(url).join(READ, None, **holds)
    assert refused.status_code == 410
    assert "Search again" in refused.json()["detail"]
    assert Visitor(url).asks(SEARCH, "words", None, **holds) == "found words "


def test_public_endpoints_answer_clients_without_cookies(url):
    assert Client(url, verbose=False).predict("a", api_name="/echo") == "public a"
    with httpx.Client(base_url=f"{url}gradio_api/", timeout=20) as curl:
        event = curl.post("call/echo", json={"data": ["b"]}).json()["event_id"]
        assert "public b" in curl.get(f"call/echo/{event}").text


def test_a_client_without_cookies_is_heard_by_its_own_address_only(url):
    owner = Visitor(url, cookie=False)
    owner.join(ECHO, "x").raise_for_status()
    thief = Visitor(url, session=owner.session, cookie=False, address="198.51.100.7")
    assert thief.http.get("queue/data", params={"session_hash": owner.session}).status_code == 403
    assert owner.result() == "public x"


@pytest.mark.parametrize(
    ("protocol", "rules"),
    [
        ("http", {"samesite=lax"}),
        ("https", {"samesite=none", "secure", "partitioned"}),
    ],
)
def test_the_cookie_fits_the_connection(url, protocol, rules):
    headers = {"accept": "text/html", "x-forwarded-proto": protocol}
    cookie = httpx.get(url, headers=headers).headers["set-cookie"]
    value, *parts = [part.strip().lower() for part in cookie.split(";")]
    assert len(value) > 50
    assert set(parts) == rules | {"path=/", "httponly"}


def test_a_browser_with_a_cookie_keeps_it(url):
    visitor = Visitor(url)
    again = visitor.http.get(url, headers={"accept": "text/html"})
    assert "set-cookie" not in again.headers
    assert "set-cookie" not in visitor.http.get("info").headers


def test_a_hash_of_great_length_is_refused(url):
    answer = Visitor(url, session="x" * 101).join(READ, None)
    assert answer.status_code == 400
    assert "at most 100" in answer.json()["detail"]
