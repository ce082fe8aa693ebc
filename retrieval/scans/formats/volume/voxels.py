"""Voxels on disk to a small array, and what its values say: units, labels, a picture.

They are read in order, thinned on the way, never more of them than asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from retrieval.scans.reader.blob import ByteStream, read_fully, skip_to
from retrieval.scans.reader.facts import Affine, Array, Picture
from retrieval.scans.reasons import Reason, Refused

_MOST_BYTES = 24 << 20
Units = Literal["HU", "normalised", "arbitrary"]
_MOST_LABELS = 2000
"""Of a guess; fine atlases have some 1,000 (Schaefer and others 2018)."""

_FEW_LEVELS = 64
"""Different values that an image, too, may be reduced to, so that they prove nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raster:
    """Where the voxels of one volume lie. ``shape`` has the fastest axis first.

    ``backward`` are the axes whose last voxel is stored first.
    """

    open: Callable[[], ByteStream]
    dtype: np.dtype[np.generic]
    shape: tuple[int, int, int]
    offset: int = 0
    scale: tuple[float, float] = (1.0, 0.0)
    rgb: bool = False
    backward: tuple[int, ...] = ()
    most_bytes: int = 128 << 20

    @property
    def bytes(self) -> int:
        """Size of the volume on disk."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    @property
    def steps(self) -> tuple[int, int, int]:
        """Steps along i, j and k that thin the volume to the limit, the longest axis first."""
        steps = [1, 1, 1]
        while self.bytes / (steps[0] * steps[1] * steps[2]) > _MOST_BYTES:
            axis = max(range(3), key=lambda a: self.shape[a] / steps[a])
            steps[axis] += 1
        return steps[0], steps[1], steps[2]


@dataclass(frozen=True, slots=True)
class Sample:
    """Every n-th voxel of a volume (i, j, k), the steps taken, and whether data were missing."""

    values: Array
    steps: tuple[int, int, int]
    complete: bool


def sample(raster: Raster) -> Sample:
    """Every n-th voxel, at most 24 MiB of them; a larger volume is read up to ``most_bytes``.

    Axes are i, j, k, the type is the stored one, unscaled. Raises Refused where a single plane is
    over the limit (TOO_BIG), or not one plane is complete (CUT_SHORT).
    """
    steps = raster.steps
    columns, rows, slices = raster.shape
    plane_bytes = columns * rows * raster.dtype.itemsize
    if plane_bytes > raster.most_bytes or plane_bytes == 0:
        raise Refused(Reason.TOO_BIG)
    readable = min(slices, max(1, raster.most_bytes // plane_bytes))
    planes = []
    with raster.open() as stream:
        skip_to(stream, raster.offset)
        for k in range(readable):
            plane = read_fully(stream, plane_bytes)
            if len(plane) < plane_bytes:
                break
            if k % steps[2] == 0:
                grid = np.frombuffer(plane, raster.dtype).reshape(rows, columns)
                planes.append(np.ascontiguousarray(grid[:: steps[1], :: steps[0]].T))
    if not planes:
        raise Refused(Reason.CUT_SHORT)
    complete = len(planes) == -(-slices // steps[2])
    return Sample(np.flip(np.stack(planes, axis=2), raster.backward), steps, complete)


def scaled(values: Array, scale: tuple[float, float]) -> Array:
    """Stored values with slope and intercept applied.

    float32; the array itself for the identity, and for slope 0, which NIfTI-1 (scl_slope) ignores.
    """
    slope, intercept = scale
    if (slope, intercept) == (1.0, 0.0) or slope == 0.0:
        return values
    return np.asarray(values.astype(np.float32) * np.float32(slope) + np.float32(intercept))


def _finite(values: Array) -> Array:
    return values[np.isfinite(values)] if values.dtype.kind in "iuf" else values[:0]


def hounsfield(values: Array) -> bool:
    """Whether values of any shape look like Hounsfield units.

    A minimum in [-3200, -500], a maximum of 150 or more, over 2 % below -500: air around the body
    is -1000, padding outside the field of view as low as -3024, and bone is above 150. Values that
    are not finite do not count.
    """
    finite = _finite(values)
    if not finite.size:
        return False
    low, high = float(finite.min()), float(finite.max())
    return -3200 <= low <= -500 and high >= 150 and float(np.less(finite, -500).mean()) > 0.02


def units_of(values: Array, is_ct: bool) -> Units | None:
    """What the range of values says; HU only where CT is known and air is reached.

    Air is -1000 HU, lung about -850, fat -100: a minimum of -200 or less proves the unit even for
    a cropped CT. Floats within [-1, 1] are normalised. None for no finite value at all.
    """
    finite = _finite(values)
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

    A fifth or more background, and along the first axis over 70 % of the marked voxels equal to
    the next one, which noise in an image of few levels prevents.
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


def contradicts_labels(values: Array) -> bool:
    """Whether values are those of an image, whatever the name of their file suggests.

    Over 64 different ones, and along the first axis under half of the voxels that are not
    background equal to the next one. Where these are under a tenth of all, as marked points or
    lines are, nothing is proved.
    """
    if values.dtype.kind not in "iuf":
        return False
    thin = values.ravel()[:: max(1, values.size // 200_000)]
    levels, counts = np.unique(thin, return_counts=True)
    ahead, behind = values[1:], values[:-1]
    marked = np.not_equal(behind, levels[counts.argmax()])
    if len(levels) <= _FEW_LEVELS or marked.sum() < 0.1 * values.size:
        return False
    return bool((ahead == behind)[marked].mean() < 0.5)


class Voxels:
    """A thinned sample of a volume, read once, and what can be said of it.

    Without a raster, or where it cannot be read, there is none. ``affine``: 4 x 4 to RAS+ mm.
    """

    def __init__(self, raster: Raster | None, affine: Affine | None) -> None:
        self._raster, self._affine = raster, affine
        self._sample: Sample | None = None
        self._why = Reason.NO_DECODER
        try:
            self._sample = None if raster is None else sample(raster)
        except Refused as refusal:
            self._why = refusal.reason

    @property
    def values(self) -> Array | None:
        """Scaled sample values; None for colours and where nothing could be read.

        Axes i, j, k, thinned; float32 where the header scales, else the stored type.
        """
        if self._raster is None or self._raster.rgb or self._sample is None:
            return None
        return scaled(self._sample.values, self._raster.scale)

    @property
    def cut_short(self) -> bool:
        """Whether voxels that would have been read were not there.

        A volume beyond ``most_bytes`` is never read to its end, so that proves nothing.
        """
        if self._raster is None or self._sample is None:
            return self._why == Reason.CUT_SHORT
        return not self._sample.complete and self._raster.bytes <= self._raster.most_bytes

    def picture(self) -> Picture:
        """The thinned volume (axes i, j, k, scaled) with an affine that fits the thinning."""
        raster, thinned = self._raster, self._sample
        if raster is None or thinned is None:
            raise Refused(self._why)
        values = thinned.values if raster.rgb else scaled(thinned.values, raster.scale)
        if self._affine is None:
            return Picture(pixels=values, rgb=raster.rgb)
        affine = self._affine @ np.diag([*map(float, thinned.steps), 1.0])
        spacing = tuple(float(length) for length in np.linalg.norm(affine[:3, :3], axis=0))
        return Picture(pixels=values, affine=affine, spacing=spacing, rgb=raster.rgb)
