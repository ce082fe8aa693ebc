"""S1-13 and S1-14: two broader retries that differ."""

from __future__ import annotations

import pytest

from retrieval.core.combine import Pipeline
from retrieval.core.errors import StageUnavailable
from retrieval.core.rounds import Rounds
from retrieval.core.stage import finish, progress
from retrieval.core.types import Selection
from retrieval.query.terms.expand import FewResults
from retrieval.query.terms.index import TermIndex
from tests.fakes import Gives, HashingEncoder, ids, make_candidate, make_state, parts_of

TERMS = [
    "lung lobes",
    "lung nodule",
    "lung",
    "chest lung",
    "airway lung tree",
    "vessel",
    "pulmonary lung",
    "mask",
]


def judge(floor=0.4, min_results=5):
    encoder = HashingEncoder()
    return FewResults(encoder, TermIndex(TERMS, encoder.encode(TERMS)), floor, min_results)


def run(source, top_k=20, **fields):
    rounds = Rounds("retrieval", source, source, judge(), max_rounds=3, top_k=top_k)
    state = make_state("lung qwertz", **fields)
    return finish(progress(Pipeline("plaza", [rounds]), state, root=True))


@pytest.mark.requirement("S1-13")
def test_fewer_than_five_good_results_ask_twice_more():
    source = Gives("dense", "a b c")
    result = run(source)
    assert len(source.asked) == 3
    assert [n for n in parts_of(result) if n.endswith("/dense")] == [
        "retrieval/round 1/dense",
        "retrieval/round 2/query 1/dense",
        "retrieval/round 3/query 1/dense",
    ]


@pytest.mark.requirement("S1-13")
def test_the_count_and_each_query_are_kept():
    source = Gives("dense", "a b c")
    found = parts_of(run(source))
    assert source.asked[0] == "lung qwertz"
    assert found["retrieval/round 2/query 1"].note == source.asked[1]
    assert found["retrieval/round 3/query 1"].note == source.asked[2]


@pytest.mark.requirement("S1-14")
def test_the_second_retry_differs_from_the_first_and_is_broader():
    source = Gives("dense", "a b c")
    run(source)
    first, second, third = source.asked
    assert len({first, second, third}) == 3
    assert "lung" in second.split()
    assert "qwertz" not in second
    assert len(third.split()) > len(second.split())


def test_enough_good_results_ask_nothing_more():
    source = Gives("dense", "a b c d e")
    run(source)
    assert len(source.asked) == 1


@pytest.mark.requirement("W2")
def test_only_candidates_above_the_floor_count():
    source = Gives("dense", "a b c d e f g h", top=0.7)
    run(source)
    assert len(source.asked) > 1


@pytest.mark.requirement("S1-14")
def test_it_stops_early_when_the_first_retry_found_enough():
    class Widens(Gives):
        def run(self, state):
            self.found = "a b" if not self.asked else "c d e f g"
            return super().run(state)

    source = Widens("dense", "")
    result = run(source)
    assert len(source.asked) == 2
    assert sorted(ids(result)) == ["a", "b", "c", "d", "e", "f", "g"]


@pytest.mark.requirement("S1-14")
def test_results_are_merged_without_duplicates_and_cut():
    result = run(Gives("dense", "a b c"))
    assert sorted(ids(result)) == ["a", "b", "c"]
    assert len(ids(run(Gives("dense", "a b c"), top_k=2))) == 2


@pytest.mark.requirement("S1-14")
def test_exclusions_still_hold():
    rounds = Rounds("retrieval", Gives("d", "a b"), Gives("d", "a b"), judge(), max_rounds=3)
    state = make_state("lung", selection=Selection(drop=frozenset({"b"})))
    result = finish(progress(Pipeline("plaza", [rounds]), state, root=True))
    assert all("b" not in ids(node) for node in result.walk())


def test_without_the_terms_the_judge_cannot_run_and_says_why():
    stage = FewResults(HashingEncoder(), None, 0.4)
    with pytest.raises(StageUnavailable, match="still being embedded"):
        stage.run(make_state("x"))
    enough = make_state("x", *[make_candidate(c, 0.9) for c in "abcde"])
    assert stage.run(enough).verdict.enough == "enough"
