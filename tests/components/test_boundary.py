"""The page's one broad boundary: a refusal with its reason, a defect without details."""

from __future__ import annotations

import logging

import pytest

from components.boundary import attempted, guarded
from retrieval import BadInput, StageUnavailable


def breaking(error: Exception):
    yield "first"
    raise error


@pytest.mark.parametrize("error", [BadInput("field: reason"), StageUnavailable("no server")])
def test_a_refusal_ends_in_its_own_words_after_what_was_there(error):
    shown = list(guarded("a search", breaking(error), lambda reason: f"ended: {reason}"))
    assert shown == ["first", f"ended: {error}"]


def test_a_defect_is_logged_with_its_details_and_shown_without(caplog, plain_log_records):
    with caplog.at_level(logging.ERROR, "components.boundary"):
        shown = list(guarded("a search", breaking(KeyError("/secret")), str))
    assert shown == ["first", "None"]
    assert "a search failed" in caplog.text
    assert "/secret" in caplog.text


def test_an_interruption_is_nobody_s_to_swallow():
    views = guarded("a search", breaking(KeyboardInterrupt()), str)
    assert next(views) == "first"
    with pytest.raises(KeyboardInterrupt):
        next(views)


def test_a_visitor_who_stops_closes_the_search_itself():
    closed = []

    def search():
        try:
            yield "first"
            yield "second"
        finally:
            closed.append(True)

    views = guarded("a search", search(), str)
    next(views)
    views.close()
    assert closed == [True]


def test_one_call_gives_its_value_or_what_is_said_of_its_failing():
    def refused():
        raise BadInput("no")

    assert attempted("a replay", lambda: "told", str) == "told"
    assert attempted("a replay", refused, str) == "no"
