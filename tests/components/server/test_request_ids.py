"""One id per request, in the header of its answer and before its lines of the log."""

from __future__ import annotations

import asyncio
import logging
import re

import gradio as gr
import httpx
import pytest

from components.server.address import parse_networks
from components.server.requests import logs
from components.server.requests.request_ids import RequestIds, current_id, working_for
from retrieval.core.deadline import begun

OWN = re.compile(r"[0-9a-f]{16}")
LONG = "proxy-0123456789abcdef"


async def echo(scope, receive, send):
    """An application that answers with the id that it sees, and sets a header of the same name."""
    seen = [value for name, value in scope["headers"] if name == b"x-request-id"]
    body = b",".join([*seen, current_id().encode()])
    headers = [(b"X-Request-Id", b"of the application")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def answer(trusted: str = "", **headers: str) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(RequestIds(echo, parse_networks(trusted)))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
            return await client.get("/", headers=headers)

    return asyncio.run(asked())


def test_each_answer_has_an_id_of_its_own_and_the_application_sees_that_one_alone():
    first, second = answer(), answer()
    for one in (first, second):
        id = one.headers["x-request-id"]
        assert OWN.fullmatch(id)
        assert one.text == f"{id},{id}"
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert current_id() == ""


def test_the_id_of_a_trusted_proxy_is_taken():
    assert answer("127.0.0.0/8", **{"x-request-id": LONG}).headers["x-request-id"] == LONG


@pytest.mark.parametrize(
    ("trusted", "sent"),
    [
        ("", LONG),
        ("10.0.0.0/8", LONG),
        ("127.0.0.0/8", "short"),
        ("127.0.0.0/8", "segment the lungs of John"),
        ("127.0.0.0/8", "x" * 65),
        ("127.0.0.0/8", "100%s-of-the-disk"),
    ],
)
def test_an_id_of_anybody_else_or_of_another_shape_is_replaced(trusted, sent):
    one = answer(trusted, **{"x-request-id": sent})
    assert OWN.fullmatch(one.headers["x-request-id"])
    assert sent not in one.text


@pytest.fixture
def lines(caplog):
    """The text of the log, with the page's own record factory in place."""
    factory = logging.getLogRecordFactory()
    logs.keep_input_out_of_logs()
    with caplog.at_level(logging.INFO):
        yield lambda: [record.getMessage() for record in caplog.records]
    logging.setLogRecordFactory(factory)


def test_a_line_begins_with_the_id_of_its_request_and_one_outside_of_any_does_not(lines):
    logger = logging.getLogger("components.x")
    with working_for("0123456789abcdef"):
        logger.warning("%d of %d", 1, 2)
    logger.warning("no request")
    assert lines() == ["[0123456789abcdef] 1 of 2", "no request"]


def test_a_call_in_a_thread_of_its_own_logs_under_the_request_that_began_it(lines):
    with working_for("0123456789abcdef"):
        call = begun(lambda: logging.getLogger("retrieval.x").warning("late"), "late")
    call.result(10)
    assert lines() == ["[0123456789abcdef] late"]


@pytest.mark.process
def test_an_event_of_the_queue_logs_under_the_id_that_its_answer_named(lines, tmp_path):
    from components.serve import serve
    from retrieval import Settings

    def work(text: str) -> str:
        logging.getLogger("components.x").warning("worked")
        return text

    with gr.Blocks() as page:
        box = gr.Textbox()
        box.submit(work, box, box, api_name="work")
    serve(page, Settings(_env_file=None, port=0), prevent_thread_lock=True)
    try:
        with httpx.Client(base_url=page.local_url, timeout=30) as client:
            begun_call = client.post("gradio_api/call/work", json={"data": ["planted"]})
            event = begun_call.json()["event_id"]
            answered = client.get(f"gradio_api/call/work/{event}")
    finally:
        page.close()
    assert "planted" in answered.text
    id = begun_call.headers["x-request-id"]
    assert f"[{id}] worked" in lines()
    assert answered.headers["x-request-id"] != id
