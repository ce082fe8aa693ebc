"""S1-06, S1-24 and S0-30: the order of retrieval itself."""

from __future__ import annotations

import pytest

from retrieval.core.combine import FirstOf, Pipeline
from retrieval.core.stage import finish, progress
from retrieval.core.types import Candidate
from retrieval.rerank.switch import RETRIEVAL, KeepOrder, RerankSwitch, by_score
from tests.fakes import Grows, Skips, ids, make_candidate, make_state, make_tool, parts_of


def scored(id, **scores):
    return Candidate(tool=make_tool(id), score=list(scores.values())[-1], scores=scores)


FOUND = (
    scored("c", fused=0.2, graph=0.9),
    scored("only_graph", graph=0.8),
    scored("a", fused=0.5, graph=0.3),
    scored("b", fused=0.5, graph=0.1),
)


def run(switch, rerank=True, top_k=None):
    state = make_state("x", *FOUND, rerank=rerank, top_k=top_k)
    return finish(progress(Pipeline("p", [switch]), state, root=True))


@pytest.mark.requirement("S1-06")
def test_no_rerank_gives_the_retrieval_order_and_the_reranker_is_not_asked():
    reranker = Grows("rerank", "z")
    result = run(RerankSwitch(reranker, "fused"), rerank=False)
    assert ids(result) == ["a", "b", "c"]
    stage = parts_of(result)["rerank"]
    assert (stage.status, stage.note) == ("skipped", "[NO_RERANK]: the order of fused")
    assert stage.elapsed_ms < 20


@pytest.mark.requirement("S1-06")
def test_a_stage_after_retrieval_does_not_count_and_a_graph_only_tool_is_left_out():
    assert "only_graph" not in ids(run(RerankSwitch(Grows("r", "z"), "fused"), rerank=False))


def test_without_a_named_stage_the_incoming_order_is_the_order():
    assert ids(run(RerankSwitch(Grows("r", "z"), ""), rerank=False)) == [
        "c",
        "only_graph",
        "a",
        "b",
    ]


def test_the_list_without_reranking_is_cut_to_what_is_wanted():
    assert ids(run(RerankSwitch(Grows("r", "z"), "fused", limit=1), rerank=False)) == ["a"]
    assert ids(run(RerankSwitch(Grows("r", "z"), "fused"), rerank=False, top_k=2)) == ["a", "b"]


def test_every_candidate_keeps_its_retrieval_score_through_reranking():
    result = run(RerankSwitch(FirstOf("rerank", [KeepOrder()]), "fused"))
    told = {c.tool.id: c.scores[RETRIEVAL] for c in result.state.candidates}
    assert told == {"c": 0.2, "only_graph": 0.8, "a": 0.5, "b": 0.5}


def test_the_score_of_an_option_that_stood_in_counts_as_the_stages():
    stood_in = Candidate(tool=make_tool("a"), score=3.0, scores={"vector search/bm25": 3.0})
    state = make_state("x", stood_in, make_candidate("g"), rerank=False)
    result = finish(progress(RerankSwitch(Grows("r", "z"), "vector search"), state))
    assert ids(result) == ["a"]


def test_the_switch_streams_its_reranker():
    parts = list(
        progress(
            RerankSwitch(FirstOf("rerank", [Grows("grow", "x y z")]), "fused"),
            make_state("x", *FOUND),
        )
    )
    assert [len(p.state.candidates) for p in parts] == [1, 2, 3]


def test_the_fallbacks_last_option_keeps_the_order_and_names_what_did_not_run():
    options = [
        Skips("language model", "none configured"),
        Skips("cross-encoder", "no weights"),
        KeepOrder(),
    ]
    result = run(RerankSwitch(FirstOf("rerank", options), "fused"))
    stage = parts_of(result)["rerank"]
    assert ids(result) == ["c", "only_graph", "a", "b"]
    assert stage.status == "fallback"
    assert stage.note.startswith("kept the fused order; language model: none configured")


@pytest.mark.requirement("S0-30")
def test_kept_by_an_earlier_score_ties_stand_by_id():
    assert ids(by_score("fused")(FOUND)) == ["a", "b", "c", "only_graph"]


def test_kept_by_a_score_that_nobody_has_the_order_stays():
    assert ids(by_score("similarity")(FOUND)) == ["c", "only_graph", "a", "b"]


def test_keeping_changes_no_score_and_cuts():
    result = finish(progress(KeepOrder(limit=2), make_state("x", *FOUND)))
    assert result.state.candidates == FOUND[:2]
