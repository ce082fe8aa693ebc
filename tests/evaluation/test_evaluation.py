"""Judged runs: reading, metrics by ir-measures, the paired bootstrap."""

from __future__ import annotations

import json
from math import log2

import pytest

from retrieval.core.errors import BadInput
from retrieval.core.stage import StageResult
from retrieval.evaluation.beir import read_beir
from retrieval.evaluation.runs import (
    compared,
    evaluate,
    falling,
    measure,
    per_query,
    read_run,
    write_run,
    write_stages,
)
from tests.fakes import make_candidate, small_engine

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}


@pytest.fixture
def beir(tmp_path):
    (tmp_path / "qrels").mkdir()
    docs = [
        {"_id": "b", "title": "Bee", "text": "words", "metadata": {"license": "MIT"}},
        {"_id": "a/../x y", "title": "", "text": ""},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, docs)) + "\n\n")
    queries = [
        {"_id": "q1", "text": "words", "metadata": {"type": "heading"}},
        {"_id": "q2", "text": "x"},
    ]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tb\t1\n")
    return tmp_path


def test_only_id_title_and_text_of_a_document_are_read(beir):
    judged = read_beir(beir)
    tools = {t.id: t for t in judged.catalog.tools}
    assert (tools["b"].name, tools["b"].description, tools["b"].license) == ("Bee", "words", None)
    assert tools["a/../x y"].name == "a/../x y"
    assert judged.queries == {"q1": "words", "q2": "x"}
    assert judged.types == {"q1": "heading", "q2": "all"}
    assert judged.qrels == {"q1": {"b": 1}}


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("corpus.jsonl", "{", "corpus.jsonl, line 1 is not JSON"),
        ("queries.jsonl", '{"text": "x"}', "queries.jsonl, line 1 has no _id"),
        ("qrels/test.tsv", "a\tb\n1\t2\n", "test.tsv, line 1 is no header"),
    ],
)
def test_a_broken_file_is_named(beir, file, content, said):
    (beir / file).write_text(content)
    with pytest.raises(BadInput, match=said):
        read_beir(beir)


def test_scores_of_a_run_fall_strictly_with_rank():
    run = falling([make_candidate(i, 0.5) for i in "cab"])
    assert list(run) == ["c", "a", "b"]
    assert run["c"] > run["a"] > run["b"] > 0
    assert falling([]) == {}


def test_the_metrics_are_the_hand_worked_ones():
    run = {"q1": falling([make_candidate(i) for i in "bxa"]), "q2": {}}
    ideal = 2 + 1 / log2(3)
    gained = 1 + 2 / log2(4)
    told = measure(run, QRELS)
    assert told["nDCG@10"] == pytest.approx(gained / ideal / 2, abs=1e-4)
    assert told["Recall@50"] == pytest.approx(0.5)
    assert told["MRR@10"] == pytest.approx(0.5)


def test_values_of_queries_come_in_the_order_of_their_ids():
    run = {"q2": {"c": 1.0}, "q1": {"a": 1.0}}
    assert list(per_query(run, QRELS)["MRR@10"]) == ["q1", "q2"]


def test_the_bootstrap_is_paired_repeatable_and_signed():
    queries = {f"q{n}": {"a": 1} for n in range(20)}
    good = {q: {"a": 1.0} for q in queries}
    half = {q: ({"a": 1.0} if n % 2 else {"b": 1.0, "a": 0.5}) for n, q in enumerate(queries)}
    told = compared(good, half, queries)["MRR@10"]
    assert told == compared(good, half, queries)["MRR@10"]
    assert told["difference"] == pytest.approx(0.25)
    assert 0 < told["low"] < 0.25 < told["high"] < 0.5
    assert compared(half, good, queries)["MRR@10"]["difference"] == pytest.approx(-0.25)


def test_files_of_stages_are_numbered_and_slashes_are_dots(tmp_path):
    write_stages({"fused/dense": {"q": {"a": 1.0}}, "fused": {}}, tmp_path / "new" / "stages")
    names = sorted(p.name for p in (tmp_path / "new" / "stages").iterdir())
    assert names == ["01-fused.dense.json", "02-fused.json"]


def test_a_run_can_be_read_again(tmp_path):
    run = {"q1": {"a": 1.0}, "q2": {}}
    write_run(run, tmp_path / "deep" / "run.json")
    assert read_run(tmp_path / "deep" / "run.json") == run
    with pytest.raises(BadInput, match=r"--against: none\.json could not be read"):
        read_run(tmp_path / "none.json")


def test_every_stage_that_gives_candidates_has_a_run_over_every_query(beir):
    judged = read_beir(beir)
    seen: list[StageResult] = []
    result = evaluate(judged, small_engine(), "hybrid", lambda answer: seen.append(answer.result))
    assert result.answers == len(seen) == 2
    assert all(set(run) == {"q1", "q2"} for run in result.stages.values())
    assert "fused/dense" in result.stages
    assert "rerank/language model" not in result.stages
