"""Where slices lie: order along the normal, spacing, gaps and tilt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Affine

Vector = tuple[float, ...]
_SAME_MM = 0.01
"""Places closer than this are one: positions are rounded decimal strings (PS3.5 6.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Distinct slice places in order; ``order`` sorts the positions given."""

    places: int
    spacing: float | None
    order: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def normal_of(orientation: Sequence[float]) -> Affine:
    """The unit normal of a plane given by its six direction cosines.

    Row then column cosines (PS3.3 C.7.6.2.1.1), LPS; float64 of shape (3,). Parallel ones give nan.
    """
    cross = np.cross(np.array(orientation[:3]), np.array(orientation[3:6]))
    return np.asarray(cross / np.linalg.norm(cross), dtype=np.float64)


def stack(positions: Sequence[Vector], orientation: Sequence[float]) -> Stack:
    """The stack of slices at these positions (LPS mm, three numbers each, at least one position).


    Slices are ordered along the normal; without an orientation, along the axis on which the
    positions differ most. Equal heights keep the order in which they came.
    """
    points = np.array(positions, dtype=np.float64).reshape(-1, 3)
    if len(orientation) == 6:
        along = points @ normal_of(orientation)
    else:
        spread = points.max(axis=0) - points.min(axis=0)
        along = points[:, int(spread.argmax())]
    order = tuple(int(k) for k in np.argsort(along, kind="stable"))
    rounded = {tuple(np.round(point / _SAME_MM).astype(np.int64)) for point in points}
    heights = np.sort(along)
    steps = np.diff(heights[np.concatenate(([True], np.diff(heights) > _SAME_MM))])
    spacing = float(np.median(steps)) if len(steps) else None
    notes = _gap_notes(steps) + _tilt_notes(points[list(order)], orientation)
    return Stack(places=max(len(rounded), 1), spacing=spacing, order=order, notes=notes)


def _gap_notes(steps: Affine) -> tuple[Note, ...]:
    """Whole multiples of the usual step are missing slices, anything else is uneven."""
    if len(steps) < 2:
        return ()
    usual = float(np.median(steps))
    # Scanners round positions, so a step may be off by 2 % or 0.05 mm, whichever is more.
    off = steps[np.abs(steps - usual) > max(0.02 * usual, 0.05)]
    if not len(off):
        return ()
    multiples = off / usual
    integral = np.abs(multiples - np.round(multiples)) < 0.1
    missing = bool(np.all(integral & (np.round(multiples) >= 2)))
    return (Note.MISSING_SLICES,) if missing else (Note.UNEVEN_SPACING,)


def _tilt_notes(points: Affine, orientation: Sequence[float]) -> tuple[Note, ...]:
    """Slices shifted sideways by more than a degree from one to the next."""
    if len(points) < 2 or len(orientation) != 6:
        return ()
    way = points[-1] - points[0]
    length = float(np.linalg.norm(way))
    if length < _SAME_MM:
        return ()
    cosine = abs(float(way @ normal_of(orientation))) / length
    return (Note.GANTRY_TILT,) if 0.5 < cosine < np.cos(np.radians(1.0)) else ()


def lps_affine(
    orientation: Sequence[float], spacing: Sequence[float], between: float, origin: Vector
) -> Affine:
    """RAS+ millimetres of array axes (row, column, slice), 4 x 4, float64.


    PS3.3 C.7.6.2.1.1 (equation C.7.6.2.1-1) with rows before columns, as arrays have them.
    ``spacing`` is PixelSpacing: between rows, then between columns. ``origin`` is LPS.
    """
    affine = np.eye(4)
    affine[:3, 0] = np.array(orientation[3:6]) * spacing[0]
    affine[:3, 1] = np.array(orientation[:3]) * spacing[1]
    affine[:3, 2] = normal_of(orientation) * between
    affine[:3, 3] = origin
    return np.diag([-1.0, -1.0, 1.0, 1.0]) @ affine
