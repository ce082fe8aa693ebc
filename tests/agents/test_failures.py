"""Failures of other systems that agentic retrieval must not repeat (3.2, 3.5, 3.6, 5.4)."""

from __future__ import annotations

import json

import pytest

from retrieval.agents import AgenticConfig, agentic_report, merged_to
from retrieval.agents.refine import cleaned
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.fusion import reciprocal_rank_fusion
from tests.agents.judging import ENOUGH, MORE, QUERIES, asked
from tests.agents.test_agentic import light
from tests.fakes import ScriptedModel, ids, make_candidate, make_query, small_engine


def lists(*texts):
    return [(f"q{n}", [make_candidate(i) for i in text.split()]) for n, text in enumerate(texts)]


def test_3_2_the_fallback_and_its_reason_are_set_and_no_result_is_lost():
    result, report = asked(language_model=ScriptedModel(RuntimeError("broke")))
    assert report.as_json()["retrieval_mode"] == "agentic_fallback"
    assert report.as_json()["fallback_reason"]
    assert ids(result) == light()


def test_3_2_false_as_text_asks_again_and_garbage_is_not_sufficient():
    said = json.dumps({"is_sufficient": "false", "missing_info": ["atlas"]})
    assert asked(language_model=ScriptedModel(said, QUERIES))[1].is_multi_round
    assert asked(language_model=ScriptedModel("garbage", "garbage"))[1].is_sufficient is None


def test_3_2_reasoning_and_refined_queries_reach_the_answer_that_is_served():
    answer = small_engine(language_model=ScriptedModel(MORE, QUERIES)).run("segment", "agentic")
    report = agentic_report(answer.result)
    assert report.reasoning == "no atlas"
    assert len(report.refined_queries) == 2


def test_3_2_a_tool_is_one_tool_however_many_lists_hold_it():
    found = merged_to(10)("m", lists("a b", "b a c", "c b"))
    assert sorted(c.tool.id for c in found) == ["a", "b", "c"]


@pytest.mark.parametrize("odd", [7, None, ["x"], {"q": 1}, True])
def test_3_5_one_item_of_the_wrong_kind_does_not_empty_the_list(odd):
    said = json.dumps({"queries": [odd, "register to atlas", odd, "measure volume"]})
    _, report = asked(language_model=ScriptedModel(MORE, said))
    assert report.refined_queries == ("register to atlas", "measure volume")
    missing = json.dumps({"is_sufficient": False, "missing_info": [odd, "an atlas"]})
    _, report = asked(language_model=ScriptedModel(missing, QUERIES))
    assert report.missing_info == ("an atlas",)


def test_3_5_what_the_model_writes_chooses_no_tool_by_place_or_id():
    said = json.dumps({"is_sufficient": True, "missing_info": [], "tools": [-1, "lungmask", 99]})
    result, _ = asked(language_model=ScriptedModel(said))
    assert ids(result) == ids(asked(language_model=ScriptedModel(ENOUGH))[0])


def test_3_6_numbers_units_and_other_scripts_stay_in_refined_queries():
    said = [
        "segment 3D CT",
        "4D flow MRI at 7T",
        "10x genomics",
        "分割肺部",
        "segmentación de pulmón",
    ]
    assert cleaned(said, "x", 5) == tuple(said)


def test_5_4_three_lists_fused_by_rank_with_k_60():
    found = reciprocal_rank_fusion("f", lists("A B C", "B D A", "A E B"))
    assert [(c.tool.id, round(c.score, 5)) for c in found] == [
        ("A", 0.04866),
        ("B", 0.0484),
        ("D", 0.01613),
        ("E", 0.01613),
        ("C", 0.01587),
    ]


def test_5_4_one_empty_list_gives_the_other_cut_and_two_give_nothing():
    assert [c.tool.id for c in merged_to(2)("m", lists("", "a b c"))] == ["a", "b"]
    assert merged_to(2)("m", lists("", "")) == ()
    query = make_query("segment lungs", excluded=tuple(light(k=50)))
    _, report = asked(query=query, model_only=False)
    assert (report.round1_count, report.final_count) == (0, 0)


def test_the_merge_keeps_what_the_first_list_holds_and_fills_up_with_the_best():
    found = merged_to(4)("m", lists("a b", "x y z", "z y"))
    assert {c.tool.id for c in found} == {"a", "b", "y", "z"}


@pytest.mark.parametrize("mode", ["keyword", "vector", "rrf"])
def test_s4_14_a_light_mode_asks_no_model_even_where_one_is_on(mode):
    model = ScriptedModel()
    assert ids(small_engine(language_model=model).run("segment lungs", mode).candidates)
    assert model.prompts == []


def test_s4_14_the_engine_offers_the_four_modes():
    assert {"keyword", "vector", "rrf", "agentic"} <= set(small_engine().modes)


def test_on_the_page_a_model_that_fails_gives_the_plain_search_with_the_reason():
    model = ScriptedModel(StageUnavailable("quota"))
    answer = small_engine(language_model=model).run("segment lungs", "agentic")
    assert ids(answer.candidates) == light()
    assert agentic_report(answer.result).fallback_reason == "LLM API call failed: quota"


@pytest.mark.parametrize("field", ["round1_top_n", "num_queries", "timeout", "combined_total"])
def test_a_number_that_cannot_be_names_its_field(field):
    with pytest.raises(BadInput, match=field):
        AgenticConfig(**{field: 0})
