"""The language-model port over a real HTTP server on this machine."""

from __future__ import annotations

import json
import logging
import time

import pytest
from werkzeug import Response

from retrieval.core.deadline import bounded
from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.llm.client import PURPOSE, OpenAICompatible
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.net.permission import OutsideCalls
from tests.fakes import ids, make_candidate, make_state

PATH = "/v1/chat/completions"


def model(server, key="sk-secret", allowed=True, seconds=2.0):
    return OpenAICompatible(
        base_url=server.url_for("/v1"),
        model="tiny",
        api_key=key,
        guard=OutsideCalls(frozenset({PURPOSE} if allowed else ())),
        seconds=seconds,
    )


def completion(text):
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [choice],
    }


def test_the_answer_comes_back_at_temperature_nought(httpserver):
    httpserver.expect_request(PATH).respond_with_json(completion("hello"))
    assert model(httpserver).complete("say hello") == "hello"
    request, _ = httpserver.log[0]
    sent = json.loads(request.data)
    assert (sent["model"], sent["temperature"]) == ("tiny", 0.0)
    assert sent["messages"] == [{"role": "user", "content": "say hello"}]
    assert request.headers["Authorization"] == "Bearer sk-secret"


def test_a_schema_asks_for_a_structured_answer(httpserver):
    httpserver.expect_request(PATH).respond_with_json(completion("{}"))
    model(httpserver).complete("x", schema={"type": "object"})
    sent = json.loads(httpserver.log[0][0].data)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_a_server_error_says_what_without_key_or_body(httpserver, caplog):
    httpserver.expect_request(PATH).respond_with_data("sk-secret stack trace", status=500)
    with caplog.at_level(logging.INFO), pytest.raises(StageUnavailable) as caught:
        model(httpserver).complete("x")
    assert "did not answer" in str(caught.value)
    assert "sk-secret" not in str(caught.value) + caplog.text


@pytest.mark.parametrize("status", [401, 404, 429])
def test_a_refusal_of_the_server_is_a_stage_that_cannot_run(httpserver, status):
    httpserver.expect_request(PATH).respond_with_json({"error": {"message": "no"}}, status=status)
    with pytest.raises(StageUnavailable, match="did not answer"):
        model(httpserver).complete("x")


def test_a_server_that_drips_is_left_at_the_deadline(httpserver):
    def drip(_):
        def body():
            for _ in range(40):
                time.sleep(0.1)
                yield b" "

        return Response(body(), content_type="application/json")

    httpserver.expect_request(PATH).respond_with_handler(drip)
    start = time.monotonic()
    with pytest.raises(StageUnavailable, match="no answer within"):
        bounded(lambda: model(httpserver).complete("x"), 0.5, "the language model")
    assert time.monotonic() - start < 2


def test_nobody_listening_is_a_stage_that_cannot_run(httpserver):
    gone = OpenAICompatible(
        base_url="http://127.0.0.1:9/v1",
        model="tiny",
        api_key="",
        guard=OutsideCalls(frozenset({PURPOSE})),
        seconds=1.0,
    )
    with pytest.raises(StageUnavailable, match="did not answer"):
        gone.complete("x")


def test_a_local_server_needs_no_key(httpserver):
    httpserver.expect_request(PATH).respond_with_json(completion("ok"))
    assert model(httpserver, key="").complete("x") == "ok"


def test_without_permission_no_request_is_sent(httpserver):
    httpserver.expect_request(PATH).respond_with_json(completion("ok"))
    with pytest.raises(OutsideCallRefused, match="language model is off"):
        model(httpserver, allowed=False).complete("x")
    assert httpserver.log == []


@pytest.mark.parametrize(
    "choices",
    [
        [],
        [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None}}],
    ],
)
def test_an_answer_without_text_is_an_empty_text(httpserver, choices):
    httpserver.expect_request(PATH).respond_with_json({**completion(""), "choices": choices})
    assert model(httpserver).complete("x") == ""


def test_the_rerank_stage_works_over_the_wire(httpserver):
    told = json.dumps({"tools": [{"id": "b", "why": "it segments"}]})
    httpserver.expect_request(PATH).respond_with_json(completion(told))
    state = make_state("x", make_candidate("a"), make_candidate("b"))
    assert ids(LanguageModelRerank(model(httpserver)).run(state)) == ["b", "a"]
