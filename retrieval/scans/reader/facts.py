"""What readers hand on inside the reader process, and which numbers of a header are believable."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.core import Dimension, ScanInfo
from retrieval.scans.reader.blob import At

MOST = 1_000_000
Array = NDArray[np.generic]
Affine = NDArray[np.float64]
BodySide = Literal["R", "L", "A", "P", "S", "I"]
Kind = Literal["volume", "labels", "contours", "surface", "picture", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Pixels fit to draw. Axes: i, j, k of the affine (RAS+ mm); rgb carries a last axis of 3."""

    pixels: Array
    affine: Affine | None = None
    spacing: tuple[float, ...] = (1.0, 1.0, 1.0)
    rgb: bool = False
    window: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What may tie two scans to one person; digests and closed words, kept inside the process."""

    person: str | None = None
    study: str | None = None
    frame: str | None = None
    grid: str | None = None
    session: str | None = None
    order: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One scan: its public facts, and what doctor, roles and preview work from."""

    info: ScanInfo
    at: At
    kind: Kind = "volume"
    subject: Subject = Subject()
    draw: Callable[[], Picture] | None = None
    read: frozenset[str] = frozenset()
    name_words: frozenset[str] = frozenset()
    dropped: tuple[str, ...] = ()
    series: bool = False


_SIDES: tuple[tuple[BodySide, BodySide], ...] = (("L", "R"), ("P", "A"), ("I", "S"))
_OBLIQUE = 0.8
"""The cosine below which an axis belongs to no side, some 37 degrees: where PixelMed and the many
programs that follow it (``ImageOrientation``) name no major axis."""


def axes_of(affine: Affine | None) -> tuple[BodySide, ...]:
    """The sides to which x, y and z point; none where one of them is oblique or nowhere.

    ``affine``: 4 x 4, voxel indices to RAS+ mm.
    """
    if affine is None:
        return ()
    lengths = np.linalg.norm(affine[:3, :3], axis=0)
    if not np.isfinite(lengths).all() or not lengths.all():
        return ()
    cosines = affine[:3, :3] / lengths
    nearest = np.abs(cosines).argmax(axis=0)
    largest = [float(cosines[axis, k]) for k, axis in enumerate(nearest)]
    if len(set(nearest.tolist())) < 3 or any(abs(value) < _OBLIQUE for value in largest):
        return ()
    return tuple(_SIDES[a][value > 0] for a, value in zip(nearest, largest, strict=True))


def plausible(shape: Iterable[int]) -> bool:
    """Whether every extent is a count an image could have.

    1 to 1,000,000; a whole slide has some 200,000 pixels a side. False for no extent at all.
    """
    sizes = tuple(shape)
    return bool(sizes) and all(0 < size <= MOST for size in sizes)


def trimmed(shape: Sequence[int], keep: int) -> tuple[int, ...]:
    """The shape without trailing ones after its first ``keep`` axes."""
    end = len(shape)
    while end > keep and shape[end - 1] == 1:
        end -= 1
    return tuple(shape[:end])


def dimension_of_grid(shape: Sequence[int]) -> Dimension | None:
    """Of x, y, z, t extents: trailing ones fall away, one slice is 2D, a line is no image."""
    sizes = trimmed(shape, 3)
    if not plausible(sizes) or sum(size > 1 for size in sizes) < 2:
        return None
    if len(sizes) < 3 or sizes[2] == 1:
        return Dimension.D2
    return Dimension.D3 if len(sizes) == 3 else Dimension.D4


def dimension_of_axes(*, has_depth: bool, over_time: bool) -> Dimension:
    """Of named axes: a plane over time stays 2D, as in DICOM and NIfTI; channels never count."""
    if not has_depth:
        return Dimension.D2
    return Dimension.D4 if over_time else Dimension.D3


def spacing_of(values: Iterable[float], scale: float = 1.0) -> tuple[float, ...] | None:
    """Millimetres, rounded; None when one of them is not a positive finite number.

    ``scale`` is the length of the unit in mm. Six digits are kept, so that float32 headers compare
    equal; a kilometre or more is no voxel.
    """
    sizes = tuple(abs(float(value)) * scale for value in values)
    if not sizes or not all(math.isfinite(size) and 0 < size < 1e6 for size in sizes):
        return None
    return tuple(float(f"{size:.6g}") for size in sizes)
