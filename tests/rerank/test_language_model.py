"""S0-27 to S0-31: a language model orders, and can name none that was not shown."""

from __future__ import annotations

import json
import time

import pytest
from msgspec.structs import replace

from retrieval.core.combine import FirstOf
from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.core.types import Fit, ranked
from retrieval.llm.budget import Budget, Limits, Prices
from retrieval.llm.reranker import LanguageModelRerank
from retrieval.rerank.switch import KeepOrder
from tests.fakes import (
    SMALL,
    ScriptedModel,
    ids,
    make_candidate,
    make_state,
    parts_of,
    small_engine,
)

SHOWN = tuple(make_candidate(i, 1 - n / 10, name=f"Tool {i}") for n, i in enumerate("abcd"))


def answer(*rows):
    return json.dumps({"tools": [{"id": i, "why": f"because {i}"} for i in rows]})


def run(*answers, limit=15, **fields):
    model = ScriptedModel(*answers)
    stage = LanguageModelRerank(model, limit=limit)
    state = make_state(
        "segment {lungs}", *SHOWN, tokens=("format:CT",), path="rerank/language model", **fields
    )
    return model, stage.run(state)


@pytest.mark.requirement("S0-27")
def test_the_prompt_holds_task_data_and_every_tool_and_asks_for_the_number():
    model, _ = run(answer("a"), limit=3)
    [prompt] = model.prompts
    assert "segment {lungs}" in prompt
    assert "format:CT" in prompt
    assert '"tools wanted": 3' in prompt
    for candidate in SHOWN:
        assert candidate.tool.name in prompt
        assert candidate.tool.description in prompt
    assert "prerequisites before" in prompt


@pytest.mark.requirement("S0-27")
def test_the_prompt_holds_fit_and_the_ties_between_the_tools_shown():
    fit = (
        Fit(fact="modality", verdict="pass", scan="CT", tool="CT"),
        Fit(fact="dimension", verdict="unknown", scan="3D", tool=None),
    )
    needy = make_candidate(
        "needy", requires_tool=("a", "absent"), co_used_with=("b",), tasks=("x",)
    )
    model = ScriptedModel(answer("needy"))
    LanguageModelRerank(model).run(make_state("x", replace(needy, fit=fit), *SHOWN))
    line = next(row for row in model.prompts[0].splitlines() if '"needy"' in row)
    told = json.loads(line)
    assert told["fit"] == {"modality": "pass", "dimension": "unknown"}
    assert (told["needs"], told["goes_with"], told["tasks"]) == (["a"], ["b"], ["x"])


@pytest.mark.requirement("S0-27")
def test_what_a_tool_takes_its_input_from_is_told_and_only_if_shown():
    rows = [{"id": "b", "why": "first"}, {"id": "a", "why": "then", "after": ["b", "zz", "a", 3]}]
    _, result = run(json.dumps({"tools": rows}))
    told = {c.tool.id: [(w.kind, w.text) for w in c.why] for c in result.state.candidates}
    assert told["a"] == [("language model", "then"), ("pipeline order", "after b")]
    assert told["b"] == [("language model", "first")]


def test_the_prompts_first_part_is_the_same_for_every_task_so_that_servers_can_cache_it():
    model = ScriptedModel(answer("a"), answer("a"))
    stage = LanguageModelRerank(model)
    stage.run(make_state("segment lungs", *SHOWN))
    stage.run(make_state("count cells on slides", *SHOWN, tokens=("format:CT",), top_k=3))
    first, second = (p.split("<request>")[-2] for p in model.prompts)
    assert first == second
    assert first.index("Rules") < first.index("\n<tools>\n")
    assert '"id": "d"' in first
    assert model.prompts[0].rstrip().endswith("</request>")


def test_the_models_order_is_the_order():
    _, result = run(answer("c", "a", "d", "b"))
    assert ids(result) == ["c", "a", "d", "b"]
    scores = [c.score for c in result.state.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.requirement("S0-28")
def test_the_list_is_cut_to_size_and_the_query_may_ask_for_another():
    assert LanguageModelRerank(None).limit == 15
    assert ids(run(answer("c", "a", "d", "b"), limit=2)[1]) == ["c", "a"]
    assert ids(run(answer("c", "a", "d", "b"), top_k=1)[1]) == ["c"]


@pytest.mark.parametrize(
    "rows", [["c", "zz", "a"], ["c", "c", "a"], ["c", "1000", "-1", "a", "None"]]
)
@pytest.mark.requirement("S0-29")
def test_unknown_and_doubled_ids_are_dropped(rows):
    _, result = run(answer(*rows), limit=2)
    assert ids(result) == ["c", "a"]
    assert result.metrics["filled"] == 0


@pytest.mark.requirement("S0-29")
def test_a_gap_is_filled_from_the_order_before_and_marked():
    _, result = run(answer("d"))
    assert ids(result) == ["d", "a", "b", "c"]
    assert result.note == "3 filled from the order before"
    told = {c.tool.id: c.why[-1].text for c in result.state.candidates}
    assert told["d"] == "because d"
    assert told["a"] == "filled from the order before"


@pytest.mark.parametrize("reply", ["Sure!\n```json\n{}\n```", "{} - hope that helps"])
def test_json_inside_prose_or_fences_is_read(reply):
    assert ids(run(reply.replace("{}", answer("b", "a")))[1])[:2] == ["b", "a"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no idea",
        "{",
        '{"tools": 3}',
        '{"tools": null}',
        "[]",
        '{"tools": [1, null, {"name": "a"}]}',
        answer(),
        answer("zz"),
    ],
)
@pytest.mark.requirement("S0-30")
def test_an_answer_that_names_nothing_usable_skips_the_stage(reply):
    _, result = run(reply)
    assert result.status == "skipped"
    assert "language model" in result.note
    assert ids(result) == ["a", "b", "c", "d"]
    assert result.metrics["llm_calls"] == 1


