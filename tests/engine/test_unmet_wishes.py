"""The note that no listed tool does the task and states what is wished."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from retrieval.core import Wish
from retrieval.core.types import Candidate, Fit
from retrieval.engine.unmet_wishes import unmet_wishes
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

RADIOMICS = make_tool("radiomics", tasks=("radiomics",))
STATISTICS = make_tool("statistics", tasks=("statistical analysis",))
SNAPSHOT = SimpleNamespace(gaps=gap_judge((RADIOMICS, STATISTICS)), spelled=str)


def listed(tool, verdict, kind="language"):
    fit = Fit(fact=kind, verdict=verdict, scan=None, tool="R", asked="R")
    return Candidate(tool=tool, score=1.0, fit=(fit,))


def note(candidates, kind="language", strength="wanted", text="radiomics"):
    wish = Wish(kind=kind, value="R", text="R package", strength=strength)
    query = SimpleNamespace(wishes=(wish,), text=text)
    answer = SimpleNamespace(query=query, candidates=candidates, low_confidence=False)
    return unmet_wishes(answer, SNAPSHOT)


def test_a_list_without_a_tool_that_states_both_says_so():
    apart = (listed(STATISTICS, "pass"), listed(RADIOMICS, "unknown"))
    assert note(apart) == "None of the 2 listed tools states R and radiomics together."


@pytest.mark.parametrize(
    "how",
    [
        {"candidates": (listed(RADIOMICS, "pass"), listed(STATISTICS, "pass"))},
        {"candidates": (listed(STATISTICS, "pass"),), "text": "something"},
        {"candidates": (listed(STATISTICS, "pass"),), "strength": "unwanted"},
        {"candidates": (listed(STATISTICS, "pass", "offline"),), "kind": "offline"},
        {"candidates": ()},
    ],
)
def test_nothing_is_said_where_one_states_both_or_nothing_can_be_told(how):
    assert note(**how) == ""
