"""Requests that differ by a synonym give lists that agree."""

import json

import pytest

from benchmarks.synonyms import SETS, agreed, agreements

FLOORS = {"synonyms_tuning": 32, "synonyms_kept": 30}
"""Pairs of each half whose lists have four of the first five tools in common."""


@pytest.mark.model
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_lists_of_synonyms_agree_for_nearly_every_pair(engine, path):
    pairs = agreements(engine, path)
    assert len(pairs) == 35
    assert agreed(pairs) >= FLOORS[path.stem]


def test_no_pair_stands_in_both_halves_and_none_is_two_times_the_same():
    halves = [
        {tuple(json.loads(line)["queries"]) for line in path.read_text("utf-8").splitlines()}
        for path in SETS
    ]
    assert halves[0].isdisjoint(halves[1])
    assert all(one != other for half in halves for one, other in half)
