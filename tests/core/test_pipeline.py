from __future__ import annotations

import logging
from itertools import islice
from time import sleep

import pytest
from msgspec.structs import replace

from retrieval.ask.routing import Route
from retrieval.core.combine import Combinator, FirstOf, Pipeline
from retrieval.core.deadline import Deadline
from retrieval.core.stage import StageResult, finish, progress
from tests.fakes import Breaks, Does, Gives, Grows, Skips, ids, make_candidate, make_state, parts_of


def run(stage, state=None):
    return finish(progress(stage, state or make_state(), root=True))


def test_a_pipeline_hands_the_candidates_from_stage_to_stage():
    seen = []
    result = run(
        Pipeline("p", [Gives("a", "x y"), Does("b", lambda s: seen.append(ids(s.candidates)))])
    )
    assert seen == [["x", "y"]]
    assert ids(result) == ["x", "y"]
    assert result.status == "ok"


def test_a_pipeline_streams_a_result_after_every_step():
    grown = list(
        progress(Pipeline("p", [Grows("a", "x y z"), Gives("b", "q")]), make_state(), root=True)
    )
    assert [len(part.children) for part in grown] == [0, 1, 1, 1, 2]
    assert [ids(part) for part in grown[1:4]] == [["x"], ["x", "y"], ["x", "y", "z"]]


def test_streaming_passes_through_nested_combinators():
    inner = Pipeline("inner", [FirstOf("pick", [Grows("grow", "x y z")])])
    routed = Route("route", lambda s: "here", {"here": inner})
    lengths = [
        len(p.state.candidates) for p in progress(Pipeline("p", [routed]), make_state(), root=True)
    ]
    assert [n for n in lengths if n] == sorted(n for n in lengths if n)
    assert {1, 2, 3} <= set(lengths)


def test_a_skipped_stage_says_why_and_shows_no_list():
    result = run(Pipeline("p", [Gives("a", "x"), Skips("b", "no model; set MODEL")]))
    skipped = parts_of(result)["b"]
    assert (skipped.status, skipped.note) == ("skipped", "no model; set MODEL")
    assert not skipped.ran
    assert ids(result) == ["x"]


def test_any_exception_becomes_failed_is_logged_and_the_pipeline_goes_on(caplog, plain_log_records):
    with caplog.at_level(logging.ERROR, "retrieval.core.stage"):
        broken = Breaks("b", RuntimeError("secret path /srv"))
        result = run(Pipeline("p", [Gives("a", "x y"), broken, Gives("c", "z")]))
    assert parts_of(result)["b"].status == "failed"
    assert "secret path /srv" in caplog.text
    assert "secret" not in parts_of(result)["b"].note
    assert ids(result) == ["z"]
    assert result.status == "ok"


def test_a_failed_stage_hands_on_the_candidates_it_was_given():
    result = run(Pipeline("p", [Gives("a", "x y"), Breaks("b")]))
    assert ids(parts_of(result)["b"]) == ids(result) == ["x", "y"]


def test_a_failed_source_without_candidates_makes_the_pipeline_failed():
    result = run(Pipeline("p", [Breaks("a"), Does("b", lambda s: None)]))
    assert result.status == "failed"
    assert result.note.startswith("a: ")


def test_a_source_that_finds_nothing_is_no_failure():
    assert run(Pipeline("p", [Gives("a", "")])).status == "ok"


def test_a_stage_that_breaks_while_streaming_loses_its_half_done_list():
    class Half(Combinator):
        name = "half"

        def stream(self, state):
            yield Gives("half", "wrong").run(state)
            raise RuntimeError("broke")

    result = run(Pipeline("p", [Gives("a", "x"), Half()]))
    assert parts_of(result)["half"].status == "failed"
    assert ids(result) == ["x"]


def test_names_are_unique_paths_and_the_walk_puts_children_before_their_parent():
    inner = Pipeline("inner", [Gives("a", "x"), Gives("b", "y")])
    result = run(Pipeline("p", [inner, Gives("a", "z")]))
    assert [n.name for n in result.walk()] == ["inner/a", "inner/b", "inner", "a"]
    assert [n.name for n in result.stages()] == ["inner/a", "inner/b", "a"]


