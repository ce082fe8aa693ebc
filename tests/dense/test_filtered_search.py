"""A filter that admits many rows: FAISS passes over the others, and the hits are the plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.core import Selection
from retrieval.dense import NumpyStore
from retrieval.dense.stores import FaissStore

IDS = [f"t{n:03}" for n in range(600)]


def rows(steps: int) -> np.ndarray:
    """Whole numbers, whose sums are exact in any order; a few steps give many equal products."""
    return np.random.default_rng(steps).integers(-steps, steps + 1, (600, 8)).astype(np.float32)


@pytest.mark.parametrize("steps", [1, 2, 1000])
@pytest.mark.parametrize("share", [2, 3, 7])
@pytest.mark.parametrize("k", [1, 50, 590])
def test_a_wide_filter_gives_the_hits_of_the_plain_store(steps, share, k):
    vectors, chosen = rows(steps), Selection(keep=frozenset(IDS[::share]), drop=frozenset(IDS[:9]))
    stores = FaissStore(IDS, vectors), NumpyStore(IDS, vectors)
    for vector in vectors[:20]:
        hits, plain = (store.search(vector, k, chosen) for store in stores)
        assert hits == plain
