"""Slow models: answers come piece by piece, and what came in time counts."""

from __future__ import annotations

import json
import time

import pytest
from msgspec.structs import replace

from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.llm.client import PURPOSE, OpenAICompatible, load_library
from retrieval.llm.provider import HOSTED, LOCAL, usual_limits
from retrieval.llm.reranker import CUT, LanguageModelRerank
from retrieval.llm.wire import read_completion
from retrieval.net.permission import OutsideCalls
from retrieval.settings import Settings
from retrieval.wiring.language import call_limits
from tests.fakes import ScriptedModel, ids, make_candidate, make_state
from tests.llm.faults import completion, ranking, says, serving

EVENTS = "text/event-stream"
SHOWN = tuple(make_candidate(i, 1 - n / 10) for n, i in enumerate("abcd"))


@pytest.fixture(scope="module", autouse=True)
def library():
    load_library()


def event(content: str = "", finish: str | None = None, **fields: object) -> bytes:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice], **fields})}\n\n".encode()


def pieces(text: str, size: int) -> list[bytes]:
    return [event(text[at : at + size]) for at in range(0, len(text), size)]


def trickles(chunks: list[bytes], pause: float):
    """Sends an event stream chunk by chunk; the connection ends with the last."""

    def act(wire):
        head = f"HTTP/1.1 200 OK\r\ncontent-type: {EVENTS}\r\nconnection: close\r\n\r\n"
        wire.connection.sendall(head.encode())
        for chunk in chunks:
            time.sleep(pause)
            wire.connection.sendall(chunk)

    return act


def model(url: str, seconds: float = 3.0) -> OpenAICompatible:
    guard = OutsideCalls(frozenset({PURPOSE}))
    return OpenAICompatible(base_url=url, model="m", api_key="", guard=guard, seconds=seconds)


def test_a_streamed_answer_is_joined_and_its_tokens_are_those_of_the_server():
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    last = f"data: {json.dumps({'choices': [], 'usage': usage})}\n\ndata: [DONE]\n\n".encode()
    body = b": a comment\n\n" + b"".join(pieces("hello there", 4)) + event(finish="stop") + last
    spent: list[tuple[int, int]] = []
    with serving(says(body, kind=EVENTS)) as server:
        answer = model(server.url).complete("x", meter=lambda i, o: spent.append((i, o)))
    assert answer == "hello there"
    assert spent[-1] == (7, 3)


@pytest.mark.parametrize("counts", [(-5, 3), (7, -1), (7, 10**12), (-(10**9), 10**9)])
def test_counts_of_a_server_that_cannot_be_are_replaced_by_the_estimate(counts):
    usage = dict(zip(("prompt_tokens", "completion_tokens"), counts, strict=True))
    last = f"data: {json.dumps({'choices': [], 'usage': usage})}\n\ndata: [DONE]\n\n".encode()
    body = b"".join(pieces("hello there", 4)) + event(finish="stop") + last
    spent: list[tuple[int, int]] = []
    with serving(says(body, kind=EVENTS)) as server:
        model(server.url).complete("x" * 30, meter=lambda i, o: spent.append((i, o)))
    assert spent[-1] == (10, 4)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\f"])
def test_only_the_ends_of_lines_of_an_event_stream_part_its_lines(separator, end):
    text = f"first{separator}second"
    one = json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False)
    body = f"data: {one}{end}{end}data: [DONE]{end}{end}"
    assert read_completion(body.encode()).text == text
    cut = read_completion(f"data: {one}{end}{end}data: {one}".encode())
    assert (cut.text, cut.is_cut) == (text, True)


def test_rows_that_came_in_time_are_used_and_the_rest_keeps_its_order():
    text = ranking("d", "c", "b")
    cut = text.index('{"id": "b"') + 5
    slow = trickles([*pieces(text[:cut], 20), *[event(" ")] * 60], 0.1)
    with serving(slow) as server:
        stage = LanguageModelRerank(model(server.url, 2.5), seconds=2.5)
        start = time.monotonic()
        result = stage.run(make_state("x", *SHOWN))
    assert time.monotonic() - start < 3.0
    assert ids(result) == ["d", "c", "a", "b"]
    assert CUT in result.note


def test_rows_are_used_though_the_model_pauses_over_the_end_of_its_time():
    text = ranking("d", "c", "b")
    cut = text.index('{"id": "b"') + 5
    first = [event(text[:cut])]
    with serving(trickles([*first, *[event(" ")] * 4], 1.4)) as server:
        stage = LanguageModelRerank(model(server.url, 2.0), seconds=2.0)
        result = stage.run(make_state("x", *SHOWN))
    assert ids(result) == ["d", "c", "a", "b"]
    assert CUT in result.note


