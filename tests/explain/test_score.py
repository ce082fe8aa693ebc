"""The score that tools are shown with: one scale, 0 to 1, never rising down a list."""

import pytest
from msgspec.structs import replace

from retrieval import parse_query
from retrieval.core import Fit, Query, StageUnavailable
from retrieval.explain import ScoreScale, ScoreWeights, never_rising
from retrieval.export import to_json
from tests.fakes import make_candidate

WITH = {"bias": -2.0, "cosine": 4.0, "concepts": 1.0, "words": 0.0}
WORDS = {"bias": -1.0, "concepts": 1.0, "words": 2.0}
WEIGHTS = ScoreWeights(encoder="e", with_vectors=WITH, words_only=WORDS)


def scale(cosines, shares=lambda text, ids: [0.5] * len(ids)):
    return ScoreScale(weights=WEIGHTS, cosines=lambda text, ids: cosines, shares=shares)


def listed(*ids):
    return [make_candidate(i, 1.0) for i in ids]


def test_estimates_that_rise_are_averaged_with_those_before():
    assert never_rising([0.9, 0.2, 0.6, 0.5, 0.1]) == (0.9, 0.433333, 0.433333, 0.433333, 0.1)
    assert never_rising([]) == ()


def test_more_evidence_gives_a_higher_score_and_failing_half():
    query, (first, second) = Query(raw="x", text="x"), listed("a", "b")
    high, low = scale([0.9, 0.1]).scores(query, [first, second], {})
    assert 0 < low < high < 1
    failing = replace(second, fit=(Fit(fact="modality", verdict="fail", scan="CT", tool="MRI"),))
    assert scale([0.9, 0.1]).scores(query, [first, failing], {})[1] == pytest.approx(low / 2)


def test_without_vectors_words_alone_give_the_score():
    def absent(text, ids):
        raise StageUnavailable("warming up")

    silent = ScoreScale(weights=WEIGHTS, cosines=absent, shares=lambda text, ids: [1.0, 0.0])
    query, both = Query(raw="x", text="x"), listed("a", "b")
    assert silent.scores(query, both, {}) == scale(None, silent.shares).scores(query, both, {})


def test_a_scan_without_text_is_scored_by_its_facts():
    verdicts = ("pass", "unknown", "fail")
    candidates = [
        replace(c, fit=(Fit(fact="modality", verdict=v, scan="CT", tool=None),))
        for c, v in zip(listed("a", "b", "c"), verdicts, strict=True)
    ]
    assert scale(None).scores(Query(raw="", text=""), candidates, {}) == (1.0, 0.5, 0.0)


@pytest.mark.parametrize("mode", ["hybrid", "biocortex", "plaza", "keyword", "rrf", "agentic"])
@pytest.mark.parametrize("text", ["segment lungs", "Zellen zählen", "view scans, not in Python"])
def test_scores_of_every_mode_lie_between_0_and_1_and_never_rise(engine, mode, text):
    answer = engine.run(parse_query(text), mode)
    candidates = to_json(answer)["candidates"]
    scores = [c["score"] for c in candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= s <= 1 for s in scores)
    assert [c["retrieval_score"] for c in candidates] == scores
    for candidate in candidates:
        shares = [share["value"] for share in candidate["contributions"]]
        assert sum(shares) == pytest.approx(candidate["score"], abs=1e-6)
