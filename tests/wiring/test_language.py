"""From settings to a model, its budget, and what would be sent to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from retrieval import open_engine, to_json
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.core.types import State
from retrieval.llm.client import PURPOSE
from retrieval.llm.provider import LLMProvider
from retrieval.llm.scripted import ScriptedFile
from retrieval.net.permission import OutsideCalls
from retrieval.settings import Settings
from retrieval.wiring.language import (
    Absent,
    language_model,
    language_model_told,
    outside_purposes,
    preview_request,
    query_budget,
)
from retrieval.wiring.parts import Sizes
from tests.dialogue.talking import talking_engine
from tests.fakes import make_query, small_engine, small_parts, small_snapshot
from tests.llm.faults import KEY, completion, ranking, says, serving

pytestmark = pytest.mark.process

DEMO = Path("retrieval/llm/demo.json")
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def settings(**told):
    return Settings(_env_file=None, **told)


def previewed(told, query, **how):
    snapshot = talking_engine().current()
    return preview_request(told, snapshot, small_parts(), Sizes(), query=query, **how)


def test_nothing_is_on_by_default_and_nothing_may_call_out():
    told = settings()
    assert language_model(told, OutsideCalls()) is None
    assert outside_purposes(told) == frozenset()
    assert language_model_told(told) == ""
    assert language_model(settings(llm_base_url="http://h/v1"), OutsideCalls()) is None


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ({"llm_base_url": "http://h/v1"}, "http://h/v1"),
        ({"llm_provider": "ollama"}, "http://127.0.0.1:11434/v1"),
        ({"llm_provider": "openai", "llm_api_key": KEY}, "https://api.openai.com/v1"),
        ({"llm_provider": "huggingface", "hf_token": KEY}, "https://router.huggingface.co/v1"),
        ({"llm_provider": "vllm", "llm_base_url": "http://h:1/v1"}, "http://h:1/v1"),
    ],
)
def test_a_provider_or_an_address_with_a_model_switches_one_on(told, address):
    chosen = settings(llm_model="m", **told)
    model = language_model(chosen, OutsideCalls())
    assert isinstance(model, LLMProvider)
    assert (model.id, model.base_url) == ("m", address)
    assert outside_purposes(chosen) == {PURPOSE}
    assert language_model_told(chosen) == f"m at {model.host}"
    assert KEY not in language_model_told(chosen) + repr(chosen)


def test_the_token_of_the_hub_goes_to_the_hub_alone(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_canarycanarycanarycanary")
    with serving(says(completion("x"))) as server:
        own = settings(llm_base_url=server.url, llm_model="m")
        model = language_model(own, OutsideCalls(outside_purposes(own)))
        assert model is not None
        model.complete("x")
    assert "canary" not in server.asked[0].head
    hub = settings(llm_provider="huggingface", llm_model="m")
    assert isinstance(language_model(hub, OutsideCalls()), LLMProvider)
    elsewhere = settings(llm_provider="huggingface", llm_model="m", llm_base_url=server.url)
    assert isinstance(language_model(elsewhere, OutsideCalls()), Absent)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"llm_provider": "openai"}, "SCANSCOUT_LLM_API_KEY: openai needs a key"),
        ({"llm_provider": "azure"}, "SCANSCOUT_LLM_PROVIDER: unknown 'azure'; choose one of"),
        ({"llm_base_url": "ftp://h"}, "SCANSCOUT_LLM_BASE_URL: not an http"),
        ({"llm_script": Path("absent.json")}, "cannot be read"),
    ],
)
def test_a_wrong_setting_is_a_stage_that_says_why_and_not_a_page_that_does_not_start(told, said):
    model = language_model(settings(llm_model="m", **told), OutsideCalls())
    assert isinstance(model, Absent)
    with pytest.raises(StageUnavailable, match=said):
        model.complete("x")


def test_a_script_answers_in_the_place_of_a_model_with_no_key_and_no_call():
    told = settings(llm_script=DEMO, llm_model="m", llm_base_url="http://h/v1")
    assert isinstance(language_model(told, OutsideCalls()), ScriptedFile)
    assert outside_purposes(told) == frozenset()
    assert language_model_told(told) == "scripted"


def test_a_demo_runs_end_to_end_on_a_script():
    model = language_model(settings(llm_script=DEMO), OutsideCalls())
    answer = small_engine(language_model=model).run("find lung nodules on CT")
    rerank = next(n for n in answer.result.walk() if n.name == "rerank")
    assert (rerank.status, rerank.metrics["llm_calls"]) == ("ok", 1)
    assert answer.candidates[0].tool.id == "nodules"


def test_the_limits_and_prices_are_those_that_are_set():
    told = settings(llm_max_calls=1, llm_price_in=1.0, llm_price_out=2.0, llm_max_cost=0.5)
    budget = query_budget(told)()
    assert budget.take(100_000, 10) == ""
    assert "1 of 1" in budget.take(1, 1)
    budget.settle((100_000, 10), (100_000, 10), 5.0)
    assert budget.used.cost == pytest.approx(0.10002)
    assert query_budget(told)() is not budget
    costly = query_budget(settings(llm_price_out=1.0, llm_max_cost=0.001))()
    assert "cost" in costly.take(1, 2000)
    assert "tokens" in query_budget(settings(llm_max_tokens=10))().take(9, 2)


def test_what_would_be_sent_is_shown_exactly_and_nothing_is_sent():
    query = make_query("segment lungs on CT", tokens=("format:CT",))
    with serving(says(completion(ranking("lungmask")))) as server:
        told = settings(llm_base_url=server.url, llm_model="tiny", llm_api_key=KEY)
        shown = previewed(told, query, images=(PNG, PNG, PNG))
        assert server.asked == []
        assert shown is not None
        assert (shown.host, shown.model) == ("127.0.0.1", "tiny")
        assert shown.images == (PNG, PNG, PNG)
        model = language_model(told, OutsideCalls(outside_purposes(told)))
        pipeline = small_snapshot(language_model=model).modes["hybrid"].pipeline
        finish(progress(pipeline, State(query=query, images=(PNG, PNG, PNG)), root=True))
    text, *images = server.asked[0].told["messages"][0]["content"]
    assert text["text"] == shown.text
    assert len(images) == 3
    assert "segment lungs on CT" in shown.text
    assert KEY not in repr(shown)


def test_what_may_follow_is_shown_too_and_is_what_the_search_then_sends():
    query = make_query("segment volumes", refine=True)
    order = says(completion(ranking("lungmask")))
    with serving(order, says(completion("no words"))) as server:
        told = settings(llm_base_url=server.url, llm_model="tiny")
        shown = previewed(told, query)
        alone = previewed(told, query, mode="plaza")
        assert server.asked == []
        model = language_model(told, OutsideCalls(outside_purposes(told)))
        talking_engine(model).run(query)
    assert server.asked[0].prompt == shown.text
    assert len(server.asked) == 2
    [then] = shown.then
    assert then.splitlines()[:6] == server.asked[1].prompt.splitlines()[:6]
    assert (then.splitlines()[-1], alone.then) == (
        'The search, as a JSON string: "segment volumes"',
        (),
    )
    assert alone.text.splitlines()[-1] == then.splitlines()[-1]


def test_a_preview_of_a_query_that_cannot_run_says_what_is_wrong():
    told = settings(llm_base_url="http://h/v1", llm_model="m")
    with pytest.raises(BadInput, match="nothing to look for"):
        previewed(told, make_query(""))


def test_the_demo_words_a_question_back_and_changes_no_ready_query():
    model = language_model(settings(llm_script=DEMO), OutsideCalls())
    asked = talking_engine(model).run("segment volumes [REFINE]").clarification
    plain = talking_engine().run("segment volumes [REFINE]").clarification
    assert asked.question == "Which kind of image do you have?"
    assert [o.label for o in asked.options] == [f"My data are {o.label}" for o in plain.options]
    assert [o.query for o in asked.options] == [o.query for o in plain.options]


def test_a_mode_that_asks_no_model_would_send_nothing():
    told = settings(llm_base_url="http://h/v1", llm_model="m")
    query = make_query("segment lungs")
    assert previewed(told, query, mode="keyword") is None
    assert previewed(told, make_query("segment", refine=True), mode="keyword") is None


def test_without_a_model_nothing_would_be_sent_and_a_script_has_no_host():
    query = make_query("segment lungs")
    assert previewed(settings(), query) is None
    told = settings(llm_script=DEMO, llm_base_url="http://h/v1", llm_model="m")
    shown = previewed(told, query)
    assert shown is not None
    assert (shown.host, shown.model) == ("", "scripted")


def test_an_engine_from_settings_asks_once_and_its_export_holds_no_key(light_settings):
    body = completion(ranking("lungmask", why=f"it was told {KEY}"))
    with serving(says(body)) as server:
        told = {"llm_base_url": server.url, "llm_model": "tiny", "llm_api_key": SecretStr(KEY)}
        engine = open_engine(light_settings.model_copy(update=told))
        answer = engine.run("segment lungs on CT")
    assert len(server.asked) == 1
    assert answer.candidates[0].tool.id == "lungmask"
    assert answer.outside == ((PURPOSE, "127.0.0.1"),)
    exported = json.dumps(to_json(answer))
    assert "it was told [hidden]" in exported
    assert KEY not in exported


def test_the_client_library_is_loaded_only_when_a_model_is_on():
    code = "import retrieval.wiring.language, sys; print({'openai', 'httpx2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_images_are_in_no_query_and_in_no_description_of_a_state():
    state = State(query=make_query("x"), images=(b"IMAGEBYTES",))
    assert "IMAGEBYTES" not in repr(state)
    assert not hasattr(state.query, "images")
    assert json.dumps(state.query.search_text) == '"x"'
