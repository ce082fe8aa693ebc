"""Schema, then JSON, then text: what a server understands is found out once and kept."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from pydantic import BaseModel

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.llm.client import load_library
from retrieval.llm.dialect import Dialect, strict
from retrieval.llm.provider import LLMProvider
from retrieval.llm.structured import ask
from tests.llm.faults import Server, Wire, completion, says, serving

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


class Shape(BaseModel):
    ok: bool
    names: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def library():
    load_library()


def provider(server: Server) -> LLMProvider:
    return LLMProvider("compatible", "tiny", "", server.url)


def refuses(**unless: str):
    """Refuses requests whose response_format, or another field, is not the one named."""

    def act(wire: Wire) -> None:
        told = wire.server.asked[-1].told
        form = told.get("response_format", {}).get("type", "text")
        if form not in unless["form"].split():
            body = b'{"error": {"message": "response_format is not supported"}}'
            return says(body, int(unless.get("status", 400)))(wire)
        return says(completion('{"ok": true}'))(wire)

    return act


@pytest.mark.parametrize(
    ("form", "tried"),
    [
        ("json_schema json_object text", ["json_schema"]),
        ("json_object text", ["json_schema", "json_object"]),
        ("text", ["json_schema", "json_object", "text"]),
    ],
)
@pytest.mark.parametrize("status", ["400", "422", "501"])
def test_simpler_forms_are_tried_in_turn_and_the_one_that_works_is_remembered(form, tried, status):
    with serving(refuses(form=form, status=status)) as server:
        model = provider(server)
        for _ in range(2):
            assert ask(model, "x", Shape).value == Shape(ok=True)
    forms = [a.told.get("response_format", {}).get("type", "text") for a in server.asked]
    assert forms == [*tried, tried[-1]]


def test_finding_out_is_one_call_of_the_budget():
    with serving(refuses(form="text")) as server:
        assert ask(provider(server), "x", Shape).calls == 1


def test_calls_at_the_same_time_find_out_together():
    with serving(refuses(form="text")) as server:
        model = provider(server)
        with ThreadPoolExecutor(6) as pool:
            said = list(pool.map(lambda _: ask(model, "x", Shape).value, range(12)))
    assert said == [Shape(ok=True)] * 12
    assert server.asked[-1].told.get("response_format") is None


def test_no_more_than_four_requests_are_made_for_one_call():
    with serving(
        says(b'{"error": {"message": "max_completion_tokens temperature"}}', 400)
    ) as server:
        with pytest.raises(StageUnavailable, match="HTTP 400"):
            ask(provider(server), "x", Shape)
        assert len(server.asked) == 4


def test_a_prompt_that_is_too_long_is_not_asked_in_other_ways():
    body = b'{"error": {"message": "This model\'s maximum context length is 4096 tokens"}}'
    with serving(says(body, 400)) as server:
        with pytest.raises(StageUnavailable, match="lower SCANSCOUT_LLM_PROMPT_TOKENS"):
            ask(provider(server), "x", Shape)
        assert len(server.asked) == 1


def test_other_names_for_the_length_and_a_fixed_temperature_are_understood():
    def act(wire: Wire) -> None:
        told = wire.server.asked[-1].told
        for name, other in (("max_tokens", "use max_completion_tokens"), ("temperature", "")):
            if name in told:
                body = json.dumps({"error": {"message": f"Unsupported: '{name}' {other}"}})
                return says(body.encode(), 400)(wire)
        return says(completion('{"ok": true}'))(wire)

    with serving(act) as server:
        model = provider(server)
        assert ask(model, "x", Shape).value == Shape(ok=True)
        assert ask(model, "x", Shape).value == Shape(ok=True)
    assert len(server.asked) == 4
    last = server.asked[-1].told
    assert last["max_completion_tokens"] == 2000
    assert last["response_format"]["type"] == "json_schema"


def test_a_text_without_a_schema_asks_for_no_form():
    with serving(says(completion("hello"))) as server:
        provider(server).complete("x")
    assert "response_format" not in server.asked[0].told


def test_a_schema_is_sent_so_that_a_model_can_be_held_to_it():
    schema = strict(Shape.model_json_schema())
    assert schema["required"] == ["ok", "names"]
    assert schema["additionalProperties"] is False
    assert "default" not in schema["properties"]["names"]
    sent = Dialect().options(Shape.model_json_schema(), 0.0, 5)["response_format"]["json_schema"]
    assert (sent["strict"], sent["schema"]) == (True, schema)


def test_a_dialect_only_ever_gets_simpler():
    steps = [Dialect()]
    while (step := steps[-1].simpler(400, "", structured=True)) is not None:
        steps.append(step)
    assert [s.form for s in steps] == ["schema", "json", "text"]
    assert all(a != b for a, b in pairwise(steps))
    assert Dialect().simpler(500, "", structured=True) is None
    assert Dialect().simpler(400, "", structured=False) is None


def test_images_go_behind_the_text_as_png_and_nothing_else_does():
    with serving(says(completion("x"))) as server:
        provider(server).complete("look", images=(PNG, PNG))
        text, *images = server.asked[0].told["messages"][0]["content"]
        assert text == {"type": "text", "text": "look"}
        assert [i["type"] for i in images] == ["image_url", "image_url"]
        assert images[0]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
        with pytest.raises(BadInput, match="only PNG"):
            provider(server).complete("look", images=(b"GIF89a",))
        for many in ((PNG,) * 9, (PNG + b"0" * 4_000_000,)):
            with pytest.raises(BadInput, match="at most 8 pictures"):
                provider(server).complete("look", images=many)
        assert len(server.asked) == 1
