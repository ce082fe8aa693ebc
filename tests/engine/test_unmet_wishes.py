"""The note that no listed tool does the task and states what is wished."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from retrieval.core import Wish
from retrieval.core.types import Candidate, Filters, Fit
from retrieval.engine.unmet_wishes import filtered_out, unmet_wishes
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

RADIOMICS = make_tool("radiomics", tasks=("radiomics",))
STATISTICS = make_tool("statistics", tasks=("statistical analysis",))
IN_R = make_tool("in_r", name="in R", languages=("R",), tasks=("radiomics",))
BOTH = make_tool("both", tasks=("radiomics", "statistical analysis"))
IN_PYTHON = make_tool("in_python", name="in Python", languages=("Python",), tasks=("radiomics",))
PHRASED = make_tool("phrased", modalities=("CT", "MRI"), asked_as=("radiomics of tumours",))
TOOLS = (PHRASED, RADIOMICS, STATISTICS, IN_R, IN_PYTHON, BOTH)
SNAPSHOT = SimpleNamespace(gaps=gap_judge(TOOLS), spelled=str)


def listed(tool, verdict, kind="language"):
    fit = Fit(fact=kind, verdict=verdict, scan=None, tool="R", asked="R")
    return Candidate(tool=tool, score=1.0, fit=(fit,))


def note(candidates, kind="language", strength="wanted", text="radiomics", before=()):
    wish = Wish(kind=kind, value="R", text="R package", strength=strength)
    query = SimpleNamespace(wishes=(wish,), text=text)
    stages = [
        SimpleNamespace(name=name, ran=True, state=SimpleNamespace(candidates=before or candidates))
        for name in ("rank", "wishes")
    ]
    answer = SimpleNamespace(
        query=query,
        candidates=candidates,
        low_confidence=False,
        result=SimpleNamespace(walk=lambda: stages),
    )
    return unmet_wishes(answer, SNAPSHOT)


def test_a_list_without_a_tool_that_states_both_says_so():
    apart = (listed(STATISTICS, "pass"), listed(RADIOMICS, "unknown"))
    assert note(apart) == "None of the 2 listed tools states R and radiomics together."


@pytest.mark.parametrize(
    "how",
    [
        {"candidates": (listed(RADIOMICS, "pass"), listed(STATISTICS, "pass"))},
        {"candidates": (listed(STATISTICS, "pass"),), "text": "something"},
        {"candidates": (listed(RADIOMICS, "pass"),), "strength": "unwanted"},
        {"candidates": (listed(STATISTICS, "pass", "gpu"),), "kind": "gpu", "strength": "unwanted"},
        {"candidates": (listed(STATISTICS, "pass", "offline"),), "kind": "offline"},
        {"candidates": ()},
    ],
)
def test_nothing_is_said_where_one_states_both_or_nothing_can_be_told(how):
    assert note(**how) == ""


def test_a_tool_that_people_ask_for_in_the_words_of_the_request_states_it():
    assert note((listed(PHRASED, "pass"),)) == ""


def test_a_denied_wish_that_leaves_no_tool_for_the_task_is_told_with_what_was_left_out():
    before = (listed(IN_R, "fail"), listed(RADIOMICS, "unknown"), listed(STATISTICS, "pass"))
    told = note(before[1:], strength="unwanted", before=before)
    assert told == (
        "None of the 2 listed tools states radiomics and is known to do without R. "
        "Left out for that: in R."
    )


def test_a_wish_that_no_tool_for_the_task_meets_is_told_with_those_that_state_otherwise():
    listed_tools = (listed(STATISTICS, "pass"), listed(IN_PYTHON, "fail"))
    assert note(listed_tools) == (
        "None of the 2 listed tools states R and radiomics together. Without R: in Python."
    )


def test_a_tool_for_something_else_serves_where_it_states_every_part_alone():
    beside = Fit(fact="task", verdict="unknown", scan=None, tool="x", asked="what you ask for")
    statistics = Candidate(tool=BOTH, score=1.0, fit=(*listed(BOTH, "pass").fit, beside))
    assert note((statistics,)) == ""
    assert note((statistics,), text="radiomics of the liver") == (
        "None of the 1 listed tools states R, radiomics and liver together."
    )


def cut(filters, tools=TOOLS, text="radiomics"):
    query = SimpleNamespace(text=text, filters=filters)
    shown = tuple(Candidate(tool=tool, score=1.0) for tool in tools if filters.admits(tool))
    answer = SimpleNamespace(query=query, candidates=shown, low_confidence=False)
    snapshot = SimpleNamespace(gaps=SNAPSHOT.gaps, spelled=str, tools={t.id: t for t in tools})
    return filtered_out(answer, snapshot)


def test_filters_that_leave_no_tool_for_the_task_are_told():
    on_web = make_tool("web", interfaces=("web",))
    assert cut(Filters(interfaces=frozenset({"web"})), (*TOOLS, on_web)) == (
        "None of the 1 listed tools states radiomics. 5 tools state that, "
        "and your filters leave them out."
    )


@pytest.mark.parametrize(
    "how",
    [
        {"filters": Filters()},
        {"filters": Filters(modalities=frozenset({"CT"}))},
        {"filters": Filters(interfaces=frozenset({"web"}))},
        {"filters": Filters(modalities=frozenset({"CT"})), "text": "something"},
        {"filters": Filters(modalities=frozenset({"CT"})), "text": "track cells"},
    ],
)
def test_nothing_is_told_of_filters_that_leave_a_tool_or_cut_none(how):
    assert cut(**how) == ""
