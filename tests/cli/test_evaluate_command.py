"""``evaluate`` over the command line: measures on stdout, runs in files."""

from __future__ import annotations

import json

import pytest

from tests.commands import one_line

pytestmark = pytest.mark.process


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    docs = {"d1": "segments the lungs", "d2": "registers brains", "d3": "counts cells"}
    corpus = [{"_id": i, "title": i, "text": t} for i, t in docs.items()]
    queries = [
        {"_id": "q1", "text": "lungs"},
        {"_id": "q2", "text": "cells"},
        {"_id": "q3", "text": "xyzzy"},
    ]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    rows = ["query-id\tcorpus-id\tscore", "q1\td1\t1", "q2\td3\t2", "q3\td2\t1"]
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows))
    return folder


def test_evaluate_prints_metrics_and_writes_runs(process, beir, tmp_path):
    out, stages = tmp_path / "run.json", tmp_path / "stages"
    done = process("evaluate", "--beir", beir, "--mode", "hybrid", "--out", out, "--stages", stages)
    told = json.loads(done.stdout)
    assert told["queries"] == 3
    assert told["nDCG@10"] == pytest.approx(2 / 3, abs=1e-3)
    assert {"nDCG@10", "Recall@50", "MRR@10"} <= told["stages"]["fused/bm25"].keys()
    run = json.loads(out.read_text())
    assert next(iter(run["q1"])) == "d1"
    assert run["q3"] == {}
    for scores in run.values():
        assert all(a > b for a, b in zip([*scores.values()], [*scores.values()][1:], strict=False))
    files = sorted(p.name for p in stages.iterdir())
    assert "fused.bm25" in files[0]
    assert all(set(json.loads((stages / f).read_text())) == {"q1", "q2", "q3"} for f in files)


def test_evaluate_against_itself_differs_by_nothing(command, beir, tmp_path):
    out = tmp_path / "run.json"
    command("evaluate", "--beir", beir, "--mode", "keyword", "--out", out)
    told = json.loads(
        command("evaluate", "--beir", beir, "--mode", "keyword", "--against", out).stdout
    )
    assert told["against"]["nDCG@10"] == {"difference": 0.0, "low": 0.0, "high": 0.0}


def test_evaluate_says_which_file_it_cannot_read(command, beir, tmp_path):
    assert "run.json" in one_line(
        command("evaluate", "--beir", beir, "--against", "run.json", code=2)
    )
    assert ".jsonl could not be read" in one_line(command("evaluate", "--beir", tmp_path, code=2))
    (beir / "queries.jsonl").write_text("{}\nnonsense")
    assert "queries.jsonl, line 1" in one_line(command("evaluate", "--beir", beir, code=2))


def test_evaluate_leaves_the_users_index_alone(command, beir, tmp_path):
    index = tmp_path / "index"
    command("evaluate", "--beir", beir, "--mode", "keyword", SCANSCOUT_INDEX_DIR=str(index))
    assert not index.exists()
