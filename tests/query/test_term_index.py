"""Terms near a text are the same with a screen and without one."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.dense.screen import Screen
from retrieval.query.terms.index import TermIndex

COUNT, DIM = 3_001, 64


def unit_rows(count, seed):
    rows = np.random.default_rng(seed).standard_normal((count, DIM)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def pair():
    """The same terms, in families of five around one direction, with a screen and without."""
    rows = np.repeat(unit_rows(COUNT // 5 + 1, 0), 5, axis=0)[:COUNT] + 0.6 * unit_rows(COUNT, 1)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    terms = [f"term {n}" for n in range(COUNT)]
    return TermIndex(terms, rows, Screen(rows).nearest), TermIndex(terms, rows)


@pytest.mark.parametrize("row", [0, 7, 1_500, COUNT - 1])
@pytest.mark.parametrize("threshold", [-1.0, 0.2, 0.75])
def test_a_screen_changes_no_near_term(pair, row, threshold):
    screened, every = pair
    vector = every.vectors[row]
    near = screened.near(vector, threshold, 40)
    assert [t.term for t in near] == [t.term for t in every.near(vector, threshold, 40)]
    assert [t.similarity for t in near] == pytest.approx(
        [t.similarity for t in every.near(vector, threshold, 40)], abs=1e-6
    )


@pytest.mark.parametrize("count", [1, 5, 400])
def test_the_highest_cosines_are_among_those_of_the_screen(pair, count):
    screened, every = pair
    vector = every.vectors[33]
    highest = np.sort(screened.highest(vector, count))[-count:]
    assert np.allclose(highest, np.sort(every.cosines(vector))[-count:], atol=1e-6)


def test_near_terms_are_found_without_the_product_with_all_terms(pair):
    screened, every = pair
    alone = TermIndex(screened.terms, screened.vectors, screened.screen)
    vector = every.vectors[8]
    assert len(alone.highest(vector, 5)) < COUNT / 4
    assert alone.near(vector, 0.75, 40)
    assert alone._cosines.cache_info().currsize == 0


def test_where_the_bound_proves_nothing_all_terms_are_multiplied(pair):
    _, every = pair
    vector = every.vectors[8]
    vague = TermIndex(every.terms, every.vectors, lambda vector: (np.arange(128), 1.0))
    assert np.array_equal(vague.highest(vector, 5), every.cosines(vector))
    assert vague.near(vector, 0.75, 40) == every.near(vector, 0.75, 40)
