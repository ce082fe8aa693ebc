"""Tools whose records lack parts of a request, or are for another organ, stand lower."""

from __future__ import annotations

import pytest

from retrieval.core import StageUnavailable, Wish
from retrieval.core.types import Candidate, State
from retrieval.rerank import PartsStage, Shortfall
from tests.fakes import make_query, make_tool

TOOLS = tuple(make_tool(name) for name in ("heart", "lungs", "spine", "anything", "last"))
SHORT = {
    "heart": Shortfall(cost=2.0, lacks=("lungs",)),
    "spine": Shortfall(elsewhere=("spine",)),
    "last": Shortfall(cost=0.3, lacks=("segment",), elsewhere=("foot", "hand")),
}


def shortfalls(text, ids):
    return tuple(SHORT.get(one, Shortfall()) for one in ids) if text else ()


def run(text="segment the lungs", read=shortfalls, **query):
    listed = tuple(Candidate(tool=tool, score=1 - n / 10) for n, tool in enumerate(TOOLS))
    state = State(query=make_query(text, **query), candidates=listed, path="parts")
    return PartsStage(read).run(state)


def order(result):
    return [c.tool.id for c in result.state.candidates]


def test_a_record_that_lacks_a_part_stands_lower_and_one_for_another_organ_a_little():
    result = run()
    assert order(result) == ["lungs", "heart", "spine", "anything", "last"]
    assert result.metrics == {"parts_lowered": 3}
    assert result.note == "3 lack a part of the request, or are for something else first"


def test_each_that_is_lowered_says_why_and_what_it_cost():
    reasons = {c.tool.id: [(w.text, w.value) for w in c.why] for c in run().state.candidates}
    # The list's span of scores is .4: .2 of it for a cost of 1, .13 of it for another organ.
    assert reasons == {
        "heart": [("Does not state lungs", -0.16)],
        "spine": [("It is for spine, which you do not name", -0.052)],
        "last": [
            ("Does not state segment; it is for foot and hand, "
             "which you do not name", -0.076)
        ],
        "lungs": [],
        "anything": [],
    }  # fmt: skip


def test_a_record_of_a_part_of_the_organ_alone_stands_below_those_of_the_organ():
    def read(text, ids):
        part = Shortfall(elsewhere=("lung nodule",), is_part_alone=True)
        return tuple(part if one == "heart" else Shortfall() for one in ids)

    told = {c.tool.id: [(w.text, w.value) for w in c.why] for c in run(read=read).state.candidates}
    assert told["heart"] == [("It is for lung nodule, which you do not name", -0.28)]
    assert order(run(read=read))[0] == "lungs"


def test_the_shares_of_a_candidate_still_add_up_to_its_score():
    before = {tool.id: 1 - n / 10 for n, tool in enumerate(TOOLS)}
    for one in run().state.candidates:
        assert one.score == pytest.approx(before[one.tool.id] + sum(w.value for w in one.why))


def test_nothing_moves_where_no_part_is_read_or_all_state_it():
    for result, note in (
        (run(""), "no part is named"),
        (run(read=lambda text, ids: [Shortfall() for _ in ids]), "every tool states what is named"),
    ):
        assert order(result) == [tool.id for tool in TOOLS]
        assert (result.listed, result.note) == (False, note)


@pytest.mark.parametrize(
    ("read", "off", "reason"),
    [("warming up", (), "warming up"), (shortfalls, ("parts",), "switched off")],
)
def test_it_says_why_it_did_not_run(read, off, reason):
    with pytest.raises(StageUnavailable, match=reason):
        run(read=read, off=frozenset(off))


@pytest.mark.parametrize(
    ("absent", "lacks", "told"),
    [
        (("counting",), (), [("tasks", "Counting is not among its tasks")]),
        (("viewing", "counting"), (), [("tasks", "Viewing and counting are not among its tasks")]),
        # It states the task further down, or a wider one: the loss is in the scores alone.
        ((), (), []),
        # One lack is told once.
        (("registration",), ("registration",), [("parts", "Does not state registration")]),
    ],
)
def test_a_record_that_is_for_other_tasks_first_stands_lower_and_says_what_is_true(
    absent, lacks, told
):
    heart = Shortfall(other_tasks=True, absent_tasks=absent, lacks=lacks)
    result = run(read=lambda text, ids: [heart if id == "heart" else Shortfall() for id in ids])
    first = result.state.candidates[0]
    # The list's span of scores is .4, and .09 of it is lost.
    assert (first.tool.id, first.score) == ("heart", 0.964)
    assert [(why.kind, why.text) for why in first.why] == told
    assert all(why.value == -0.036 for why in first.why)


def test_what_a_record_lacks_weighs_more_where_software_is_wished_as_well():
    """What states the wish is lifted next, whatever it does."""
    wish = Wish(kind="language", value="Python", text="in Python", strength="wanted")
    short = Shortfall(cost=1.0, lacks=("lungs",), other_tasks=True)

    def losses(**query):
        result = run(read=lambda text, ids: [short for _ in ids], **query)
        return {why.value for one in result.state.candidates for why in one.why}

    # The list's span of scores is .4: .2 and .09 of it without a wish, .5 and .4 of it with one.
    assert losses() == {-0.116}
    assert losses(wishes=(wish,)) == {-0.36}


def test_what_a_record_states_is_a_reason_for_it_and_stands_before_what_it_lacks():
    short = Shortfall(cost=1.0, states=("lung", "CT"), lacks=("nodules",))
    result = run(read=lambda text, ids: [short for _ in ids])
    first = result.state.candidates[0]
    assert [(why.kind, why.text) for why in first.why] == [
        ("states", "States lung, CT"),
        ("parts", "Does not state nodules"),
    ]


def test_what_is_stated_is_a_reason_where_nothing_is_lowered_and_the_order_stays():
    result = run(read=lambda text, ids: [Shortfall(states=("lung",)) for _ in ids])
    assert order(result) == [tool.id for tool in TOOLS]
    assert not result.listed
    assert {why.text for one in result.state.candidates for why in one.why} == {"States lung"}
