from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from retrieval.core.combine import Fuse, Pipeline
from retrieval.core.deadline import Deadline
from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import reciprocal_rank_fusion
from retrieval.core.rounds import Rounds
from retrieval.core.stage import OUT_OF_TIME, Verdict, finish, progress
from retrieval.core.types import Selection
from tests.fakes import Breaks, Does, Gives, Says, Skips, ids, make_state, parts_of

MORE = Verdict(enough="not enough", reason="few", missing=("registration",), queries=("q1", "q2"))
ENOUGH = Verdict(enough="enough", reason="five")


def run(rounds, state=None):
    return finish(progress(Pipeline("p", [rounds]), state or make_state(), root=True))


def rounds_of(first, again, judge, **how):
    return Rounds("rounds", first, again, judge, **how)


def test_enough_ends_after_one_round():
    again = Gives("again", "z")
    result = run(rounds_of(Gives("first", "x y"), again, Says([ENOUGH])))
    assert ids(result) == ["x", "y"]
    assert again.asked == []
    assert parts_of(result)["rounds"].status == "ok"


@pytest.mark.parametrize(
    "trouble", [RuntimeError("broke"), StageUnavailable("no model; set MODEL")]
)
def test_a_failing_judge_does_not_lose_round_one(trouble):
    result = run(rounds_of(Gives("first", "x y"), Gives("again", "z"), Says([trouble])))
    assert ids(result) == ["x", "y"]
    assert parts_of(result)["rounds"].status == "fallback"
    assert parts_of(result)["rounds"].note == parts_of(result)["rounds/round 1/judge"].note != ""


def test_not_enough_asks_again_with_the_judges_queries_and_merges():
    again = Gives("again", "y z")
    result = run(rounds_of(Gives("first", "x y"), again, Says([MORE]), max_rounds=2))
    assert again.asked == ["q1", "q2"]
    assert ids(result)[0] == "y"
    assert sorted(ids(result)) == ["x", "y", "z"]


def test_every_query_of_a_later_round_has_a_path_of_its_own():
    body = Fuse("fused", [Gives("a", "y"), Gives("b", "z")])
    result = run(rounds_of(Gives("first", "x"), body, Says([MORE])))
    names = [node.name for node in result.stages()]
    assert "rounds/round 1/first" in names
    assert "rounds/round 2/query 1/fused/a" in names
    assert "rounds/round 2/query 2/fused" in names
    assert len(set(names)) == len(names)


def test_unknown_or_no_new_query_ends_the_rounds():
    for said in (Verdict(enough="unknown"), Verdict(enough="not enough", queries=())):
        again = Gives("again", "z")
        assert ids(run(rounds_of(Gives("first", "x"), again, Says([said])))) == ["x"]
        assert again.asked == []


def test_rounds_end_at_their_number_and_the_last_is_not_judged():
    judge = Says([MORE, MORE, MORE])
    again = Gives("again", "z")
    run(rounds_of(Gives("first", "x"), again, judge, max_rounds=3))
    assert again.asked == ["q1", "q2", "q1", "q2"]
    assert judge.rounds == [1, 2]


def test_one_round_asks_no_judge():
    judge = Says([])
    assert ids(run(rounds_of(Gives("f", "x"), Gives("a", "z"), judge, max_rounds=1))) == ["x"]


def test_the_merged_list_is_cut_to_top_k():
    result = run(rounds_of(Gives("first", "a b c"), Gives("again", "d e f"), Says([MORE]), top_k=4))
    assert len(ids(result)) == 4


def test_the_merge_given_is_the_merge_used():
    used = []

    def merge(stage, lists):
        used.append((stage, [name for name, _ in lists]))
        return reciprocal_rank_fusion(stage, lists)

    run(rounds_of(Gives("first", "a"), Gives("again", "b"), Says([MORE]), merge=merge))
    assert used[-1] == (
        "rounds/round 2",
        ["round 2", "rounds/round 2/query 1", "rounds/round 2/query 2"],
    )


