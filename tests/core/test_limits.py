from __future__ import annotations

import time

import pytest

from retrieval.core.deadline import Deadline, bounded
from retrieval.core.errors import OutsideCallRefused, StageUnavailable
from retrieval.net.permission import HISTORY, OutsideCalls


def test_a_deadline_passes_and_never_has_less_than_nothing_left():
    deadline = Deadline.after(-1)
    assert deadline.passed
    assert deadline.left == 0.0
    assert not Deadline().passed
    assert 50 < Deadline.after(60).left <= 60


def test_bounded_gives_the_value_of_a_call_that_ends_in_time():
    assert bounded(lambda: "answer", 5, "the model") == "answer"


def test_bounded_leaves_a_dripping_call_behind():
    def drips():
        for _ in range(600):
            time.sleep(0.05)

    start = time.monotonic()
    with pytest.raises(StageUnavailable, match=r"the model: no answer within 0\.1 s"):
        bounded(drips, 0.1, "the model")
    assert time.monotonic() - start < 15


@pytest.mark.parametrize("error", [LookupError, TimeoutError])
def test_bounded_passes_on_the_calls_own_error(error):
    def breaks():
        raise error("its own")

    with pytest.raises(error, match="its own"):
        bounded(breaks, 60, "the model")


def test_the_guard_refuses_what_nobody_switched_on_and_keeps_no_address():
    guard = OutsideCalls()
    with pytest.raises(OutsideCallRefused, match="web search is off"):
        guard.permit("web search", "https://example.org/?q=secret")
    assert guard.recent == []


def test_the_guard_records_the_host_alone():
    guard = OutsideCalls(frozenset({"web search"}))
    guard.permit("web search", "https://key:pass@example.org/path?q=secret")
    assert guard.recent == [("web search", "example.org")]


def test_the_guard_keeps_the_last_calls_alone_and_still_tells_which_are_of_a_query():
    guard = OutsideCalls(frozenset({"web search"}))
    for n in range(HISTORY + 50):
        guard.permit("web search", f"https://host{n}.example/")
    assert (len(guard.recent), guard.count) == (HISTORY, HISTORY + 50)
    assert guard.recent[-1] == ("web search", f"host{HISTORY + 49}.example")
    mark = guard.count
    guard.permit("web search", "https://last.example/")
    assert guard.since(mark) == [("web search", "last.example")]
    assert guard.since(guard.count) == []


def test_a_refused_call_is_a_stage_that_cannot_run():
    assert issubclass(OutsideCallRefused, StageUnavailable)
