"""Which weights a catalog is ranked by: learned ones where its records tell how people ask."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.core import Candidate
from retrieval.rerank.learned import IncomingScore, LearnedRank, StageScore, read_weights
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.ranking import ASKED_WEIGHTS, WEIGHTS, learned_rank, ranking_of
from tests.fakes import make_state, make_tool, small_parts


def stage(asked):
    tools = [
        replace(make_tool(f"tool{n}"), asked_as=("how people ask",) if n < asked else ())
        for n in range(4)
    ]
    return learned_rank(small_parts(ranking=ranking_of(tools, lexicon().annotator)))


@pytest.mark.parametrize(("asked", "path"), [(4, ASKED_WEIGHTS), (2, ASKED_WEIGHTS), (1, WEIGHTS)])
def test_half_of_the_records_have_to_tell_how_people_ask(asked, path):
    assert stage(asked).weights == read_weights(path)


def test_a_signal_without_a_weight_is_not_computed():
    names = {signal.name for signal in stage(4).all_signals}
    assert names == set(read_weights(ASKED_WEIGHTS))
    assert "judged requests" in names
    assert {"core meaning", "pieces"} <= {s.name for s in stage(0).all_signals} - names


def test_the_learned_weights_are_shares_of_a_whole():
    weights = read_weights(ASKED_WEIGHTS)
    assert sum(weights.values()) == pytest.approx(1.0, abs=1e-5)
    assert min(weights.values()) > 0


def test_what_comes_later_sees_the_others_by_their_weights():
    seen = []

    class Later:
        name = "later"

        def values(self, state):
            seen.extend(c.score for c in state.candidates)
            return np.array([0.0, 1.0])

    candidates = [
        Candidate(tool=make_tool("a"), score=1.0, scores={"dense": 0.0}),
        Candidate(tool=make_tool("b"), score=0.0, scores={"dense": 1.0}),
    ]
    first = (IncomingScore(), StageScore("dense"))
    LearnedRank(first, {"before": 3.0, "dense": 1.0}, later=[Later()]).units(
        make_state("x", *candidates)
    )
    assert seen == [0.75, 0.25]
