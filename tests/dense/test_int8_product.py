"""Inner products by integers are those of floats, also at the ends of what 8 bits hold."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.dense.int8_product import GRAPH, SIGN, products, write_graph


def unsigned(rows):
    return (rows.astype(np.int8).view(np.uint8)) ^ SIGN


@pytest.mark.parametrize("count", [1, 2, 31])
def test_products_are_those_of_floats_within_a_twenty_thousandth(count):
    random = np.random.default_rng(7)
    rows = random.integers(-127, 128, (500, 384))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    query = random.standard_normal((count, 384)).astype(np.float32)
    query /= np.linalg.norm(query, axis=1, keepdims=True)
    cosines = products(unsigned(rows), query) / lengths
    assert cosines.shape == (500, count)
    assert np.abs(cosines - (rows / lengths) @ query.T).max() < 5e-5


@pytest.mark.parametrize("stored", [-128, -127, 0, 127])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_extreme_values_do_not_overflow(stored, sign):
    query = np.full((1, 384), sign, dtype=np.float32)
    [[value]] = products(unsigned(np.full((1, 384), stored)), query)
    assert value == pytest.approx(384 * stored * sign, rel=1e-5)


def test_a_query_of_zeros_gives_zeros_and_no_rows_give_none():
    assert (
        products(unsigned(np.ones((3, 8))), np.zeros((2, 8), dtype=np.float32)).tolist()
        == [[0.0, 0.0]] * 3
    )
    assert products(np.empty((0, 8), dtype=np.uint8), np.ones((2, 8), np.float32)).shape == (0, 2)


def test_the_shipped_graph_is_what_the_command_writes(tmp_path):
    write_graph(tmp_path / "int8.onnx")
    assert (tmp_path / "int8.onnx").read_bytes() == GRAPH.read_bytes()
