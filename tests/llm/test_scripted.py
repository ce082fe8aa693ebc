"""A model that is a file, a model that only shows what it would be asked, and keys in texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.llm.port import Preview
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.llm.retriever import LanguageModelRetrieve
from retrieval.llm.scripted import ScriptedFile
from retrieval.llm.structured import ask
from retrieval.net.secrets import redact
from tests.fakes import SMALL, ids, make_candidate, make_state
from tests.llm.faults import KEY

DEMO = Path("retrieval/llm/demo.json")


class Judgement(BaseModel):
    is_sufficient: bool
    missing_info: list[str] = []


def script(tmp_path, *rules):
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"rules": rules}))
    return ScriptedFile(path)


def test_the_first_rule_that_applies_answers(tmp_path):
    model = script(
        tmp_path,
        {"shape": "Other", "answer": "no"},
        {"contains": ["lungs", "CT"], "answer": {"is_sufficient": False}},
        {"answer": {"is_sufficient": True}},
    )
    assert ask(model, "segment LUNGS on ct", Judgement).value == Judgement(is_sufficient=False)
    assert ask(model, "segment lungs", Judgement).value == Judgement(is_sufficient=True)
    assert model.complete("x") == model.complete("x") == '{"is_sufficient": true}'


def test_a_rule_may_say_one_thing_for_each_line_that_is_a_text(tmp_path):
    rule = {"each": "answers", "answer": {"question": "Which?"}, "why": "about {text}"}
    said = script(tmp_path, rule).complete('Answers:\n"one"\n"two"\nSearch: "three"')
    assert json.loads(said) == {"question": "Which?", "answers": ["about one", "about two"]}


def test_a_rule_looks_at_the_request_and_not_at_the_tools(tmp_path):
    model = script(tmp_path, {"contains": ["lungs"], "answer": "told"})
    tools = "\n".join(["segments lungs", "a", "b", "c"])
    with pytest.raises(StageUnavailable, match="no answer to this prompt"):
        model.complete(tools)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"rules": [{"shap": 1}]}', '{"rules": 3}'])
def test_a_script_that_cannot_be_used_names_its_setting(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"^SCANSCOUT_LLM_SCRIPT: "):
        ScriptedFile(path)
    with pytest.raises(BadInput, match="cannot be read"):
        ScriptedFile(tmp_path / "absent.json")


def test_the_demo_orders_by_words_shared_with_the_task():
    shown = [make_candidate(t.id, name=t.name, description=t.description) for t in SMALL]
    stage = LanguageModelRerank(ScriptedFile(DEMO))
    result = stage.run(make_state("find nodules of the lung on CT", *shown))
    assert ids(result)[0] == "nodules"
    assert result.state.candidates[0].why[-1].text.startswith("Shares ")
    assert result.metrics["llm_tokens_in"] > 0


def test_the_demo_finds_in_a_catalog_too():
    stage = LanguageModelRetrieve(ScriptedFile(DEMO), {t.id: t for t in SMALL}, k=3)
    assert ids(stage.run(make_state("count cells in fluorescence images")))[0] == "cells"


def test_a_preview_keeps_the_request_and_answers_nothing():
    seen = Preview("gpt-x", "api.example.org")
    stage = LanguageModelRerank(seen)
    state = make_state("segment lungs", make_candidate("a"))
    result = stage.run(state)
    assert result.status == "skipped"
    assert "nothing was sent" in result.note
    [outgoing] = seen.seen
    assert (outgoing.host, outgoing.model, outgoing.images) == ("api.example.org", "gpt-x", ())
    assert outgoing.text == stage.request(state).text


@pytest.mark.parametrize(
    "text",
    [
        f"see {KEY}!",
        "Bearer abcdef0123456789",
        "hf_abcdefghijklmnopqrstuvwxyz",
        "sk-proj-abcdefghijklmnopqrstuvwxyz0123",
        "my-own-long-key",
    ],
)
def test_nothing_that_looks_like_a_key_stays_in_a_text(text):
    shown = redact(f'{{"why": "{text}"}}', "my-own-long-key")
    assert "[hidden]" in shown
    assert json.loads(shown)["why"].count("[hidden]") == 1
    assert not any(part in shown for part in (KEY, "0123456789", "uvwxyz", "my-own"))


@pytest.mark.parametrize("text", ["skull-stripping of the brain", "hf_encoder", "task-driven", ""])
def test_ordinary_words_stay(text):
    assert redact(text, "none", "ab") == text
