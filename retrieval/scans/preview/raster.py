"""Voxels on disk to a small array: read in order, thinned on the way, never more than asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from retrieval.scans.reader.blob import ByteStream, read_fully, skip_to
from retrieval.scans.reader.facts import Array
from retrieval.scans.reasons import Reason, Refused

_MOST_BYTES = 24 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Raster:
    """Where the voxels of one volume lie. ``shape`` has the fastest axis first."""

    open: Callable[[], ByteStream]
    dtype: np.dtype[np.generic]
    shape: tuple[int, int, int]
    offset: int = 0
    scale: tuple[float, float] = (1.0, 0.0)
    rgb: bool = False
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
    return Sample(np.stack(planes, axis=2), steps, complete)


def scaled(values: Array, scale: tuple[float, float]) -> Array:
    """Stored values with slope and intercept applied.

    float32; the array itself for the identity, and for slope 0, which NIfTI-1 (scl_slope) ignores.
    """
    slope, intercept = scale
    if (slope, intercept) == (1.0, 0.0) or slope == 0.0:
        return values
    return np.asarray(values.astype(np.float32) * np.float32(slope) + np.float32(intercept))
