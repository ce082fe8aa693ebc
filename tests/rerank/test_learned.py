"""The learned ranker: a weighted sum whose shares tell where a score comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.rerank.learned import IncomingScore, LearnedRank, StageScore, read_weights
from retrieval.wiring.ranking import WEIGHTS
from tests.fakes import ids, make_candidate, make_state


@dataclass
class Fixed:
    name: str
    numbers: tuple[float, ...]

    def values(self, state):
        return np.array(self.numbers)


def listed(*names):
    return [make_candidate(n, 1.0 - k / 10) for k, n in enumerate(names)]


def test_the_order_is_by_the_weighted_sum_of_stretched_signals():
    stage = LearnedRank(
        [Fixed("one", (0.0, 5.0, 10.0)), Fixed("two", (3.0, 1.0, 2.0))], {"one": 0.7, "two": 0.3}
    )
    result = stage.run(make_state("x", *listed("a", "b", "c"), path="rank"))
    assert [(c.tool.id, c.score) for c in result.state.candidates] == [
        ("c", pytest.approx(0.7 + 0.15)),
        ("b", pytest.approx(0.35)),
        ("a", pytest.approx(0.3)),
    ]


def test_the_shares_of_every_candidate_add_up_to_its_score():
    stage = LearnedRank(
        [IncomingScore(), Fixed("one", (0.1, 0.7, 0.3)), Fixed("two", (4.0, 1.0, 2.0))],
        {"before": 0.2, "one": 0.5, "two": 0.3},
    )
    for c in stage.run(make_state("x", *listed("a", "b", "c"), path="rank")).state.candidates:
        shares = [w.value for w in c.why if w.kind == "share" and w.stage == "rank"]
        assert sum(shares) == pytest.approx(c.score, abs=1e-5)


def test_a_signal_that_is_equal_everywhere_tells_nothing():
    stage = LearnedRank([Fixed("flat", (2.0, 2.0)), IncomingScore()], {"flat": 0.9, "before": 0.1})
    result = stage.run(make_state("x", *listed("a", "b"), path="rank"))
    assert [c.score for c in result.state.candidates] == [0.1, 0.0]


def test_equal_scores_stand_in_the_order_of_their_ids():
    stage = LearnedRank([Fixed("flat", (1.0, 1.0, 1.0))], {"flat": 1.0})
    result = stage.run(make_state("x", *listed("c", "a", "b"), path="rank"))
    assert ids(result) == ["a", "b", "c"]


def test_an_earlier_score_is_read_from_the_latest_stage_of_the_name():
    once = make_candidate("a").scored("fused/dense", 0.4)
    twice = make_candidate("b").scored("fused/dense", 0.3).scored("graph/dense", 0.5)
    state = make_state("x", once, twice, make_candidate("c").scored("condense", 0.9))
    assert StageScore("dense").values(state).tolist() == [0.4, 0.5, 0.0]


def test_without_the_scores_it_learned_from_the_order_stays_and_the_reason_is_told():
    stage = LearnedRank([StageScore("dense")], {"dense": 1.0})
    with pytest.raises(StageUnavailable, match="dense scored nothing"):
        stage.run(make_state("x", *listed("a", "b")))


def test_it_can_be_switched_off():
    with pytest.raises(StageUnavailable, match="switched off"):
        LearnedRank([IncomingScore()], {"before": 1.0}).run(
            make_state("x", *listed("a"), off=frozenset(["rank"]))
        )


def test_the_shipped_weights_are_shares_of_a_whole_and_small():
    weights = read_weights(WEIGHTS)
    assert sum(weights.values()) == pytest.approx(1.0, abs=1e-5)
    assert all(value >= 0 for value in weights.values())
    assert WEIGHTS.stat().st_size < 30_000_000


def test_weights_that_are_not_there_are_a_skip_with_the_name_of_the_file(tmp_path):
    with pytest.raises(StageUnavailable, match="absent"):
        read_weights(tmp_path / "absent.safetensors")
    (tmp_path / "broken.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(StageUnavailable, match="broken"):
        read_weights(tmp_path / "broken.safetensors")
