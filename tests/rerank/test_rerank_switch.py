"""S1-06, S1-24 and S0-30: the order of retrieval itself."""

from __future__ import annotations

import pytest

from retrieval.core.combine import Pipeline
from retrieval.core.stage import finish, progress
from retrieval.core.types import Candidate
from retrieval.rerank.switch import RETRIEVAL, KeepOrder, RerankSwitch
from tests.fakes import Grows, Skips, ids, make_state, make_tool, parts_of


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


KEEP = KeepOrder()


@pytest.mark.requirement("S1-06")
def test_no_rerank_leaves_out_the_models_and_nothing_else():
    result = run(RerankSwitch([Grows("model", "z")], KEEP, "fused"), rerank=False)
    assert ids(result) == ["c", "only_graph", "a", "b"]
    stage = parts_of(result)["rerank"]
    assert stage.status == "skipped"
    assert stage.note == "[NO_RERANK]: no re-ranking model was asked; kept the order so far"
    assert "rerank/model" not in parts_of(result)
    assert stage.elapsed_ms < 20


def test_no_rerank_without_a_model_says_that_there_is_nothing_to_leave_out():
    off = Skips("model", "none configured")
    result = run(RerankSwitch([off], KEEP, configured=False), rerank=False)
    assert "there is nothing to leave out" in parts_of(result)["rerank"].note
    kept = run(RerankSwitch([off], KEEP, configured=False))
    assert ids(result) == ids(kept)


def test_the_list_without_reranking_is_cut_to_what_is_wanted():
    assert ids(run(RerankSwitch([], KeepOrder(limit=1)), rerank=False)) == ["c"]
    assert ids(run(RerankSwitch([], KEEP), rerank=False, top_k=2)) == ["c", "only_graph"]


def test_every_candidate_keeps_its_retrieval_score_through_reranking():
    result = run(RerankSwitch([], KEEP, "fused"))
    told = {c.tool.id: c.scores[RETRIEVAL] for c in result.state.candidates}
    assert told == {"c": 0.2, "only_graph": 0.8, "a": 0.5, "b": 0.5}


def test_the_score_of_an_option_that_stood_in_counts_as_the_stages():
    stood_in = Candidate(tool=make_tool("a"), score=9.0, scores={"vector search/bm25": 3.0})
    state = make_state("x", stood_in, rerank=False)
    result = finish(progress(RerankSwitch([], KEEP, "vector search"), state))
    assert result.state.candidates[0].scores[RETRIEVAL] == 3.0


def test_the_switch_streams_its_reranker():
    switch = RerankSwitch([Grows("grow", "x y z")], KEEP, "fused")
    parts = list(progress(switch, make_state("x", *FOUND)))
    assert [len(p.state.candidates) for p in parts] == [1, 2, 3]


def test_the_fallbacks_last_option_keeps_the_order_and_names_what_did_not_run():
    models = [Skips("language model", "none configured"), Skips("cross-encoder", "no weights")]
    result = run(RerankSwitch(models, KEEP, "fused"))
    stage = parts_of(result)["rerank"]
    assert ids(result) == ["c", "only_graph", "a", "b"]
    assert stage.status == "fallback"
    assert stage.note.startswith("kept the order so far; language model: none configured")


def test_keeping_changes_no_score_and_cuts():
    result = finish(progress(KeepOrder(limit=2), make_state("x", *FOUND)))
    assert result.state.candidates == FOUND[:2]
