"""The query ladder (5.7): each tool asked for by name, by intent, and inside a scenario."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.core.combine import FirstOf
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import finish, progress
from retrieval.evaluation.runs import LADDER, compared, falling, measure
from retrieval.rerank.cross_encoder import CrossEncoderRerank, LazyScorer
from retrieval.rerank.switch import KeepOrder
from tests.fakes import ids, make_candidate, make_state

FILE = Path(__file__).parents[1] / "data" / "query_ladder.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
QRELS = {row["id"]: {row["id"]: 2} for row in ROWS}


@pytest.fixture(scope="module")
def runs(engine):
    """A run for each level; a query's id is that of its tool."""
    levels = ("named", "intent", "scenario")
    return {
        level: {row["id"]: falling(engine.run(row[level]).candidates) for row in ROWS}
        for level in levels
    }


@pytest.mark.model
def test_5_7_a_tool_that_is_named_comes_first(runs):
    assert {tool: min(run, key=lambda i: -run[i]) for tool, run in runs["named"].items()} == {
        tool: tool for tool in QRELS
    }


@pytest.mark.model
def test_5_7_intent_and_scenario_find_most_tools_in_a_list_of_fifteen(runs):
    found = {level: sum(tool in run for tool, run in told.items()) for level, told in runs.items()}
    assert found["intent"] >= 14
    assert found["scenario"] >= 10


@pytest.mark.model
def test_5_7_every_level_is_measured_and_paired_with_an_interval(runs):
    told = {level: measure(run, QRELS)["nDCG@10"] for level, run in runs.items()}
    assert told["named"] == 1.0
    assert told["named"] >= told["intent"] >= told["scenario"] > 0.4
    gap = compared(runs["intent"], runs["scenario"], QRELS)["nDCG@10"]
    assert gap["low"] <= gap["difference"] <= gap["high"]
    assert gap["difference"] == pytest.approx(
        told["intent"] - told["scenario"], abs=2e-6
    )  # of rounded values


@pytest.mark.model
def test_5_7_the_ladder_is_measured_at_one_five_and_ten_and_each_step_has_an_interval(runs):
    told = {level: measure(run, QRELS, LADDER) for level, run in runs.items()}
    assert all(
        set(row) == {"nDCG@10", "recall@1", "recall@5", "recall@10", "MRR"} for row in told.values()
    )
    assert told["named"]["recall@1"] == told["named"]["MRR"] == 1.0
    for row in told.values():
        assert row["recall@1"] <= row["recall@5"] <= row["recall@10"]
    for upper, lower in (("named", "intent"), ("intent", "scenario")):
        gaps = compared(runs[upper], runs[lower], QRELS, metrics=LADDER)
        assert set(gaps) == set(LADDER)
        assert all(gap["low"] <= gap["difference"] <= gap["high"] for gap in gaps.values())
        assert gaps["MRR"]["difference"] >= 0


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("dhsegment official github repository", "dhsegment"),
        ("https://github.com/dhlab-epfl/dhSegment", "dhsegment"),
        ("lungmask", "lungmask"),
    ],
)
def test_5_3_a_query_that_is_a_name_finds_its_tool_first_whatever_stands_around_it(
    engine, text, tool
):
    assert engine.run(text).candidates[0].tool.id == tool


class Pairs:
    """A pair scorer that gives what it was told, by text."""

    id = "pairs"

    def __init__(self, told):
        self.told = told

    def scores(self, query, texts):
        if self.told is None:
            raise StageUnavailable("the answer of the scorer has no results")
        return [self.told[text] for text in texts]


def reranked(told):
    shown = [make_candidate(i) for i in "120"]
    stage = CrossEncoderRerank(LazyScorer(lambda: Pairs(told)))
    state = make_state("x", *shown)
    described = {c.tool.description: c.tool.id for c in shown}
    assert len(described) == len(shown)
    return finish(progress(FirstOf("rerank", [stage, KeepOrder()]), state))


def test_5_3_pair_scores_decide_the_order_whatever_order_they_come_in():
    shown = {c.tool.id: c.tool.description for c in map(make_candidate, "120")}
    result = reranked({shown["2"]: 0.2, shown["0"]: 0.9, shown["1"]: 0.5})
    assert ids(result) == ["0", "1", "2"]


def test_5_3_an_answer_without_scores_leaves_the_order_and_says_so():
    result = reranked(None)
    assert ids(result) == ["1", "2", "0"]
    assert result.status == "fallback"
    assert "no results" in result.note
