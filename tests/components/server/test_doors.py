"""Requests that are let in, and what the page sees of them, over a page that is launched."""

from __future__ import annotations

import asyncio
import json

import gradio as gr
import httpx
import pytest

from components.serve import serve
from components.server import AllowedHosts, Doors, Monitored, parse_networks
from components.server.requests import doors as doors_module
from retrieval import Settings

EVIL = {"host": "evil.example"}
CALL = "/gradio_api/call/shout"
BODY = {"data": ["a"]}


LOADED = []
MONITORED = Monitored(
    ready=lambda: bool(LOADED),
    details=lambda: {"catalog_sha256": "c", "stages": {"words": "up"}},
    metrics=lambda: "scanscout_searches_total 1\n",
)


@pytest.fixture(scope="module")
def page():
    with gr.Blocks() as blocks:
        text = gr.Textbox()
        text.submit(str.upper, text, text, api_name="shout")
    settings = Settings(_env_file=None, port=0, allowed_hosts="scouts.example.org")
    _, url, _ = serve(blocks, settings, prevent_thread_lock=True, monitored=MONITORED)
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
        yield client
    blocks.close(verbose=False)


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/nope", "/theme.css"])
@pytest.mark.parametrize("headers", [EVIL, {"x-forwarded-host": "evil.example"}])
def test_a_foreign_name_reads_nothing_and_learns_the_setting(page, path, headers):
    answer = page.get(path, headers=headers)
    assert answer.status_code == 421
    assert "SCANSCOUT_ALLOWED_HOSTS" in answer.text


def test_a_foreign_name_after_an_allowed_one_is_refused_too(page):
    assert page.get("/", headers={"x-forwarded-host": "localhost, evil.example"}).status_code == 421


def test_a_host_that_is_none_is_a_bad_request(page):
    assert page.get("/", headers={"host": "a@b"}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:9", "scouts.example.org"])
def test_own_names_read_the_page(page, host):
    assert page.get("/", headers={"host": host}).status_code == 200


def test_monitors_are_answered_at_any_host_and_learn_one_word(page):
    for headers in (EVIL, {"host": ""}):
        answer = page.get("/health", headers=headers)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    loading = page.get("/ready", headers=EVIL)
    assert (loading.status_code, loading.json()) == (503, {"status": "loading"})
    LOADED.append(True)
    ready = page.get("/ready", headers=EVIL)
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
    assert page.post("/health").status_code == 405


def test_under_its_own_names_monitors_learn_stages_and_hashes(page):
    for path in ("/health", "/ready"):
        told = page.get(path).json()
        assert (told["catalog_sha256"], told["stages"]) == ("c", {"words": "up"})


def test_metrics_are_given_under_own_names_alone(page):
    given = page.get("/metrics")
    assert given.text == "scanscout_searches_total 1\n"
    assert given.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert page.get("/metrics", headers=EVIL).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://198.51.100.7"},
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1.evil.example"},
    ],
)
@pytest.mark.parametrize("path", ["/gradio_api/upload", CALL, "/gradio_api/queue/join"])
def test_another_sites_page_cannot_send(page, path, headers):
    files = {"files": ("a.txt", b"a")} if path.endswith("upload") else None
    json_body = None if files else BODY
    answer = page.post(path, headers=headers, files=files, json=json_body)
    assert answer.status_code == 403
    assert "SCANSCOUT_ALLOWED_HOSTS" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://127.0.0.1:5173"},
        {"origin": "https://scouts.example.org"},
        {"origin": "https://own.example:81", "sec-fetch-site": "same-origin"},
        {"host": "192.0.2.7:7860", "origin": "http://192.0.2.7:7860"},
    ],
)
def test_the_page_itself_and_programs_can_send(page, headers):
    assert page.post(CALL, headers=headers, json=BODY).status_code == 200


