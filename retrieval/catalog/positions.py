"""Where things stand, known once for every table over the same ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

TABLES = 4
"""Orders of ids that are remembered: those of one catalog, and of the one that follows it."""


@lru_cache(maxsize=TABLES)
def _numbered(ids: tuple[str, ...]) -> dict[str, int]:
    return {one: n for n, one in enumerate(ids)}


def places(ids: Sequence[str]) -> Mapping[str, int]:
    """The place of every id. Tables with the same ids in the same order share what is returned:
    a query asks a dozen of them about the same tools."""
    return _numbered(tuple(ids))


def rows_of(held: Mapping[str, int], ids: Sequence[str]) -> NDArray[np.int64]:
    """The place of each of some ids, -1 for one that is not held."""
    return np.array([held.get(one, -1) for one in ids], dtype=np.int64)


def values_of(
    every: NDArray[np.float32], held: Mapping[str, int], ids: Sequence[str]
) -> NDArray[np.float64]:
    """What a table over all ids gives some of them, 0 for one that is not held."""
    return np.append(every, np.float32(0.0))[rows_of(held, ids)].astype(np.float64)
