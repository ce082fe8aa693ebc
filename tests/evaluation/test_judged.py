"""Judged sets in the shape of ToolRet's instances (5.7): read, refused by line, measured."""

from __future__ import annotations

import json

import pytest

from retrieval.catalog.load import Catalog
from retrieval.catalog.record import Record
from retrieval.core.errors import BadInput
from retrieval.evaluation.judged import read_instances
from retrieval.evaluation.runs import measure

CATALOG = Catalog(
    records=tuple(
        Record(id=word[0], name=word, description=f"{word} of images")
        for word in ("alignment", "brightening", "counting")
    )
)
GOOD = {
    "id": "q1",
    "query": "segment lungs",
    "instruction": "Find a tool for chest scans.",
    "labels": [{"id": "a", "relevance": 2}, {"id": "b", "doc": {"name": "x"}, "relevance": 1}],
    "category": "code",
}


@pytest.fixture
def read(tmp_path):
    def of(*lines, **how):
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        (tmp_path / "judged.jsonl").write_text("\n".join(texts) + "\n", "utf-8")
        return read_instances(tmp_path / "judged.jsonl", CATALOG, **how)

    return of


def test_5_7_an_instance_gives_its_query_its_instruction_and_graded_labels(read):
    found = read(GOOD)
    assert found.judged.queries == {"q1": "segment lungs"}
    assert found.instructions == {"q1": "Find a tool for chest scans."}
    assert found.judged.qrels == {"q1": {"a": 2, "b": 1}}
    assert found.refused == ()


def test_5_7_labels_written_as_text_and_without_a_grade_are_understood(read):
    found = read({"query": "x", "labels": json.dumps([{"id": "a"}])})
    assert found.judged.qrels == {"line 1": {"a": 1}}


def test_5_7_the_instruction_joins_the_query_only_where_it_is_asked_for(read):
    found = read(GOOD, instructed=True)
    assert found.judged.queries == {"q1": "segment lungs Find a tool for chest scans."}


def test_5_7_a_higher_grade_earns_more_in_ndcg(read):
    qrels = read(GOOD).judged.qrels
    best, swapped = {"q1": {"a": 1.0, "b": 0.5}}, {"q1": {"b": 1.0, "a": 0.5}}
    assert measure(best, qrels)["nDCG@10"] == 1.0
    assert measure(swapped, qrels)["nDCG@10"] < 1.0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not a JSON object"),
        ("[1]", "line: Input should be"),
        ({"labels": [{"id": "a"}]}, "query: Field required"),
        ({"query": "", "labels": [{"id": "a"}]}, "query: "),
        ({"query": "x", "labels": []}, "labels: "),
        ({"query": "x", "labels": "no list"}, "labels: "),
        ({"query": "x", "labels": [{"id": "a", "relevance": -1}]}, "labels.0.relevance: "),
        ({"query": "x", "labels": [{"id": "a", "relevance": 0}]}, "labels: no relevant tool"),
        (GOOD, "id: 'q1' was there before"),
    ],
)
def test_5_7_a_bad_line_is_named_with_its_reason_and_costs_no_other(read, line, reason):
    found = read(GOOD, line, {"query": "y", "labels": [{"id": "c"}]})
    assert set(found.judged.queries) == {"q1", "line 3"}
    assert [bad.line for bad in found.refused] == [2]
    assert found.refused[0].reason.startswith(reason)


def test_5_7_a_label_of_an_unknown_tool_costs_only_itself(read):
    found = read({"query": "x", "labels": [{"id": "zz"}, {"id": "a"}]})
    assert found.judged.qrels == {"line 1": {"a": 1}}
    assert found.refused[0].reason == "labels: no tool 'zz' in the catalog; it is left out"


def test_5_7_a_file_without_a_usable_line_or_that_is_not_there_is_told(read, tmp_path):
    with pytest.raises(BadInput, match="no query left; line 1: not a JSON object"):
        read("{")
    with pytest.raises(BadInput, match="could not be read"):
        read_instances(tmp_path / "gone", CATALOG)


def test_5_7_the_command_line_measures_a_judged_file_and_names_its_bad_lines(
    monkeypatch, capsys, tmp_path
):
    from retrieval.cli import main

    rows = [{"id": r.id, "name": r.name, "description": r.description} for r in CATALOG.records]
    catalog, judged = tmp_path / "c.jsonl", tmp_path / "j.jsonl"
    catalog.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    judged.write_text("{\n" + json.dumps({"query": "alignment", "labels": [{"id": "a"}]}), "utf-8")
    monkeypatch.setenv("SCANSCOUT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("SCANSCOUT_VECTOR_SEARCH", "false")
    told = ["evaluate", "--judged", str(judged), "--catalog", str(catalog), "--mode", "keyword"]
    assert main(told) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["queries"], said["nDCG@10"]) == (1, 1.0)
    assert said["refused"] == [{"line": 1, "reason": "not a JSON object"}]
