"""The position of each id in a table, shared by all tables over the same ids.

What a selection admits is an array over these positions: it is worked out once per selection, and
every stage of a query reads the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Selection

Mask = NDArray[np.bool_]

FEW = 50
"""Of so many ids one kept: each is looked up, which takes less time than asking every id."""

Rows = NDArray[np.int64]


class _Positions(dict[str, int]):
    """Positions by id, with the ids that were looked up last and their rows."""

    last: tuple[tuple[str, ...], Rows] = ((), np.empty(0, dtype=np.int64))


# Two catalogs, that of the moment and the one that replaces it, each in up to three orders.
_cached = lru_cache(maxsize=6)(lambda ids: _Positions((id_, n) for n, id_ in enumerate(ids)))


def places(ids: Sequence[str]) -> Mapping[str, int]:
    """The position of every id. The same ids in the same order give the same mapping.

    A query looks up the same tools in a dozen tables, so the mapping is built once.
    """
    positions: Mapping[str, int] = _cached(tuple(ids))
    return positions


def rows_of(positions: Mapping[str, int], ids: Sequence[str]) -> Rows:
    """The position of each of some ids, shape (ids,), -1 for an unknown one; not to be written to.

    A dozen signals ask for the same list one after the other: comparing it with the last one
    takes a fiftieth of the time of looking up each id.
    """
    key = tuple(ids)
    if isinstance(positions, _Positions) and positions.last[0] == key:
        return positions.last[1]
    rows = np.array([positions.get(id_, -1) for id_ in key], dtype=np.int64)
    rows.flags.writeable = False
    if isinstance(positions, _Positions):
        positions.last = (key, rows)
    return rows


def values_of(
    values: NDArray[np.floating], positions: Mapping[str, int], ids: Sequence[str]
) -> NDArray[np.float64]:
    """The values of some ids out of one value per position; shape (ids,), 0 for an unknown id."""
    rows = rows_of(positions, ids)
    of_ids, has_place = np.zeros(len(rows)), rows >= 0
    of_ids[has_place] = values[rows[has_place]]
    return of_ids


def lower_bound(values: NDArray[np.floating], k: int) -> float:
    """A value that at least ``k`` of the (n,) values reach: the k-th largest block maximum.

    Cheaper than a partition of all values; minus infinity for fewer than 8 k values.
    """
    blocks = 4 * max(1, k)
    if k <= 0 or len(values) < 2 * blocks:
        return -np.inf
    size = len(values) // blocks
    best = values[: blocks * size].reshape(blocks, size).max(axis=1)
    return float(np.partition(best, -k)[-k])


_Masks = list[tuple[Mapping[str, int], Mask]]
_masks: dict[int, tuple[ref[frozenset[str]], _Masks]] = {}
"""By the set of ids that a selection keeps, and for as long as somebody holds it: its masks.

The key is the address of the set: to look a set up by its value compares all of its ids, a
millisecond for 30,000, and a query does so 30 times.
"""


def _masks_of(keep: frozenset[str]) -> _Masks:
    of, masks = _masks.get(id(keep), (None, []))
    return masks if of is not None and of() is keep else []


def remember(keep: frozenset[str], positions: Mapping[str, int], mask: Mask) -> None:
    """Note which positions these ids have, so that `admitted` has nothing to look up."""
    mask.flags.writeable = False
    # The empty set is one object for ever: what it maps to would never go.
    if keep:
        place = id(keep)
        others = [one for one in _masks_of(keep) if one[0] is not positions]
        of = ref(keep, lambda _: _masks.pop(place, None))
        _masks[place] = (of, [*others, (positions, mask)])


def admitted(positions: Mapping[str, int], selection: Selection) -> Mask:
    """Whether a selection admits each position, shape (positions,); not to be written to.

    Ids without a position are ignored. ``positions`` is what `places` returns.
    """
    keep, drop = selection.keep, selection.drop
    mask = np.ones(len(positions), dtype=bool) if keep is None else _cached_mask(positions, keep)
    barred = [positions[id_] for id_ in drop if id_ in positions]
    if barred:
        mask = mask.copy()
        mask[barred] = False
    return mask


def _cached_mask(positions: Mapping[str, int], keep: frozenset[str]) -> Mask:
    for mapping, mask in _masks_of(keep):
        if mapping is positions:
            return mask
    if len(keep) * FEW <= len(positions):
        mask = np.zeros(len(positions), dtype=bool)
        mask[[positions[id_] for id_ in keep if id_ in positions]] = True
        return mask
    # In the order of the positions: going by the set's own order meets memory at random.
    mask = np.fromiter(map(keep.__contains__, positions), dtype=bool, count=len(positions))
    remember(keep, positions, mask)
    return mask
