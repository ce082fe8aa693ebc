"""Web search as a tool of the catalog: picked by the words of a query, a node of the graph."""

from __future__ import annotations

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core.stage import finish, progress
from retrieval.core.types import Selection
from retrieval.graph.build import build_graph
from retrieval.settings import ROOT
from retrieval.web.stage import RECORD, WebOffer
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.parts import Sizes
from tests.fakes import SMALL, ids, make_candidate, make_state, make_tool, small_engine
from tests.web.test_choose import CATALOG, CURRENT, LITERATURE

TOOL = make_tool(RECORD, name="Web and literature search")
STAGE = WebOffer({RECORD: TOOL})
ASKED = "latest papers on segmenting lungs"


def offered(text, *found, **state):
    start = make_state(text, *(make_candidate(i, 1 - n / 10) for n, i in enumerate(found)), **state)
    return finish(progress(STAGE, start))


@pytest.mark.parametrize("text", [*LITERATURE, *CURRENT])
@pytest.mark.requirement("S0-41")
def test_the_record_is_selected_for_current_information_or_literature(text):
    result = offered(text, "a", "b", "c")
    assert ids(result) == [RECORD, "a", "b", "c"]
    assert result.state.candidates[0].why[0].kind == "web"
    assert result.listed


@pytest.mark.parametrize("text", CATALOG)
@pytest.mark.requirement("S0-41")
def test_the_record_is_not_selected_for_a_plain_task(text):
    result = offered(text, "a", RECORD, "b")
    assert ids(result) == ["a", "b"]
    assert not result.listed


def test_an_excluded_record_is_not_selected():
    assert ids(offered("latest papers", "a", selection=Selection(drop=frozenset([RECORD])))) == [
        "a"
    ]


def test_a_length_that_was_asked_for_is_kept():
    assert ids(offered("latest papers", "a", "b", "c", top_k=2)) == [RECORD, "a"]


@pytest.mark.parametrize("mode", ["agentic", "hybrid", "biocortex"])
def test_no_tool_of_the_catalog_leaves_a_list_because_the_web_is_offered(mode):
    tools = {**{one.id: one for one in SMALL}, RECORD: TOOL}
    lists = [
        ids(small_engine(Sizes(final=3), tools=tools, web=off).run(ASKED, mode=mode).candidates)
        for off in ("set SCANSCOUT_WEB_SEARCH=true", "")
    ]
    assert len(lists[0]) >= 3
    assert lists[1] == [RECORD, *lists[0]]


def test_a_catalog_without_the_record_is_left_as_it_is():
    state = make_state("latest papers", make_candidate("a"))
    assert ids(WebOffer({}).run(state)) == ["a"]


def test_scores_never_rise_down_the_list():
    scores = [c.score for c in offered("latest papers", "a", "b").state.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.requirement("S0-41")
def test_the_record_is_in_the_shipped_catalog_and_a_node_of_its_graph():
    tools = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools
    assert RECORD in {tool.id for tool in tools}
    graph = build_graph(tools, lexicon())
    assert RECORD in graph
    assert graph.degree(RECORD) > 0


def test_while_the_web_is_off_the_stage_is_skipped_with_its_remedy():
    stage = WebOffer({RECORD: TOOL}, off="set SCANSCOUT_WEB_SEARCH=true")
    result = finish(progress(stage, make_state("latest papers on lungs", make_candidate("a"))))
    assert result.status == "skipped"
    assert "papers" in result.note
    assert "SCANSCOUT_WEB_SEARCH=true" in result.note
    assert ids(result) == ["a"]
    plain = finish(progress(stage, make_state("segment lungs", make_candidate("a"))))
    assert plain.status == "ok"
