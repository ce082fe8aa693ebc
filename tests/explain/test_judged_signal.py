"""Requests that people judged speak for the records that serve them, in the order of a list."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.core import StageUnavailable
from retrieval.explain import JudgedSignal
from retrieval.rerank import LearnedRank
from tests.explain.test_known_requests import known
from tests.fakes import make_candidate, make_state


def signal(requests):
    return JudgedSignal(requests, lambda state: state.query.text)


def values(text, *tools, requests=None):
    state = make_state(text, *(make_candidate(tool, 0.5) for tool in tools))
    return signal(requests or known()).values(state)


def test_a_record_has_the_cosine_of_the_nearest_request_that_it_serves():
    found = values("segment the kidney", "cells", "kidneys", "viewer")
    assert found.dtype == np.float64
    assert found[1] == pytest.approx(1.0, abs=1e-5) == found.max()
    best, last = known().served_like("segment the kidney")
    assert found.tolist() == [best["cells"], best["kidneys"], best["viewer"]]
    assert last == min(best.values())


def test_a_record_without_a_near_request_has_the_cosine_of_the_last_one():
    best, last = known().served_like("count cells")
    assert "fresh" not in best
    assert values("count cells", "fresh", "cells").tolist() == [last, best["cells"]]


def test_where_no_request_is_of_a_loaded_record_none_is_told_from_another():
    assert known(loaded=("fresh",)).served_like("count cells") == ({}, 0.0)
    assert values("count cells", "a", "b", requests=known(loaded=("fresh",))).tolist() == [0, 0]
    state = make_state("count cells", make_candidate("a", 0.5))
    assert signal(None).values(state).tolist() == [0]


def test_it_moves_a_record_up_and_says_by_how_much():
    candidates = [make_candidate(tool, 0.5) for tool in ("viewer", "cells")]
    stage = LearnedRank([signal(known())], {"judged requests": 1.0})
    first, last = stage.run(make_state("count cells", *candidates)).state.candidates
    assert (first.tool.id, first.score, last.score) == ("cells", 1.0, 0.0)
    assert [(why.text, why.value) for why in first.why] == [("judged requests", 1.0)]


def test_the_text_that_was_compared_is_recorded():
    state = make_state("count cells", make_candidate("cells", 0.5))
    signal(known()).values(state)
    assert [(reader, text) for _, reader, text in state.calls] == [
        ("sentence encoder", "count cells")
    ]


def test_it_waits_for_the_encoder():
    class Absent:
        def encode(self, texts):
            raise StageUnavailable("warming up")

    requests = known()
    requests._encoder = Absent()
    with pytest.raises(StageUnavailable, match="warming up"):
        values("count cells", "cells", requests=requests)
