"""Answers for agents: short, and never empty where one tool fits."""

from __future__ import annotations

import json
import time

import pytest

from components.api import brief_for_agents
from components.server.shortening import shortened

MOST = 4_000
REMEDY = "ask for all"


def size(answer):
    return len(json.dumps(answer, ensure_ascii=False))


def candidate(rank):
    return {
        "rank": rank,
        "id": f"tool_{rank}",
        "name": f"Tool {rank}",
        "license": "MIT",
        "why": [{"kind": "words", "text": "segment, lungs"}, {"kind": "score", "text": "0.5"}],
        "fit": [{"fact": "format", "verdict": "pass"}],
        "lacks": [],
        "verdict": {"verdict": "pass", "text": "reads it"},
        "stages": ["x" * 300] * 10,
    }


def cohort(groups, subjects=3):
    row = {"kind": ["format:NIfTI"], "tokens": ["format:NIfTI"], "sequence": None, "series": 3}
    row |= {"reason": None, "limits": [], "notes": ["no header says what part of the body it is"]}
    tools = [candidate(rank) for rank in range(1, 16)]
    group = {**row, "subjects": list(range(1, subjects + 1)), "candidates": tools}
    return {"subjects": subjects, "groups": [group] * groups, "findings": [], "notes": []}


@pytest.mark.parametrize(("groups", "subjects"), [(1, 3), (1, 2_000), (12, 40), (40, 2_000)])
def test_an_answer_of_a_cohort_lists_tools_for_its_kinds_of_series(groups, subjects):
    answer = shortened(brief_for_agents(cohort(groups, subjects)), MOST, REMEDY)
    assert size(answer) <= MOST
    assert len(answer["groups"]) >= min(groups, 8)
    for group in answer["groups"]:
        assert group["subject_count"] == subjects
        assert group["tools"][0]["id"] == "tool_1"
        assert group["tools"][0]["why"] == ["segment, lungs"]
    assert groups > 1 or len(answer["groups"][0]["tools"]) > 8


def test_what_was_left_out_is_counted_by_the_place_of_its_list():
    answer = shortened(brief_for_agents(cohort(12)), MOST, REMEDY)
    groups = answer["groups"]
    listed = sum(len(group["tools"]) for group in groups)
    left_out = {"groups": 12 - len(groups), "groups.tools": 15 * len(groups) - listed}
    assert answer["left_out"] == {name: n for name, n in left_out.items() if n}
    assert answer["remedy"] == REMEDY


@pytest.mark.parametrize("rows", [1, 60, 300])
def test_the_longest_list_is_cut_and_short_ones_stay(rows):
    long = [{"n": n, "text": "y" * 90, "why": ["a", "b"]} for n in range(rows)]
    whole = {"tools": long, "notes": ["one", "two"], "reason": "z" * 500}
    answer = shortened(whole, MOST, REMEDY)
    assert size(answer) <= MOST
    assert answer["tools"] == long[: len(answer["tools"])]
    assert answer["notes"] == whole["notes"]
    assert (rows == 1) == (answer == whole)
    assert rows == 1 or size(answer) > MOST - 150


def test_what_no_list_can_spare_is_left_out_by_name():
    answer = shortened({"graph": {f"key {n}": n for n in range(2_000)}, "n": 1}, MOST, REMEDY)
    assert answer == {"n": 1, "left_out": {"graph": 1}, "remedy": REMEDY}


def test_the_time_is_that_of_reading_the_answer_once():
    row = {"name": "subject", "path": "folder/1", "notes": ["none"], "series": 3}
    start = time.process_time()
    answer = shortened({"members": [row] * 20_000, "groups": [row] * 20_000}, MOST, REMEDY)
    assert time.process_time() - start < 5
    assert answer["members"]


def test_a_lone_kind_of_series_is_listed_at_every_limit():
    whole = brief_for_agents(cohort(1))
    short = [shortened(whole, most, REMEDY) for most in range(1_000, MOST, 7)]
    assert all(answer["groups"][0]["tools"] for answer in short)