def test_a_local_page_of_the_visitor_cannot_send_to_a_remote_page(page):
    headers = {"host": "scouts.example.org", "origin": "http://localhost:3000"}
    assert page.post(CALL, headers=headers, json=BODY).status_code == 403


@pytest.mark.parametrize("route", ["call", "call/v2", "run", "api"])
def test_an_endpoint_that_is_not_there_is_not_found(page, route):
    answer = page.post(f"/gradio_api/{route}/nope", json=BODY)
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_an_event_that_the_page_calls_by_its_number_is_there(page):
    answer = page.post("/gradio_api/run/predict", json={**BODY, "fn_index": 0})
    assert (answer.status_code, answer.json()["data"]) == (200, ["A"])


@pytest.mark.parametrize("path", ["/nope", "/a/b", "/.env", "/gradio_api/nope", "/docs"])
def test_a_route_that_is_not_there_is_not_found(page, path):
    assert page.get(path).status_code == 404


def seen_by_app(headers: dict[str, str], peer: str, kind: str = "http") -> list[dict]:
    seen: list[dict] = []

    async def app(scope, receive, send):
        seen.append(scope)

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        seen.append(message)

    doors = Doors(app, AllowedHosts.of(["scouts.example.org"]), parse_networks("10.0.0.0/8"))
    scope = {
        "type": kind,
        "method": "GET",
        "path": "/",
        "scheme": "http",
        "client": (peer, 1),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }
    asyncio.run(doors(scope, receive, send))
    return seen


FORWARDED = {
    "host": "10.9.9.9",
    "x-forwarded-host": "localhost, scouts.example.org",
    "x-forwarded-proto": "http, https",
    "x-gradio-server": "https://evil.example",
}


def test_a_trusted_proxy_sets_the_address_by_its_own_entries_alone():
    (scope,) = seen_by_app(FORWARDED, "10.1.2.3")
    headers = dict(scope["headers"])
    assert headers[b"x-forwarded-host"] == b"scouts.example.org"
    assert headers[b"x-forwarded-proto"] == b"https"
    assert b"x-gradio-server" not in headers
    assert scope["scheme"] == "https"


def test_nobody_else_sets_it():
    (scope,) = seen_by_app(FORWARDED, "127.0.0.1")
    assert [name for name, _ in scope["headers"]] == [b"host"]
    assert scope["scheme"] == "http"


def test_a_websocket_of_a_foreign_host_or_site_is_closed():
    for headers in (EVIL, {"host": "localhost", "origin": "https://evil.example"}):
        (message,) = seen_by_app(headers, "127.0.0.1", "websocket")
        assert message["type"] == "websocket.close"


def test_links_of_the_page_do_not_follow_a_client_that_poses_as_a_proxy(page):
    forged = {"x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.1"}
    config = json.loads(page.get("/config", headers=forged).text)
    assert config["root"].startswith("http://127.0.0.1")


def test_one_visitor_behind_a_proxy_has_a_limit_of_open_requests_and_others_are_let_in(monkeypatch):
    monkeypatch.setattr(doors_module, "ADDRESS_CONNECTIONS", 3)

    async def open_for_ever(scope, receive, send):
        await asyncio.Event().wait()

    async def statuses() -> list[int]:
        doors = Doors(open_for_ever, AllowedHosts.of([]), parse_networks("10.0.0.0/8"))
        answers: list[int] = []

        async def send(message):
            answers.extend([message["status"]] if "status" in message else [])

        def request(visitor: str):
            headers = [(b"host", b"localhost"), (b"x-forwarded-for", visitor.encode())]
            scope = {"type": "http", "method": "GET", "path": "/", "scheme": "http"}
            scope |= {"client": ("10.1.1.1", 1), "headers": headers}
            return asyncio.create_task(doors(scope, None, send))

        visits = ["192.0.2.1"] * 5 + ["192.0.2.2"]
        tasks = [request(visitor) for visitor in visits]
        await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not doors.open_requests
        return answers

    assert asyncio.run(statuses()) == [429, 429]
