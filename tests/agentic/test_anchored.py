"""S4-15: what the agentic source's later versions have: anchored fusion, order kept, Chinese."""

from __future__ import annotations

import pytest

from retrieval.compat.agentic_layer.retrieval_utils import vector_anchored_fusion
from retrieval.core.combine import FirstOf
from retrieval.core.errors import StageUnavailable
from retrieval.core.fusion import reciprocal_rank_fusion
from retrieval.core.stage import finish, progress
from retrieval.core.types import EVERYTHING
from retrieval.lexical.bm25 import Bm25Index
from retrieval.rerank.cross_encoder import CrossEncoderRerank, LazyScorer
from retrieval.rerank.switch import KeepOrder
from retrieval.wiring.modes import all_modes
from retrieval.wiring.parts import Sizes
from tests.agentic.judging import PARTS
from tests.fakes import (
    ids,
    make_candidate,
    make_state,
    make_tool,
    small_engine,
)


@pytest.mark.requirement("S4-15")
def test_vectors_weigh_seven_tenths_and_bm25_is_saturated_at_five():
    told = dict(vector_anchored_fusion([("a", 0.8), ("b", 0.5)], [("a", 5.0), ("b", 15.0)]))
    assert told == {
        "a": pytest.approx(0.7 * 0.8 + 0.3 * 0.5),
        "b": pytest.approx(0.7 * 0.5 + 0.3 * 0.75),
    }


@pytest.mark.requirement("S4-15")
def test_the_mode_anchored_adds_the_shares_of_both_lists_and_asks_no_model():
    answer = small_engine().run("segment lungs", "anchored")
    fused = next(node for node in answer.result.walk() if node.name == "fused")
    lists = {
        child.name.rpartition("/")[2]: [(c.tool.id, c.score) for c in child.state.candidates]
        for child in fused.children
    }
    wanted = vector_anchored_fusion(lists["dense"], lists["bm25"])
    assert {c.tool.id: pytest.approx(c.score) for c in fused.state.candidates} == dict(wanted)
    by_rank = small_engine().run("segment lungs", "rrf").result.state
    assert [c.score for c in fused.state.candidates] != [c.score for c in by_rank.candidates]
    assert not any(node.name == "rerank" for node in answer.result.walk())


@pytest.mark.requirement("S4-15")
def test_what_one_list_lacks_gets_that_lists_lowest_value():
    told = dict(vector_anchored_fusion([("a", 0.8), ("b", 0.4)], [("c", 20.0), ("d", 5.0)]))
    assert told["a"] == pytest.approx(0.7 * 0.8 + 0.3 * 0.5)
    assert told["c"] == pytest.approx(0.7 * 0.4 + 0.3 * 0.8)


@pytest.mark.requirement("S4-15")
def test_an_empty_list_adds_nothing_and_two_give_nothing():
    assert vector_anchored_fusion([("a", 0.9)], []) == [("a", pytest.approx(0.63))]
    assert vector_anchored_fusion([], [("a", 5.0)]) == [("a", pytest.approx(0.15))]
    assert vector_anchored_fusion([], []) == []


@pytest.mark.requirement("S4-15")
def test_weight_and_saturation_can_be_set_and_no_score_below_nought_counts():
    told = vector_anchored_fusion([("a", 0.5)], [("a", 2.0)], alpha=0.5, saturation_k=2.0)
    assert told == [("a", pytest.approx(0.5))]
    assert vector_anchored_fusion([("a", 0.5)], [("a", -3.0)]) == [("a", pytest.approx(0.35))]


@pytest.mark.requirement("S4-15")
def test_ties_stand_by_id():
    assert [i for i, _ in vector_anchored_fusion([("b", 0.5), ("a", 0.5)], [])] == ["a", "b"]


@pytest.mark.requirement("S4-15")
def test_the_agentic_mode_fuses_by_the_setting():
    lists = (
        ("fused/dense", (make_candidate("a", 0.8), make_candidate("b", 0.5))),
        ("fused/bm25", (make_candidate("b", 15.0), make_candidate("a", 5.0))),
    )
    anchored = all_modes(PARTS, Sizes(agentic_fusion="anchored"))["agentic"].pipeline
    usual = all_modes(PARTS, Sizes())["agentic"].pipeline
    told = {c.tool.id: c.score for c in _fusion(anchored)("fused", lists)}
    assert told == dict(vector_anchored_fusion([("a", 0.8), ("b", 0.5)], [("a", 5.0), ("b", 15.0)]))
    assert _fusion(usual) is reciprocal_rank_fusion
    (best, _) = _fusion(anchored)("fused", lists)
    assert sum(why.value for why in best.why if why.kind == "share") == pytest.approx(best.score)


def _fusion(pipeline):
    """What the agentic mode makes one list by."""
    agentic = next(stage for stage in pipeline.stages if stage.name == "agentic")
    return agentic.light.combine


@pytest.mark.requirement("S4-15")
def test_a_reranker_that_fails_leaves_the_order_as_it_was():
    def broken():
        raise StageUnavailable("no weights")

    shown = (make_candidate("b", 0.9), make_candidate("a", 0.8))
    stage = FirstOf("rerank", [CrossEncoderRerank(LazyScorer(broken)), KeepOrder()])
    result = finish(progress(stage, make_state("x", *shown)))
    assert ids(result) == ["b", "a"]
    assert "no weights" in result.note


@pytest.mark.requirement("S4-15")
def test_bm25_finds_chinese_words_without_spaces():
    tools = (
        make_tool("lung", description="肺部CT图像分割工具"),
        make_tool("brain", description="大脑磁共振图像配准"),
    )
    index = Bm25Index(tools)
    for text, wanted in (("分割肺部", "lung"), ("配准大脑", "brain")):
        (best, score, _), *_ = index.search(text, 2, EVERYTHING)
        assert (best.id, score > 0) == (wanted, True)
