"""S4-13: a provider by type, model, key and address; what is wrong with one is said by field."""

from __future__ import annotations

import pytest

from retrieval.core.errors import BadInput, OutsideCallRefused
from retrieval.llm.client import PURPOSE, load_library
from retrieval.llm.provider import ADDRESSES, LLMProvider
from retrieval.net.permission import OutsideCalls
from tests.llm.faults import KEY, completion, says, serving


@pytest.fixture(scope="module", autouse=True)
def library():
    load_library()


@pytest.mark.requirement("S4-13")
def test_the_surface_is_type_model_key_address_and_temperature_nought():
    provider = LLMProvider("openai", "gpt-x", KEY, "http://127.0.0.1:9/v1")
    assert (provider.provider_type, provider.model, provider.id) == ("openai", "gpt-x", "gpt-x")
    assert (provider.base_url, provider.temperature) == ("http://127.0.0.1:9/v1", 0.0)
    named = LLMProvider(
        provider_type="vllm", model="m", api_key="", base_url="http://h:1/v1/", temperature=0.5
    )
    assert (named.base_url, named.temperature, named.host) == ("http://h:1/v1", 0.5, "h")


@pytest.mark.requirement("S4-13")
def test_a_provider_is_a_language_model():
    with serving(says(completion("hello"))) as server:
        provider = LLMProvider("compatible", "tiny", KEY, server.url, 0.3)
        spent = []
        assert provider.complete("hi", meter=lambda i, o: spent.append((i, o))) == "hello"
    assert server.asked[0].told["temperature"] == 0.3
    assert f"Bearer {KEY}" in server.asked[0].head
    assert spent[-1] == (1200, 80)


@pytest.mark.requirement("S4-01")
def test_a_provider_can_be_had_at_another_temperature_and_answer_length():
    with serving(says(completion("x"))) as server:
        provider = LLMProvider("compatible", "tiny", KEY, server.url, 0.3, max_tokens=700)
        tuned = provider.tuned(temperature=0.0, max_tokens=500)
        tuned.complete("x")
        provider.complete("x")
    asked = [(one.told["temperature"], one.told["max_tokens"]) for one in server.asked]
    assert asked == [(0.0, 500), (0.3, 700)]
    assert (tuned.temperature, tuned.max_tokens, tuned.id) == (0.0, 500, "tiny")


def test_what_a_server_does_not_understand_is_found_out_once_for_all_tunings():
    def plain_only(wire):
        told = wire.server.asked[-1].told
        refused = says(b'{"error": {"message": "response_format?"}}', 400)
        return (refused if "response_format" in told else says(completion("{}")))(wire)

    with serving(plain_only) as server:
        provider = LLMProvider("compatible", "tiny", "", server.url)
        provider.tuned(temperature=0.0, max_tokens=500).complete("x", schema={"type": "object"})
        first = len(server.asked)
        provider.tuned(temperature=0.1, max_tokens=9).complete("x", schema={"type": "object"})
    assert (first, len(server.asked)) == (3, 4)


def test_an_answer_of_no_length_is_refused():
    with pytest.raises(BadInput, match="max_tokens: 0 is below 1"):
        LLMProvider("compatible", "m", "", "http://h/v1", max_tokens=0)


@pytest.mark.parametrize("name", ADDRESSES)
def test_every_known_provider_has_its_address(name):
    provider = LLMProvider(name, "m", KEY)
    assert provider.base_url == ADDRESSES[name]
    local = name not in ("openai", "huggingface")
    assert provider.base_url.startswith("http://127.0.0.1" if local else "https://")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            ("azure", "m", KEY, "http://h/v1"),
            "provider_type: unknown 'azure'; choose one of: openai",
        ),
        (("openai", "m", "", None), "api_key: openai needs a key"),
        (("huggingface", "m"), "api_key: huggingface needs a key"),
        (("ollama", " ", ""), "model: empty"),
        (("compatible", "m", ""), "base_url: not an http"),
        (("compatible", "m", "", "file:///etc/passwd"), "base_url: not an http"),
        (("compatible", "m", "", "http://[::1"), "base_url: not an http"),
        (("compatible", "m", "", "http://host:99999/v1"), "base_url: not an http"),
        (("compatible", "m", "", "http://a host/v1"), "base_url: not an http"),
        (("compatible", "m", "", "http://host/v1\n"), "base_url: not an http"),
        (("compatible", "m", "", f"https://user:{KEY}@h/v1"), "base_url: holds more"),
        (("compatible", "m", "", f"https://h/v1?key={KEY}"), "base_url: holds more"),
        (("openai", "m", f"{KEY}\nX-Evil: 1"), "api_key: holds a character"),
        (("openai", "m", "sk-…"), "api_key: holds a character"),
    ],
)
def test_a_wrong_field_is_named_and_no_key_is_told(fields, said):
    with pytest.raises(BadInput) as caught:
        LLMProvider(*fields)
    assert str(caught.value).startswith(said)
    assert KEY not in str(caught.value)


def test_a_key_is_in_no_description_of_a_provider():
    provider = LLMProvider("openai", "m", KEY)
    assert KEY not in f"{provider!r} {provider}"


def test_a_guard_that_does_not_allow_it_lets_no_call_out():
    with serving(says(completion("x"))) as server:
        provider = LLMProvider("compatible", "m", "", server.url, guard=OutsideCalls())
        with pytest.raises(OutsideCallRefused):
            provider.complete("x")
    assert server.asked == []


def test_a_call_is_recorded_by_host_alone():
    guard = OutsideCalls(frozenset({PURPOSE}))
    with serving(says(completion("x"))) as server:
        LLMProvider("compatible", "m", KEY, server.url, guard=guard).complete("secret task")
    assert guard.recent == [(PURPOSE, "127.0.0.1")]


def test_names_that_the_library_reads_from_the_environment_are_not_sent(monkeypatch):
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "planted-canary")
    with serving(says(completion("x"))) as server:
        LLMProvider("compatible", "m", "", server.url).complete("x")
    assert "planted-canary" not in server.asked[0].head + server.asked[0].body.decode()