def test_scores_are_keyed_by_path_so_two_stages_of_one_name_never_collide():
    inner = Pipeline("inner", [Gives("a", "x", top=0.5)])

    class Adds:
        name = "a"

        def run(self, state):
            scored = tuple(c.scored(state.path, 0.9) for c in state.candidates)
            return StageResult(name="a", state=replace(state, candidates=scored))

    found = run(Pipeline("p", [inner, Adds()])).state.candidates[0]
    assert found.scores == {"inner/a": 0.5, "a": 0.9}


def test_the_deadline_is_looked_at_before_each_stage():
    state = make_state(deadline=Deadline.after(0.05))
    late = Gives("late", "y")
    result = run(Pipeline("p", [Gives("a", "x"), Does("slow", lambda s: sleep(0.1)), late]), state)
    assert parts_of(result)["slow"].status == "ok"
    assert parts_of(result)["late"].status == "skipped"
    assert "time" in parts_of(result)["late"].note
    assert late.asked == []
    assert ids(result) == ["x"]


def test_elapsed_time_is_the_work_and_not_the_consumers():
    stages = [Does("a", lambda s: sleep(0.02)), Does("b", lambda s: None)]
    held = []
    for part in progress(Pipeline("p", stages), make_state(), root=True):
        held.append(part)
        sleep(0.08)
    part = held[-1]
    assert 20 <= parts_of(part)["a"].elapsed_ms < 70
    assert parts_of(part)["b"].elapsed_ms < 50
    assert part.elapsed_ms < 100


def test_the_time_of_a_whole_covers_its_parts():
    inner = Pipeline("inner", [Does("a", lambda s: sleep(0.02)), Does("b", lambda s: sleep(0.02))])
    result = run(Pipeline("p", [inner]))
    found = parts_of(result)
    assert found["inner"].elapsed_ms >= found["inner/a"].elapsed_ms + found["inner/b"].elapsed_ms


def test_closing_the_stream_cancels_the_stages_that_have_not_begun():
    begun = []
    stages = [Does(n, lambda s, n=n: begun.append(n)) for n in ("a", "b", "c")]
    stream = progress(Pipeline("p", [Pipeline("inner", stages)]), make_state(), root=True)
    list(islice(stream, 3))
    stream.close()
    assert begun == ["a"]


def test_the_first_option_that_runs_is_the_stage_and_later_ones_are_not_tried():
    second = Gives("second", "y")
    result = run(Pipeline("p", [FirstOf("pick", [Gives("first", "x"), second])]))
    assert (parts_of(result)["pick"].status, ids(result)) == ("ok", ["x"])
    assert second.asked == []


@pytest.mark.parametrize(
    ("lost", "status"), [(Skips("first", "no key"), "skipped"), (Breaks("first"), "failed")]
)
def test_a_fallback_is_marked_with_the_reason_of_the_option_before(lost, status):
    result = run(Pipeline("p", [FirstOf("pick", [lost, Gives("second", "y")])]))
    pick = parts_of(result)["pick"]
    assert (pick.status, ids(result)) == ("fallback", ["y"])
    assert pick.note.startswith("first: ")
    assert parts_of(result)["pick/first"].status == status
    assert [n.name for n in result.stages()] == ["pick/first", "pick"]


def test_without_an_option_that_runs_the_incoming_list_stays_and_every_reason_is_told():
    result = run(
        Pipeline(
            "p",
            [Gives("a", "x"), FirstOf("pick", [Skips("m", "no key"), Skips("n", "no weights")])],
        )
    )
    pick = parts_of(result)["pick"]
    assert (pick.status, pick.note) == ("skipped", "m: no key; n: no weights")
    assert ids(result) == ["x"]


def test_a_route_runs_the_chosen_stage_and_says_which():
    routes = {"graph": Gives("graph", "x"), "web": Gives("web", "y")}
    result = run(Pipeline("p", [Route("route", lambda s: s.query.text, routes)]), make_state("web"))
    assert ids(result) == ["y"]
    assert parts_of(result)["route"].note == "web"
    assert [n.name for n in result.stages()] == ["route/web"]


def test_an_unknown_route_is_skipped_and_lists_the_ones_there_are():
    routes = {"graph": Gives("graph", "x"), "web": Gives("web", "y")}
    state = make_state("elsewhere", make_candidate("kept"))
    result = run(Pipeline("p", [Route("route", lambda s: s.query.text, routes)]), state)
    route = parts_of(result)["route"]
    assert route.status == "skipped"
    assert route.note == "no route 'elsewhere'; there are: graph, web"
    assert ids(result) == ["kept"]
