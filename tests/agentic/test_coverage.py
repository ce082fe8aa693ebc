"""The judge that needs no model: coverage of the query's concepts by the first tools."""

from __future__ import annotations

import pytest

from retrieval.agentic.coverage import CoverageJudge, CoverageScorer
from retrieval.agentic.report import agentic_report
from retrieval.core.codes import BodyPart, Modality
from retrieval.core.stage import finish, progress
from tests.agentic.judging import asked
from tests.dialogue.talking import meaning
from tests.fakes import make_candidate, make_state, parts_of, small_engine

MEANING = meaning()
THREE = "segment lungs in mouse CT, measure volume, register to atlas"


def judged(text, *candidates, **how):
    return finish(progress(CoverageJudge(MEANING, **how), make_state(text, *candidates)))


def told(id, description, **facts):
    return make_candidate(id, description=description, **facts)


def test_enough_when_every_concept_is_in_one_of_the_first_tools():
    lungs = told("a", "Segments lungs on CT.")
    result = judged("segment lungs on CT", lungs)
    assert result.verdict.enough == "enough"
    assert result.verdict.queries == ()


def test_a_narrower_concept_covers_a_wider_one_and_facts_count_like_words():
    lobes = told("a", "Outlines airways.", tasks=("lesion segmentation",))
    assert judged("segment lungs", lobes).verdict.enough == "enough"
    facts = told("b", "x", tasks=("segmentation",), anatomy=(BodyPart.LUNG,))
    assert judged("segment lungs", facts).verdict.enough == "enough"


def test_what_a_concept_includes_is_not_asked_for_twice():
    result = judged("skull stripping of the brain", told("a", "Skull stripping."))
    assert result.verdict.enough == "enough"


def test_not_enough_names_what_is_missing_and_asks_for_it_in_the_setting_of_the_query():
    verdict = judged(THREE, told("a", "Segments mouse lungs on CT.")).verdict
    assert verdict.enough == "not enough"
    assert verdict.missing == ("measurement", "registration", "atlas")
    assert len(verdict.queries) == 3
    assert verdict.queries[0] == "measurement lung mouse computed tomography"
    assert len(set(verdict.queries)) == 3


def test_a_step_counts_only_with_half_of_what_it_is_to_be_done_on():
    lungs = told("a", "Segments mouse lungs on CT, with measurement of volume.")
    brains = told("b", "Registers brain MRI to an atlas.")
    assert judged(THREE, lungs, brains).verdict.missing == ("registration", "atlas")
    mice = told("c", "Registers mouse CT to an atlas.")
    assert judged(THREE, lungs, mice).verdict.enough == "enough"


def test_a_reason_says_how_many_tools_it_takes_and_what_each_of_them_lacks():
    lungs = told("a", "Segments lungs on CT.", name="A")
    brains = told("b", "Segments the brain on MRI.", name="B")
    verdict = judged("segment lungs on CT and the brain on MRI", lungs, brains).verdict
    assert verdict.enough == "enough"
    assert verdict.reason.startswith("none of the first 2 tools alone covers all that")
    assert "it takes 2 of them: A lacks brain, " in verdict.reason
    assert "; B lacks lung, " in verdict.reason


def test_a_reason_names_the_one_tool_that_covers_all():
    lungs = told("a", "Segments lungs on CT.", name="A")
    reason = judged("segment lungs on CT", told("b", "Views MRI."), lungs).verdict.reason
    assert reason == ("A covers all that was understood (segmentation, lung, computed tomography)")


def test_an_operation_on_other_things_is_not_said_to_be_stated_nowhere():
    lungs = told("a", "Segments mouse lungs on CT, with measurement of volume.")
    brains = told("b", "Registers brain MRI.")
    reason = judged(THREE, lungs, brains).verdict.reason
    assert reason == (
        "not stated by the first 2 tools: atlas; "
        "stated by the first 2 tools for other things only: registration"
    )


def test_only_the_first_tools_count():
    tools = [told(f"x{n}", "Counts cells.") for n in range(5)]
    assert judged("segment lungs", *tools, told("z", "Segments lungs.")).verdict.missing
    assert not judged(
        "segment lungs", *tools, told("z", "Segments lungs."), shown=6
    ).verdict.missing


def test_a_text_without_a_known_concept_is_unknown_and_ends_the_rounds():
    result, report = asked("ezrin", model_only=False)
    assert report.is_sufficient is None
    assert not report.is_multi_round
    assert report.retrieval_mode == "agentic_deterministic"
    assert parts_of(result)["agentic"].status == "ok"


def test_a_concept_that_the_text_denies_is_not_asked_for():
    assert judged("segment lungs, not for MRI", told("a", "Segments lungs.")).verdict.missing == ()


def test_without_a_model_the_mode_says_that_the_judge_is_deterministic():
    answer = small_engine().run(THREE, "agentic")
    report = agentic_report(answer.result)
    assert report.retrieval_mode == "agentic_deterministic"
    assert (report.is_multi_round, report.llm_calls) == (True, 0)
    assert "registration" in report.missing_info
    assert report.query_strategy
    assert len(report.refined_queries) == report.num_queries == 3


def test_the_same_question_gives_the_same_rounds():
    one, other = (small_engine().run(THREE, "agentic").result for _ in range(2))
    assert agentic_report(one).refined_queries == agentic_report(other).refined_queries
    assert [c.tool.id for c in one.state.candidates] == [c.tool.id for c in other.state.candidates]


def test_a_tools_share_is_what_it_covers_of_what_was_asked():
    state = make_state(
        "segment lungs on CT",
        told("all", "Segments lungs.", modalities=(Modality.CT,)),
        told("some", "Segments things."),
        told("none", "Reads files."),
    )
    result = finish(progress(CoverageScorer(MEANING), state))
    assert [(c.tool.id, c.score) for c in result.state.candidates] == [
        ("all", 1.0),
        ("some", 0.333333),
        ("none", 0.0),
    ]


def test_a_text_without_concepts_gives_every_tool_the_same_share_and_says_so():
    result = finish(progress(CoverageScorer(MEANING), make_state("ezrin", told("a", "x"))))
    assert [c.score for c in result.state.candidates] == [0.0]
    assert "no concept" in result.note


def test_a_mode_that_is_not_agentic_has_no_report():
    assert agentic_report(small_engine().run("segment lungs", "hybrid").result) is None
    assert agentic_report(small_engine().run("segment lungs", "plaza").result) is None


@pytest.mark.model
def test_5_4_a_simple_query_is_sufficient_and_three_tasks_bring_the_missing_ones(engine):
    simple = agentic_report(engine.run("segment lungs", "agentic").result)
    assert (simple.is_sufficient, simple.is_multi_round) == (True, False)
    many = engine.run(THREE, "agentic").result
    report = agentic_report(many)
    assert (report.is_sufficient, report.is_multi_round) == (False, True)
    assert "atlas" in report.missing_info
    first = {c.tool.id for c in parts_of(many)["rounds/round 1"].state.candidates}
    fresh = [c.tool for c in many.state.candidates if c.tool.id not in first]
    assert any("registration" in tool.tasks for tool in fresh)


@pytest.mark.model
def test_5_4_two_parts_take_two_rounds_and_chinese_is_judged_like_english(engine):
    two = agentic_report(engine.run("count cells and track them over time", "agentic").result)
    assert two.is_multi_round
    chinese = agentic_report(engine.run("分割肺部CT", "agentic").result)
    assert chinese.is_sufficient
