"""Facts of a volume out of its voxels: Hounsfield range, value range, labels, orientation."""

from __future__ import annotations

from typing import Literal

import numpy as np

from retrieval.scans.reader.facts import Array

Units = Literal["HU", "normalised", "arbitrary"]
_MOST_LABELS = 256


def hounsfield(values: Array) -> bool:
    """Whether values of any shape look like Hounsfield units.

    A minimum in [-3200, -500], a maximum of 150 or more, over 2 % below -500: air around the body
    is -1000, padding outside the field of view as low as -3024, and bone is above 150. Values that
    are not finite do not count.
    """
    if values.dtype.kind not in "if" or values.size == 0:
        return False
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    if not finite.size:
        return False
    low, high = float(finite.min()), float(finite.max())
    return -3200 <= low <= -500 and high >= 150 and float(np.less(finite, -500).mean()) > 0.02


def units_of(values: Array, is_ct: bool) -> Units | None:
    """What the range of values says; HU only where CT is known and air is reached.

    Air is -1000 HU, lung about -850, fat -100: a minimum of -200 or less proves the unit even for
    a cropped CT. Floats within [-1, 1] are normalised. None for no finite value at all.
    """
    if values.dtype.kind not in "iuf" or values.size == 0:
        return None
    finite = values[np.isfinite(values)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    if is_ct and low <= -200:
        return "HU"
    if values.dtype.kind == "f" and low >= -1.0 and high <= 1.0 and high > low:
        return "normalised"
    return "arbitrary"


def looks_like_labels(values: Array) -> bool:
    """Whether values look like labels: few whole numbers from 0 on, in patches.

    At most 256 different ones, a fifth or more background, and along the first axis over 70 % of
    the marked voxels equal to the next one, which noise in an image of few levels prevents.
    """
    if values.dtype.kind not in "iuf" or values.size < 64:
        return False
    thin = values.ravel()[:: max(1, values.size // 200_000)]
    if not np.isfinite(thin).all() or thin.min() < 0 or (thin != np.floor(thin)).any():
        return False
    levels, counts = np.unique(thin, return_counts=True)
    if not 2 <= len(levels) <= _MOST_LABELS or levels[0] != 0 or counts[0] < thin.size * 0.2:
        return False
    ahead, behind = values[1:], values[:-1]
    marked = np.greater(behind, 0)
    return bool(marked.any() and (ahead == behind)[marked].mean() > 0.7)