def test_half_a_text_is_no_answer():
    slow = trickles([*pieces("half a sentence", 3), *[event("")] * 60], 0.1)
    with serving(slow) as server, pytest.raises(StageUnavailable, match="no complete answer"):
        model(server.url, 1.5).complete("x")


def test_a_server_that_does_not_stream_is_asked_without():
    refusal = says(b'{"error": {"message": "stream is not supported"}}', 400)
    with serving(refusal, says(completion("plain"))) as server:
        assert model(server.url).complete("x") == "plain"
    assert [asked.told.get("stream") for asked in server.asked] == [True, None]


def test_an_expansion_goes_in_parts_and_the_best_of_each_are_put_in_order_last():
    many = [make_candidate(f"t{n:03}", 1 - n / 200, description="word " * 30) for n in range(120)]
    rows = [json.dumps({"tools": [{"id": f"t{n:03}", "why": "x"}]}) for n in (5, 60, 110)]
    last = json.dumps({"tools": [{"id": i, "why": "x"} for i in ("t110", "t005", "t060")]})
    script = ScriptedModel(*rows, last)
    stage = LanguageModelRerank(script, limit=15, prompt_tokens=2_200, in_parts=True)
    result = stage.run(make_state("x", *many))
    *parts, final = script.prompts
    assert len(parts) == 3
    for candidate in many:
        assert sum(f'"{candidate.tool.id}"' in prompt for prompt in parts) == 1
    assert final.count('{"id": "t') == 3
    assert ids(result)[:3] == ["t110", "t005", "t060"]
    assert "not sent" not in result.note


class Timed(ScriptedModel):
    """A script that keeps the seconds each call may take."""

    def __init__(self, *answers):
        super().__init__(*answers)
        self.seconds = []

    def complete(self, prompt, *, seconds=None, **options):
        self.seconds.append(seconds)
        return super().complete(prompt, seconds=seconds, **options)


def in_three_parts(model, query_seconds):
    many = [make_candidate(f"t{n:03}", 1 - n / 200, description="word " * 30) for n in range(120)]
    stage = LanguageModelRerank(
        model, limit=15, prompt_tokens=2_200, in_parts=True, seconds=LOCAL[0]
    )
    state = replace(make_state("x", *many), deadline=Deadline.after(query_seconds))
    return stage.run(state)


@pytest.mark.parametrize(("query_seconds", "seconds"), [(60.0, 15.0), (240.0, LOCAL[0])])
def test_a_call_has_its_share_of_the_querys_time_and_never_more_than_its_own_limit(
    query_seconds, seconds
):
    rows = [json.dumps({"tools": [{"id": f"t{n:03}", "why": "x"}]}) for n in (5, 60, 110)]
    model = Timed(*rows, rows[0])
    in_three_parts(model, query_seconds)
    assert model.seconds[0] == pytest.approx(seconds, abs=0.2)
    assert max(model.seconds) <= LOCAL[0]


def test_a_call_that_its_share_of_the_time_ends_says_so():
    late = StageUnavailable("the language model: no answer within 15 s")
    assert "SCANSCOUT_QUERY_SECONDS" in in_three_parts(ScriptedModel(late), 60.0).note
    assert "SCANSCOUT_QUERY_SECONDS" not in in_three_parts(ScriptedModel(late), 240.0).note
    assert "SCANSCOUT_QUERY_SECONDS" not in in_three_parts(ScriptedModel("no JSON"), 60.0).note


def test_a_part_without_an_answer_ends_the_parts_and_the_note_counts_what_was_not_sent():
    many = [make_candidate(f"t{n:03}", 1 - n / 200, description="word " * 30) for n in range(120)]
    first = json.dumps({"tools": [{"id": "t005", "why": "x"}]})
    script = ScriptedModel(first, "no JSON at all")
    stage = LanguageModelRerank(script, limit=15, prompt_tokens=3_000, in_parts=True)
    result = stage.run(make_state("x", *many))
    sent = script.prompts[0].count('{"id": "t')
    assert ids(result)[0] == "t005"
    assert f"{120 - sent} of 120 tools were not sent" in result.note
    assert "held no JSON" in result.note


@pytest.mark.parametrize(
    ("provider", "address", "limits"),
    [
        ("openai", "", HOSTED),
        ("ollama", "", LOCAL),
        ("compatible", "http://127.0.0.1:1234/v1", LOCAL),
        ("ollama", "https://models.example.org/v1", HOSTED),
    ],
)
def test_limits_follow_where_the_model_runs(provider, address, limits):
    assert usual_limits(provider, address) == limits


def test_a_limit_that_is_set_holds_for_any_provider():
    settings = Settings(llm_provider="ollama", llm_seconds=5.0, llm_prompt_tokens=900)
    assert call_limits(settings) == (5.0, 900)
