"""Answers with a shape, a budget, a deadline and one repair; what cannot be read is unknown."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.llm.budget import Budget, Limits, Prices, Usage, guess_tokens
from retrieval.llm.structured import ANSWER_TOKENS, ask, read_answer
from tests.fakes import ScriptedModel


class Judgement(BaseModel):
    enough: bool
    missing: list[str] = []


YES = '{"enough": true}'


def test_an_answer_with_the_shape_is_a_value():
    model = ScriptedModel(YES)
    said = ask(model, "enough?", Judgement)
    assert (said.value, said.reason, said.calls) == (Judgement(enough=True), "", 1)
    assert model.prompts == ["enough?"]


def test_w_3_2_false_as_text_is_false_and_garbage_is_unknown():
    assert read_answer('{"enough": "false"}', Judgement)[0] == Judgement(enough=False)
    assert read_answer('{"enough": "False"}', Judgement)[0] == Judgement(enough=False)
    for garbage in ("", "  ", "yes!", "{", '{"enough": "perhaps"}', "null", "[true]"):
        value, reason = read_answer(garbage, Judgement)
        assert value is None
        assert reason.startswith("the language model's answer")


@pytest.mark.parametrize(
    "text",
    [
        'Sure: {"enough": true, "missing": []} - done',
        '```json\n{"enough": true}\n```',
        '<think>{"enough": false}</think>{"enough": true}',
        '{"note": 1} {"enough": true}',
        '{broken {"enough": true}',
    ],
)
def test_json_is_found_in_prose_in_fences_and_after_thoughts(text):
    assert read_answer(text, Judgement)[0] == Judgement(enough=True)


def test_the_reason_holds_nothing_that_the_model_wrote():
    for text in ('{"<b>x</b>": 1}', '{"enough": "<b>x</b>"}', "<b>x</b>"):
        assert "<b>" not in read_answer(text, Judgement)[1]


def test_half_a_surrogate_pair_is_replaced():
    value, _ = read_answer('{"enough": true, "missing": ["a\\ud800"]}', Judgement)
    assert value is not None
    assert value.missing == ["a?"]


def test_an_answer_of_nothing_but_braces_takes_no_time():
    start = time.process_time()
    assert read_answer('{"a":' * 200_000, Judgement)[0] is None
    assert time.process_time() - start < 5


@pytest.mark.requirement("S4-12")
def test_one_repair_turn_shows_what_was_wrong_and_counts_as_a_call():
    model = ScriptedModel("no idea {{", YES)
    budget = Budget()
    said = ask(model, "enough?", Judgement, budget=budget)
    assert (said.value, said.calls) == (Judgement(enough=True), 2)
    assert model.prompts[1].startswith("enough?")
    assert '"no idea {{"' in model.prompts[1]
    assert budget.used.calls == 2


def test_there_is_no_second_repair_and_the_answer_is_unknown():
    model = ScriptedModel("one", "two", YES)
    said = ask(model, "enough?", Judgement)
    assert (said.value, said.calls) == (None, 2)
    assert said.reason == "the language model's answer held no JSON object, twice"


def test_a_repair_can_be_left_out():
    said = ask(ScriptedModel("one", YES), "enough?", Judgement, repair=False)
    assert (said.value, said.calls) == (None, 1)


def test_a_repair_runs_only_inside_the_budget():
    said = ask(ScriptedModel("one", YES), "x", Judgement, budget=Budget(Limits(calls=1)))
    assert (said.value, said.calls) == (None, 1)
    assert "not asked again" in said.reason
    assert "1 of 1" in said.reason


def test_a_repair_runs_only_inside_the_time():
    class Slow(ScriptedModel):
        def complete(self, prompt, **how):
            time.sleep(0.3)
            return super().complete(prompt, **how)

    said = ask(Slow("one", YES), "x", Judgement, deadline=Deadline.after(0.45))
    assert said.value is None
    assert "asked again" in said.reason


def test_a_repair_that_fails_leaves_the_first_reason():
    said = ask(ScriptedModel("one", StageUnavailable("nobody there")), "x", Judgement)
    assert said.value is None
    assert "held no JSON" in said.reason
    assert "nobody there" in said.reason


def test_a_call_that_fails_raises():
    with pytest.raises(StageUnavailable, match="nobody there"):
        ask(ScriptedModel(StageUnavailable("nobody there")), "x", Judgement)


def test_no_call_is_made_when_the_time_or_the_budget_is_used_up():
    model = ScriptedModel(YES)
    late = ask(model, "x", Judgement, deadline=Deadline.after(0))
    spent = ask(model, "x", Judgement, budget=Budget(Limits(calls=0)))
    assert (late.value, late.calls, spent.value, spent.calls) == (None, 0, None, 0)
    assert "time" in late.reason
    assert "budget" in spent.reason
    assert model.prompts == []


def test_tokens_cost_and_milliseconds_are_told_under_the_names_of_metrics():
    budget = Budget(prices=Prices(tokens_in=2.0, tokens_out=10.0))
    ask(ScriptedModel(YES, tokens=(1000, 100)), "x", Judgement, budget=budget)
    told = budget.used.metrics()
    assert {n: told[n] for n in ("llm_calls", "llm_tokens_in", "llm_tokens_out", "llm_cost")} == {
        "llm_calls": 1,
        "llm_tokens_in": 1000,
        "llm_tokens_out": 100,
        "llm_cost": 0.003,
    }
    assert told["llm_ms"] >= 0
    assert Budget().used.metrics() == {}


def test_a_model_that_does_not_meter_is_guessed():
    class Silent(ScriptedModel):
        def complete(self, prompt, **how):
            return super().complete(prompt)

    budget = Budget()
    ask(Silent(YES), "x" * 300, Judgement, budget=budget)
    assert (budget.used.tokens_in, budget.used.tokens_out) == (100, guess_tokens(YES))


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (Limits(tokens=ANSWER_TOKENS), "tokens"),
        (Limits(cost=0.001), "cost"),
        (Limits(calls=0), "calls"),
    ],
)
def test_a_budget_refuses_the_call_that_could_break_it(limits, word):
    budget = Budget(limits, prices=Prices(tokens_in=1.0, tokens_out=1.0))
    model = ScriptedModel(YES)
    said = ask(model, "x", Judgement, budget=budget)
    assert said.value is None
    assert word in said.reason
    assert model.prompts == []
    assert budget.used == Usage()


def test_a_budget_inside_another_counts_in_both_and_asks_both():
    whole = Budget(Limits(calls=2), prices=Prices(tokens_in=1.0))
    first, second = Budget(within=whole), Budget(within=whole)
    ask(ScriptedModel(YES), "x", Judgement, budget=first)
    ask(ScriptedModel(YES), "x", Judgement, budget=second)
    refused = ask(ScriptedModel(YES), "x", Judgement, budget=second)
    assert (first.used.calls, second.used.calls, whole.used.calls) == (1, 1, 2)
    assert refused.value is None
    assert whole.used.cost == pytest.approx(first.used.cost + second.used.cost)
    tight = Budget(Limits(calls=0), within=Budget())
    assert ask(ScriptedModel(YES), "x", Judgement, budget=tight).calls == 0


def test_concurrent_calls_cannot_overdraw_a_budget():
    budget = Budget(Limits(tokens=5 * (ANSWER_TOKENS + 1)))
    gate = threading.Barrier(20)

    def one(_):
        gate.wait(30)
        return ask(ScriptedModel(YES, tokens=(1, ANSWER_TOKENS)), "x", Judgement, budget=budget)

    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(one, range(20)))
    assert 1 <= sum(s.value is not None for s in said) <= 5
    assert budget.used.tokens <= 5 * (ANSWER_TOKENS + 1)


def test_a_failed_call_counts_and_holds_nothing_back():
    budget = Budget(Limits(calls=2, tokens=ANSWER_TOKENS + 100))
    with pytest.raises(StageUnavailable):
        ask(ScriptedModel(StageUnavailable("gone")), "x", Judgement, budget=budget)
    assert budget.used.calls == 1
    assert ask(ScriptedModel(YES), "x", Judgement, budget=budget).value is not None
