"""Failures of other systems that agentic retrieval must not repeat (3.2, 3.5, 3.6, 5.4)."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from retrieval.agentic.config import AgenticConfig
from retrieval.agentic.judge import cleaned
from retrieval.agentic.merging import merged_to
from retrieval.agentic.report import agentic_report
from retrieval.core.errors import BadInput, StageUnavailable
from retrieval.core.fusion import reciprocal_rank_fusion
from retrieval.core.types import Filters
from retrieval.settings import Settings
from tests.agentic.judging import ENOUGH, MORE, QUERIES, asked
from tests.agentic.test_agentic import light
from tests.fakes import SMALL, ScriptedModel, ids, make_candidate, make_query, small_engine


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


def test_3_2_timeout_and_fallback_on_error_of_the_configuration_are_used():
    late = AgenticConfig(timeout=1e-9)
    assert asked(config=late, language_model=ScriptedModel(ENOUGH))[1].fallback_reason
    strict = AgenticConfig(timeout=1e-9, fallback_on_error=False)
    result, _ = asked(config=strict, language_model=ScriptedModel(ENOUGH))
    assert next(n for n in result.walk() if n.name == "agentic").status == "skipped"


def test_3_2_doubled_queries_are_asked_once_and_short_chinese_ones_are_kept():
    said = json.dumps({"queries": ["肺分割", "register to atlas", "Register to atlas"]})
    _, report = asked(language_model=ScriptedModel(MORE, said))
    assert report.refined_queries == ("肺分割", "register to atlas")


def test_3_2_the_worked_example_of_rank_fusion_adds_up():
    found = reciprocal_rank_fusion("f", lists("A B C", "B D A", "A E B"))
    assert found[0].score == pytest.approx(1 / 61 + 1 / 63 + 1 / 61, abs=1e-6)


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


def test_3_6_a_query_in_another_language_is_not_filtered_by_words_before_the_judge():
    model = ScriptedModel(ENOUGH)
    _, report = asked("segmentación de pulmón", language_model=model)
    assert report.round1_count == len(SMALL)
    assert '"segmentación de pulmón"' in model.prompts[0]


def test_3_6_the_default_encoder_is_small_and_needs_no_gpu_and_many_facts_filter():
    told = Settings(_env_file=None)
    assert (told.encoder, told.device) == ("sentence-transformers/all-MiniLM-L6-v2", "cpu")
    assert {f.name for f in fields(Filters)} >= {"licenses", "modalities", "formats", "gpu"}
    answer = small_engine().run("segment", filters=Filters(licenses=frozenset({"MIT"})))
    assert ids(answer.candidates) == ["lungmask"]


@pytest.mark.parametrize(
    ("answers", "mode", "sufficient"),
    [
        ([ENOUGH], "agentic", True),
        ([f"```json\n{ENOUGH}\n```"], "agentic", True),
        (['{"is_sufficient": "false", "missing_info": ["atlas"]}', QUERIES], "agentic", False),
        (["garbage", "garbage"], "agentic", None),
        ([StageUnavailable("no answer within 8 s")], "agentic_fallback", None),
        ([RuntimeError("broke")], "agentic_fallback", None),
        (None, "agentic_fallback", None),
    ],
)
def test_5_4_what_each_kind_of_judgement_becomes(answers, mode, sufficient):
    model = None if answers is None else ScriptedModel(*answers)
    result, report = asked(language_model=model)
    assert (report.retrieval_mode, report.is_sufficient) == (mode, sufficient)
    assert ids(result)
    assert (report.fallback_reason is not None) == (mode == "agentic_fallback")


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
@pytest.mark.requirement("S4-14")
def test_a_light_mode_asks_no_model_even_where_one_is_on(mode):
    model = ScriptedModel()
    assert ids(small_engine(language_model=model).run("segment lungs", mode).candidates)
    assert model.prompts == []


@pytest.mark.requirement("S4-14")
def test_the_engine_offers_the_four_modes():
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
