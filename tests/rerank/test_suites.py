"""At most three members of one suite among the first eight tools."""

from __future__ import annotations

from retrieval.core import Candidate
from retrieval.rerank.suites import SuiteSpread
from tests.fakes import make_state, make_tool

LISTED = [
    Candidate(tool=make_tool(f"t{n:02}", suite="fsl" if n < 5 else None), score=1 - n / 100)
    for n in range(12)
]


def test_the_fourth_member_of_a_suite_gives_way_and_nothing_is_lost() -> None:
    state = make_state("x", *LISTED, path="suites")
    shown = SuiteSpread().run(state).state.candidates
    assert [c.tool.suite for c in shown[:8]].count("fsl") == 3
    assert sorted(c.tool.id for c in shown) == sorted(c.tool.id for c in LISTED)
    assert [c.score for c in shown] == sorted((c.score for c in shown), reverse=True)
