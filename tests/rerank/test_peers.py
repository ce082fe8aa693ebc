"""Failures of other systems (requirements 3.2, 3.5, 3.6, 5.7) that must not happen here."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from retrieval.core.combine import FirstOf
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.llm.cards import Ranking, ToolIds
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.rerank.switch import KeepOrder
from tests.fakes import (
    Breaks,
    ScriptedModel,
    ids,
    make_candidate,
    make_state,
    make_tool,
    small_engine,
)


def ranked(told, *names):
    shown = [make_candidate(n, 1 - i / 10) for i, n in enumerate(names)]
    model = ScriptedModel(told if isinstance(told, str) else json.dumps({"tools": told}))
    return LanguageModelRerank(model).run(make_state("x", *shown))


def test_w_3_5_one_entry_that_is_no_id_costs_only_itself():
    for odd in ("nnU-Net", None, 3.5, [], {}, True, {"id": None}, {"name": "b"}):
        assert ids(ranked(["c", odd, "a"], "a", "b", "c"))[:2] == ["c", "a"]


def test_w_3_5_a_negative_number_selects_nothing_from_the_end():
    assert ids(ranked([-1, "b"], "a", "b", "c")) == ["b", "a", "c"]


def test_w_3_5_a_doubled_tool_is_named_once():
    assert ids(ranked(["b", "b", {"id": "b"}], "a", "b")) == ["b", "a"]


def test_5_7_numbers_are_ids_and_not_places():
    result = ranked([0, 3, "nnU-Net", 1, 1], "a", "b", "3", "0")
    assert ids(result) == ["0", "3", "a", "b"]


def test_w_3_5_every_tool_has_an_order_a_score_and_a_reason():
    result = ranked(["b", "a"], "a", "b", "c")
    scores = [c.score for c in result.state.candidates]
    assert scores == sorted(set(scores), reverse=True)
    assert all(c.why[-1].text for c in result.state.candidates)


def test_w_3_5_the_prompt_holds_the_candidates_and_not_the_whole_registry():
    model = ScriptedModel(json.dumps({"tools": []}))
    small_engine(language_model=model).run("count cells in fluorescence images [EXCLUDE:airways]")
    assert '"cells"' in model.prompts[0]
    assert '"airways"' not in model.prompts[0]


def test_w_3_5_no_model_of_any_vendor_is_the_default():
    engine = small_engine()
    with_none = engine.run("segment lungs")
    skipped = next(n for n in with_none.result.walk() if n.name == "rerank/language model")
    assert "none configured" in skipped.note


def test_w_3_6_numbers_with_letters_and_words_of_any_script_reach_the_model():
    model = ScriptedModel(json.dumps({"tools": ["a"]}))
    text = "segment 3D CT, 10x Visium, il-6, 肺の分割, segmentación de pulmón"
    LanguageModelRerank(model).run(make_state(text, make_candidate("a")))
    assert text in model.prompts[0]


@pytest.mark.parametrize("error", [StageUnavailable("time-out"), RuntimeError("a defect")])
def test_w_3_2_a_failure_gives_the_list_there_was_and_never_none(error):
    model = ScriptedModel(error)
    stage = FirstOf("rerank", [LanguageModelRerank(model), KeepOrder()])
    shown = [make_candidate(i) for i in "ab"]
    result = finish(progress(stage, make_state("x", *shown)))
    assert ids(result) == ["a", "b"]
    assert result.status == "fallback"
    assert result.note


def test_w_3_2_a_fallback_and_its_reason_are_in_the_answer():
    engine = small_engine(language_model=ScriptedModel(StageUnavailable("LLM API timeout")))
    answer = engine.run("segment lungs")
    rerank = next(n for n in answer.result.walk() if n.name == "rerank")
    assert rerank.status == "fallback"
    assert "LLM API timeout" in rerank.note
    assert answer.candidates


def test_w_3_2_doubles_are_told_by_id_and_not_by_object():
    twin = replace(make_candidate("a"), tool=make_tool("a"))
    model = ScriptedModel(json.dumps({"tools": ["b"]}))
    shown = (make_candidate("a"), twin, make_candidate("b"))
    assert ids(LanguageModelRerank(model).run(make_state("x", *shown))) == ["b", "a"]


def test_w_3_2_what_a_model_cost_is_not_dropped_when_it_failed():
    model = ScriptedModel("garbage")
    stage = FirstOf("rerank", [LanguageModelRerank(model), Breaks("other"), KeepOrder()])
    result = finish(progress(stage, make_state("x", make_candidate("a"))))
    assert result.children[0].metrics["llm_calls"] == 1


def test_the_schemas_say_what_is_wanted():
    assert Ranking.model_json_schema()["title"] == "Ranking"
    assert ToolIds.model_json_schema()["properties"]["ids"]["items"] == {"type": "string"}
