"""The position of each id in a table, shared by all tables over the same ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

# Two catalogs, that of the moment and the one that replaces it, each in up to two orders.
_cached = lru_cache(maxsize=4)(lambda ids: {id_: n for n, id_ in enumerate(ids)})


def places(ids: Sequence[str]) -> Mapping[str, int]:
    """The position of every id. The same ids in the same order give the same mapping.

    A query looks up the same tools in a dozen tables, so the mapping is built once.
    """
    positions: Mapping[str, int] = _cached(tuple(ids))
    return positions


def rows_of(positions: Mapping[str, int], ids: Sequence[str]) -> NDArray[np.int64]:
    """The position of each of some ids, shape (ids,), -1 for an unknown one."""
    return np.array([positions.get(id_, -1) for id_ in ids], dtype=np.int64)


def values_of(
    values: NDArray[np.float32], positions: Mapping[str, int], ids: Sequence[str]
) -> NDArray[np.float64]:
    """The values of some ids out of one value per position; shape (ids,), 0 for an unknown id."""
    return np.append(values, np.float32(0.0))[rows_of(positions, ids)].astype(np.float64)