@pytest.mark.requirement("S0-30")
def test_a_call_that_fails_skips_the_stage_and_is_counted():
    _, result = run(StageUnavailable("the language model did not answer (Timeout)"))
    assert (result.status, result.metrics["llm_calls"]) == ("skipped", 1)
    assert "did not answer" in result.note


@pytest.mark.requirement("S0-30")
def test_a_call_that_takes_too_long_is_left():
    class Slow(ScriptedModel):
        def complete(self, prompt, **how):
            time.sleep(3)
            return answer("a")

    start = time.monotonic()
    told = LanguageModelRerank(Slow(), seconds=0.3).run(make_state("x", *SHOWN))
    late = make_state("x", *SHOWN, deadline=Deadline.after(0.3))
    assert "no answer within" in told.note
    assert "no answer within" in LanguageModelRerank(Slow()).run(late).note
    assert time.monotonic() - start < 2.5


@pytest.mark.requirement("S0-30")
def test_the_expanded_set_is_cut_by_stage_1_similarity_and_graph_tools_can_survive():
    scored = [replace(c, score=s) for c, s in zip(SHOWN, (0.1, 0.9, 0.5, 0.7), strict=True)]
    expanded = ranked([*scored, make_candidate("graph-only", 0.8)])
    keep = KeepOrder(limit=3)
    failing = LanguageModelRerank(ScriptedModel("no idea"), limit=3)
    stage = FirstOf("rerank", [failing, keep])
    result = finish(progress(stage, make_state("x", *expanded)))
    assert ids(result) == ["b", "graph-only", "d"]
    assert (result.status, result.children[0].status) == ("fallback", "skipped")
    assert "held no JSON" in result.note


@pytest.mark.requirement("S0-30")
def test_biocortex_ends_by_the_similarity_of_its_first_stage_where_the_call_fails():
    failing = small_engine(language_model=ScriptedModel(StageUnavailable("gone")))
    answer = failing.run("segment lungs", "biocortex", top_k=3)
    parts = parts_of(answer.result)
    path = "KG expansion/similarity"
    scores = {c.tool.id: c.scores[path] for c in parts["KG expansion"].state.candidates}
    assert len(scores) > 3
    assert ids(answer.candidates) == sorted(scores, key=lambda i: (-scores[i], i))[:3]
    assert parts["rerank"].status == "fallback"
    assert "gone" in parts["rerank"].note


@pytest.mark.requirement("S0-31")
def test_what_the_model_ordered_is_what_the_engine_gives():
    told = [t.id for t in reversed(SMALL)]
    model = ScriptedModel(answer(*told), answer(*told))
    engine = small_engine(language_model=model)
    for mode in ("hybrid", "biocortex"):
        found = engine.run("segment lungs on CT", mode)
        shown = [json.loads(r)["id"] for r in model.prompts[-1].splitlines() if r[:6] == '{"id":']
        assert [c.tool.id for c in found.candidates] == [i for i in told if i in shown]
        assert len(found.candidates) >= 3


def test_nothing_to_put_in_order_is_no_call():
    model = ScriptedModel(answer("a"))
    with pytest.raises(StageUnavailable, match="nothing"):
        LanguageModelRerank(model).run(make_state("x"))
    assert model.prompts == []


def test_a_query_may_switch_the_stage_off():
    model = ScriptedModel(answer("a"))
    with pytest.raises(StageUnavailable, match="switched off"):
        LanguageModelRerank(model).run(make_state("x", *SHOWN, off=frozenset({"language model"})))
    assert model.prompts == []


def test_the_budget_of_the_query_forbids_the_call_and_the_order_stays():
    budget = Budget(Limits(calls=0))
    model = ScriptedModel(answer("a"))
    result = LanguageModelRerank(model).run(replace(make_state("x", *SHOWN), budget=budget))
    assert (result.status, ids(result), model.prompts) == ("skipped", ["a", "b", "c", "d"], [])
    assert "budget" in result.note


def test_what_a_rerank_used_is_in_its_metrics_and_in_the_budget_of_the_query():
    budget = Budget(prices=Prices(tokens_in=3.0, tokens_out=15.0))
    model = ScriptedModel(answer("a"), tokens=(2000, 100))
    result = LanguageModelRerank(model).run(replace(make_state("x", *SHOWN), budget=budget))
    told = {k: result.metrics[k] for k in ("llm_calls", "llm_tokens_in", "llm_tokens_out")}
    assert told == {"llm_calls": 1, "llm_tokens_in": 2000, "llm_tokens_out": 100}
    assert result.metrics["llm_cost"] == 0.0075
    assert result.metrics["llm_ms"] >= 0
    assert budget.used.cost == pytest.approx(0.0075)


def test_tools_that_do_not_fit_the_prompt_are_counted_and_can_still_fill():
    many = [make_candidate(f"t{n:02}", 1 - n / 50, description="word " * 60) for n in range(30)]
    model = ScriptedModel(answer("t03", "t29"))
    result = LanguageModelRerank(model, limit=None, prompt_tokens=1000).run(make_state("x", *many))
    shown = model.prompts[0].count('{"id": "t')
    assert 3 < shown < 29
    assert ids(result)[:2] == ["t03", "t00"]
    assert ids(result)[-1] == "t29"
    assert f"{30 - shown} of 30 tools were not sent" in result.note


def test_without_a_model_the_stage_says_how_to_switch_one_on():
    with pytest.raises(StageUnavailable, match="SCANSCOUT_LLM_BASE_URL and SCANSCOUT_LLM_MODEL"):
        LanguageModelRerank(None).run(make_state("x", *SHOWN))