def test_a_later_round_that_fails_keeps_what_there_was():
    result = run(rounds_of(Gives("first", "x y"), Breaks("again"), Says([MORE])))
    assert ids(result) == ["x", "y"]
    assert parts_of(result)["rounds/round 2"].status == "failed"


def test_rounds_whose_every_source_failed_are_failed():
    result = run(rounds_of(Breaks("first"), Breaks("again"), Says([MORE])))
    assert result.status == "failed"


def test_the_first_text_stays_the_query_after_later_rounds():
    result = run(rounds_of(Gives("first", "x"), Gives("again", "z"), Says([MORE])))
    assert result.state.query.text == "segment lungs"


def test_exclusions_hold_in_every_round():
    state = make_state(selection=Selection(drop=frozenset({"z"})))
    result = run(rounds_of(Gives("first", "x z"), Gives("again", "y z"), Says([MORE])), state)
    assert all("z" not in ids(node) for node in result.walk())


def test_the_queries_of_a_round_run_at_the_same_time():
    together = threading.Barrier(3, timeout=30)
    again = Does("again", lambda state: together.wait())
    more = replace(MORE, queries=("q1", "q2", "q3"))
    result = run(rounds_of(Gives("first", "x"), again, Says([more])))
    assert not together.broken
    assert [n.status for n in result.walk() if n.name.endswith("/again")] == ["ok"] * 3


def test_the_lists_of_concurrent_queries_keep_the_order_of_the_queries():
    last_first = {"q1": threading.Event(), "q2": threading.Event()}
    last_first["q2"].set()

    def act(state):
        assert last_first[state.query.text].wait(30)
        last_first["q1"].set()

    lists = []

    def merge(stage, given):
        lists.append([name for name, _ in given])
        return reciprocal_rank_fusion(stage, given)

    body = Pipeline("body", [Does("wait", act), Gives("again", "z")])
    run(rounds_of(Gives("first", "x"), body, Says([MORE]), merge=merge))
    assert [name.rsplit("/", 1)[-1] for name in lists[-1]] == ["round 2", "query 1", "query 2"]


def test_a_query_that_does_not_end_is_left_behind_at_the_deadline():
    never = threading.Event()

    def act(state):
        if state.query.text == "q2":
            never.wait(60)

    body = Pipeline("body", [Does("wait", act), Gives("again", "z")])
    state = make_state(deadline=Deadline.after(2.0))
    result = run(rounds_of(Gives("first", "x"), body, Says([MORE])), state)
    never.set()
    late = parts_of(result)["rounds/round 2/query 2"]
    assert (late.status, late.note) == ("skipped", OUT_OF_TIME)
    assert sorted(ids(result)) == ["x", "z"]


def test_the_closing_stage_orders_a_later_round_and_never_the_first():
    closing = Gives("closing", "c a")
    told = run(rounds_of(Gives("first", "a"), Gives("again", "b"), Says([MORE]), closing=closing))
    assert ids(told) == ["c", "a"]
    assert "rounds/round 2/closing" in parts_of(told)
    content = Gives("closing", "c a")
    told = run(rounds_of(Gives("f", "a"), Gives("b", "b"), Says([ENOUGH]), closing=content))
    assert (ids(told), content.asked) == (["a"], [])


def test_a_round_tells_how_many_it_found_and_kept():
    result = run(rounds_of(Gives("first", "a b"), Gives("again", "b c"), Says([MORE]), top_k=2))
    assert parts_of(result)["rounds/round 2"].metrics == {"found": 4, "merged": 2}


def test_a_later_round_that_did_not_run_makes_the_whole_a_fallback_with_the_reason():
    rounds = parts_of(run(rounds_of(Gives("first", "x"), Skips("again"), Says([MORE]))))["rounds"]
    assert (rounds.status, ids(rounds)) == ("fallback", ["x"])
    assert "not installed" in rounds.note
