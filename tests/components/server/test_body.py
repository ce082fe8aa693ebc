"""A body is read and parsed once, and the application gets it as it came."""

from __future__ import annotations

import asyncio

import pytest

from components.server.requests import body as body_module
from components.server.requests.body import BODY_BYTES, TooLarge, json_body


def scope(method="POST", path="/gradio_api/queue/join", **headers):
    return {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
    }


def pieces(*parts):
    """A receive that gives these pieces, then that the client is gone."""
    messages = [
        {"type": "http.request", "body": part, "more_body": n < len(parts)}
        for n, part in enumerate(parts, start=1)
    ]

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    return receive


def read(request, receive):
    return asyncio.run(json_body(request, receive))


def test_a_body_is_parsed_once_for_all_that_look_at_it(monkeypatch):
    parsed = []
    loads = body_module.json.loads
    monkeypatch.setattr(body_module.json, "loads", lambda raw: parsed.append(raw) or loads(raw))
    request = scope()
    first, again = read(request, pieces(b'{"data"', b": [1]}"))
    second, same = read(request, again)
    assert first is second
    assert first.value == {"data": [1]}
    assert same is again
    assert parsed == [b'{"data": [1]}']


def test_the_application_gets_the_body_and_then_what_the_connection_says():
    _, again = read(scope(), pieces(b"[1, ", b"2]"))
    assert asyncio.run(again()) == {
        "type": "http.request",
        "body": b"[1, 2]",
        "more_body": False,
    }
    assert asyncio.run(again()) == {"type": "http.disconnect"}


@pytest.mark.parametrize(
    ("raw", "fault"),
    [(b"{", "no JSON"), (b"\xff", "no JSON"), (b"[" * 200_000, "nested too deeply")],
)
def test_what_is_no_json_has_its_fault(raw, fault):
    body, _ = read(scope(), pieces(raw))
    assert (body.value, body.fault, body.raw) == (None, fault, raw)


@pytest.mark.parametrize(
    "request_",
    [
        scope("GET"),
        scope(path="/gradio_api/upload"),
        scope(content_type="Multipart/form-data; boundary=x"),
    ],
)
def test_uploads_and_bare_requests_are_left_unread(request_):
    receive = pieces(b"[]")
    body, same = read(request_, receive)
    assert (body.raw, same) == (b"", receive)


def test_a_body_over_the_limit_is_refused_by_its_length_and_by_what_arrives():
    with pytest.raises(TooLarge):
        read(scope(content_length=str(BODY_BYTES + 1)), pieces(b"[]"))
    with pytest.raises(TooLarge):
        read(scope(), pieces(b"x" * BODY_BYTES, b"x"))
