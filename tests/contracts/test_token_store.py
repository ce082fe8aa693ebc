"""One suite for every TokenStore; the plain backend computes MaxSim anew each time."""

from __future__ import annotations

import pytest

from retrieval.dense.tokens import token_file
from tests.fakes import SMALL, AllTokens, HashingEncoder

ENCODER = HashingEncoder()
TEXTS = {t.id: t.description for t in SMALL}


@pytest.fixture(params=["plain", "file"])
def store(request, tmp_path):
    return AllTokens(ENCODER) if request.param == "plain" else token_file(tmp_path, ENCODER, TEXTS)


@pytest.mark.parametrize(
    "text", ["segment the lungs", "cells", "zebra", "finds lung nodules on chest ct"]
)
def test_values_are_those_of_the_plain_backend_within_eight_bits(store, text):
    rows = ENCODER.encode_tokens([text])[0]
    plain = AllTokens(ENCODER).scores(rows, list(TEXTS))
    assert store.scores(rows, list(TEXTS)) == pytest.approx(plain, abs=0.01)


def test_a_text_that_holds_every_word_scores_one(store):
    rows = ENCODER.encode_tokens([TEXTS["lungmask"]])[0]
    assert store.scores(rows, ["lungmask"])[0] == pytest.approx(1.0, abs=0.01)


def test_scores_follow_the_order_of_the_ids(store):
    rows = ENCODER.encode_tokens(["lung nodules"])[0]
    forward, backward = store.scores(rows, [*TEXTS]), store.scores(rows, [*TEXTS][::-1])
    assert forward == pytest.approx(backward[::-1], abs=1e-6)


def test_no_id_gives_no_score(store):
    assert store.scores(ENCODER.encode_tokens(["x"])[0], []) == []


def test_texts_asked_in_turns_and_for_other_ids_score_as_they_do_alone(store, tmp_path):
    texts = [f"{word} of the lungs" for word in ("segment", "find", "count", "track")] * 2
    asked = {text: ENCODER.encode_tokens([text])[0] for text in texts}
    for n, text in enumerate(texts):
        some = list(TEXTS)[n % 3 :]
        alone = token_file(tmp_path / "alone", ENCODER, TEXTS).scores(asked[text].copy(), some)
        assert store.scores(asked[text], some) == pytest.approx(alone, abs=0.02)
