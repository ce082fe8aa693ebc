"""Where a DICOM file's plane lies and how large its pixels are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pydicom.dataset import Dataset

from retrieval.scans.dicom.frames import Frames
from retrieval.scans.dicom.values import number, numbers

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Positions and directions in DICOM's LPS millimetres; empty or None where not stated."""

    position: Vector | None = None
    location: float | None = None
    orientation: tuple[float, ...] = ()
    spacing: tuple[float, ...] = ()
    between: float | None = None
    tilt: float = 0.0


def place_of(values: Dataset, groups: Frames) -> Place:
    """The place of a file, its own elements before those of the functional groups."""
    between = (number(values, "SpacingBetweenSlices"), number(values, "SliceThickness"))
    stated = (_positive(size) for size in (*between, groups.between, _offset_step(values)))
    return Place(
        position=_vector(numbers(values, "ImagePositionPatient")),
        location=number(values, "SliceLocation"),
        orientation=_orientation(numbers(values, "ImageOrientationPatient") or groups.orientation),
        spacing=_spacing(values, groups),
        between=next((size for size in stated if size), None),
        tilt=number(values, "GantryDetectorTilt") or 0.0,
    )


def _offset_step(values: Dataset) -> float | None:
    """The step of a dose grid, which gives offsets of its planes instead of a spacing."""
    offsets = numbers(values, "GridFrameOffsetVector")
    return abs(offsets[1] - offsets[0]) if len(offsets) > 1 else None


def _positive(value: float | None) -> float | None:
    return value if value is not None and 0 < value < 1e4 else None


def _vector(values: tuple[float, ...]) -> Vector | None:
    if len(values) != 3 or any(abs(value) > 1e6 for value in values):
        return None
    return values[0], values[1], values[2]


def _orientation(values: tuple[float, ...]) -> tuple[float, ...]:
    """Six direction cosines, when they are two perpendicular unit vectors."""
    if len(values) != 6:
        return ()
    row, column = np.array(values[:3]), np.array(values[3:])
    lengths = float(np.linalg.norm(row)), float(np.linalg.norm(column))
    if any(abs(length - 1) > 0.02 for length in lengths) or abs(float(row @ column)) > 0.02:
        return ()
    return values


def _spacing(values: Dataset, groups: Frames) -> tuple[float, ...]:
    spacing = numbers(values, "PixelSpacing") or groups.spacing
    spacing = spacing or numbers(values, "ImagerPixelSpacing")
    good = len(spacing) == 2 and all(0 < size < 1e4 for size in spacing)
    return spacing if good else ()
