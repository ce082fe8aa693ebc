"""A screen leaves out no row that could be among the nearest."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.dense.screen import MANY, NEAREST, Screen


def unit_rows(count, dim, seed):
    rows = np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_no_row_that_is_left_out_has_a_product_above_the_bound(seed):
    rows = unit_rows(5_000, 64, seed)
    vector = rows[seed] + 0.3 * unit_rows(1, 64, seed + 100)[0]
    remaining, bound = Screen(rows).nearest(vector)
    products = rows @ vector
    assert len(remaining) == NEAREST
    assert list(remaining) == sorted(set(remaining.tolist()))
    assert np.delete(products, remaining).max() <= bound
    # The bound is worth something: the nearest row is above it.
    assert products.max() > bound


def test_the_bound_holds_for_rows_of_very_different_lengths_and_none_at_all():
    rows = unit_rows(2_000, 32, 1) * np.geomspace(1e-3, 50, 2_000, dtype=np.float32)[:, None]
    vector = unit_rows(1, 32, 2)[0] * 7
    remaining, bound = Screen(rows).nearest(vector)
    assert np.delete(rows @ vector, remaining).max() <= bound
    assert Screen(np.zeros((1_000, 8), dtype=np.float32)).nearest(vector[:8])[1] >= 0


def test_few_rows_need_no_screen():
    assert Screen.of(unit_rows(MANY - 1, 8, 0)) is None
    assert Screen.of(unit_rows(MANY, 8, 0)) is not None
