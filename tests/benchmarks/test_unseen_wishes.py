"""How the tools of a list are judged against wishes: by fields, whole records and read pairs."""

from __future__ import annotations

import json

from benchmarks.unseen_wishes import PAIRS, POOLED, SETS, STRICT, WHOLE, judged_pairs, tools_by_way

ROW = {
    "query": "segment lungs in Python",
    "task_tools": ["listed", "docker", "opposed"],
    "wishes": [],
    "could": ["listed", "docker"],
    "against": ["opposed"],
}
OF_FIELD = {"listed": True, "docker": None, "opposed": False, "other": False, "missed": None}


def judged(tool, task, wishes):
    return {tool: {"task": task, "wishes": wishes}}


def ways(pairs):
    first = ["listed", "docker", "opposed", "other", "missed"]
    judged_here = {ROW["query"]: pairs, "another request": judged("listed", False, "against")}
    return {way: tools for way, *tools in tools_by_way(ROW, first, OF_FIELD, judged_here)}


def test_fields_judge_every_tool_and_labels_those_of_the_task():
    found = ways({})
    assert found[STRICT] == [{"listed"}, {"opposed", "other"}]
    assert found[WHOLE] == [{"listed", "docker"}, {"opposed", "other"}]
    assert found[POOLED] == found[WHOLE]


def test_a_pair_that_was_read_takes_the_place_of_the_fields():
    pairs = judged("other", False, "meets") | judged("missed", True, "meets")
    assert ways(pairs)[POOLED] == [{"listed", "docker", "missed"}, {"opposed"}]
    pairs = judged("other", False, "against") | judged("missed", True, "silent")
    assert ways(pairs)[POOLED] == [{"listed", "docker"}, {"opposed", "other"}]


def test_a_pair_says_nothing_of_a_tool_that_the_author_listed():
    assert ways(judged("docker", False, "against"))[POOLED] == ways({})[POOLED]


def test_every_pair_is_of_a_request_of_the_sets():
    rows = [json.loads(line) for path in SETS for line in path.read_text("utf-8").splitlines()]
    pairs = judged_pairs()
    assert pairs.keys() <= {row["query"] for row in rows}
    assert sum(map(len, pairs.values())) == len(PAIRS.read_text("utf-8").splitlines())
