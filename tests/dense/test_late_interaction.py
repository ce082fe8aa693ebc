from __future__ import annotations

import numpy as np
import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.dense.tokens import LateInteraction, TokenFile, token_file, token_folder
from tests.damage import WAYS
from tests.fakes import HashingEncoder, ids, make_candidate, make_state

TEXTS = {"a": "segment the lungs", "b": "brain", "c": "heart rate of lungs and airways"}


def max_sim(query, rows):
    """Mean over the query's rows of the best inner product (Khattab and Zaharia, 2020)."""
    return float(np.mean([max(float(q @ r) for r in rows) for q in query]))


@pytest.fixture
def tokens(tmp_path):
    return token_file(tmp_path, HashingEncoder(), TEXTS)


@pytest.mark.parametrize("query", ["lungs", "segment lungs quickly", "brain heart"])
def test_scores_equal_a_plain_max_sim_within_the_error_of_eight_bits(tokens, query):
    encoder = HashingEncoder()
    rows = encoder.encode_tokens([query])[0]
    expected = [max_sim(rows, encoder.encode_tokens([TEXTS[i]])[0]) for i in "cab"]
    assert tokens.scores(rows, ["c", "a", "b"]) == pytest.approx(expected, abs=0.02)


def test_an_id_that_is_not_held_scores_nothing_and_harms_no_other(tokens):
    rows = HashingEncoder().encode_tokens(["lungs"])[0]
    assert tokens.scores(rows, ["zz", "a"]) == [0.0, pytest.approx(tokens.scores(rows, ["a"])[0])]
    assert tokens.scores(rows, ["zz"]) == [0.0]
    assert tokens.scores(rows, []) == []


def test_token_vectors_are_made_once(tmp_path):
    encoder = HashingEncoder()
    first = token_file(tmp_path, encoder, TEXTS)

    class Never(HashingEncoder):
        def encode_tokens(self, texts):
            raise AssertionError("made again")

    again = token_file(tmp_path, Never(), TEXTS)
    rows = encoder.encode_tokens(["lungs"])[0]
    assert again.scores(rows, list(TEXTS)) == first.scores(rows, list(TEXTS))


def test_another_text_or_model_has_token_vectors_of_its_own(tmp_path):
    token_file(tmp_path, HashingEncoder(), TEXTS)
    token_file(tmp_path, HashingEncoder(id="other"), TEXTS)
    token_file(tmp_path, HashingEncoder(), {**TEXTS, "b": "changed"})
    assert len([p for p in tmp_path.iterdir() if p.is_dir()]) == 3


FILES = ["rows.npy", "scales.npy", "starts.npy", "ids.json", "manifest.json"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_cache_is_made_again_and_why_is_said(tmp_path, file, way):
    encoder = HashingEncoder()
    rows = encoder.encode_tokens(["lungs"])[0]
    before = token_file(tmp_path, encoder, TEXTS).scores(rows, list(TEXTS))
    [folder] = tmp_path.glob("[!.]*")
    WAYS[way](folder / file)
    reasons = []
    again = token_file(tmp_path, encoder, TEXTS, reasons.append)
    assert again.scores(rows, list(TEXTS)) == before
    if file != "manifest.json" or way not in {"start", "middle", "end"}:
        state = "missing" if way == "missing" else "damaged"
        assert reasons == [
            f"warming up: the token vectors are made again because {file} is {state}"
        ]
    assert token_folder(tmp_path, encoder, TEXTS).damage() == ""


def test_files_that_do_not_belong_together_are_refused(tmp_path):
    token_file(tmp_path, HashingEncoder(), TEXTS)
    [folder] = tmp_path.glob("[!.]*")
    np.save(folder / "scales.npy", np.ones(2, dtype=np.float32))
    with pytest.raises(ValueError, match="do not belong together"):
        TokenFile(folder)


def test_the_stage_scores_what_is_there_and_finds_nothing(tokens):
    had = [make_candidate("b"), make_candidate("a")]
    stage = LateInteraction(HashingEncoder(), lambda: tokens)
    result = stage.run(make_state("lungs", *had, path="fused/late interaction"))
    assert ids(result) == ["a", "b"]
    assert "fused/late interaction" in result.state.candidates[0].scores


def test_while_token_vectors_are_being_made_the_stage_says_warming_up():
    with pytest.raises(StageUnavailable, match="warming up"):
        LateInteraction(HashingEncoder(), lambda: None).run(make_state("x"))


def test_switched_off_it_says_so(tokens):
    stage = LateInteraction(HashingEncoder(), lambda: tokens)
    with pytest.raises(StageUnavailable, match="switched off"):
        stage.run(make_state("x", off=frozenset({"late interaction"})))
