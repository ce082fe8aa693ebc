"""One suite for every Encoder (S0-03, S1-28)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fakes import HashingEncoder

TEXTS = [
    "segment lungs",
    "register two brain MRI volumes to an atlas",
    "分割肺部CT",
    "",
    "x " * 400,
]


@pytest.fixture(
    params=[
        "hashing",
        pytest.param("sentence_encoder", marks=pytest.mark.model),
        pytest.param("onnx_encoder", marks=pytest.mark.model),
    ]
)
def encoder(request):
    if request.param == "hashing":
        return HashingEncoder()
    return request.getfixturevalue(request.param)


@pytest.mark.model
def test_values_are_those_of_sentence_transformers(sentence_encoder, onnx_encoder):
    assert (onnx_encoder.id, onnx_encoder.dim) == (sentence_encoder.id, sentence_encoder.dim)
    assert np.abs(onnx_encoder.encode(TEXTS) - sentence_encoder.encode(TEXTS)).max() < 1e-4
    pairs = zip(
        onnx_encoder.encode_tokens(TEXTS), sentence_encoder.encode_tokens(TEXTS), strict=True
    )
    for one, other in pairs:
        assert one.shape == other.shape
        assert np.abs(one - other).max() < 1e-3


def test_rows_have_the_width_that_is_told_and_norm_one(encoder):
    rows = encoder.encode(TEXTS)
    assert rows.shape == (len(TEXTS), encoder.dim)
    assert rows.dtype == np.float32
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-5


@pytest.mark.requirement("S1-28")
def test_a_batch_gives_what_single_texts_give(encoder):
    alone = np.concatenate([encoder.encode([t]) for t in TEXTS])
    for batch_size in (1, 2, 32):
        assert np.abs(encoder.encode(TEXTS, batch_size=batch_size) - alone).max() < 1e-5


def test_the_same_text_gives_the_same_row_every_time(encoder):
    assert encoder.encode(["lungs"]).tolist() == encoder.encode(["lungs"]).tolist()


def test_no_text_gives_no_row(encoder):
    assert encoder.encode([]).shape == (0, encoder.dim)
    assert encoder.encode_tokens([]) == []


def test_token_rows_are_normalised_and_there_is_one_matrix_a_text(encoder):
    matrices = encoder.encode_tokens(TEXTS)
    assert len(matrices) == len(TEXTS)
    for rows in matrices:
        assert rows.shape[0] >= 1
        assert rows.shape[1] == encoder.dim
        assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-4


def test_token_rows_of_a_batch_are_those_of_single_texts(encoder):
    alone = [encoder.encode_tokens([t])[0] for t in TEXTS]
    for one, batched in zip(alone, encoder.encode_tokens(TEXTS), strict=True):
        assert one.shape == batched.shape
        assert np.abs(one - batched).max() < 1e-4


def test_a_text_is_nearest_to_itself(encoder):
    rows = encoder.encode(TEXTS[:3])
    assert (rows @ rows.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_the_encoder_has_a_name_that_an_index_can_remember(encoder):
    assert isinstance(encoder.id, str)
    assert encoder.id
