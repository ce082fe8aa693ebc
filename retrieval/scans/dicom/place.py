"""Where a DICOM file's plane lies and how large its pixels are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pydicom.dataset import Dataset

from retrieval.scans.dicom.frames import Frames
from retrieval.scans.dicom.values import number, numbers

Vector = tuple[float, float, float]
_FARTHEST, _WIDEST = 1e6, 1e4
"""Millimetres: no slice lies a kilometre off, no pixel is ten metres wide."""
_COSINE_ERROR = 0.02
"""Writers round direction cosines (PS3.3 C.7.6.2.1.1) to as few as two decimals."""


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
    """The place of a file, its own elements before those of the functional groups.

    Values that cannot be are dropped. ``between`` is the first of SpacingBetweenSlices,
    SliceThickness, their values in the functional groups, and the step of a dose grid.
    """
    offsets = numbers(values, "GridFrameOffsetVector")
    # A dose grid gives offsets of its planes instead of a spacing (PS3.3 C.8.8.3.2).
    step = abs(offsets[1] - offsets[0]) if len(offsets) > 1 else None
    stated = (number(values, "SpacingBetweenSlices"), number(values, "SliceThickness"))
    position = numbers(values, "ImagePositionPatient")
    placed = len(position) == 3 and all(abs(value) <= _FARTHEST for value in position)
    spacing = numbers(values, "PixelSpacing") or groups.spacing
    # At the detector, hence magnified: only where nothing is calibrated (PS3.3 10.7).
    spacing = spacing or numbers(values, "ImagerPixelSpacing")
    sized = len(spacing) == 2 and all(0 < size < _WIDEST for size in spacing)
    steps = (size for size in (*stated, groups.between, step) if size is not None)
    return Place(
        position=(position[0], position[1], position[2]) if placed else None,
        location=number(values, "SliceLocation"),
        orientation=_orientation(numbers(values, "ImageOrientationPatient") or groups.orientation),
        spacing=spacing if sized else (),
        between=next((size for size in steps if 0 < size < _WIDEST), None),
        tilt=number(values, "GantryDetectorTilt") or 0.0,
    )


def _orientation(values: tuple[float, ...]) -> tuple[float, ...]:
    """Six direction cosines, when they are two perpendicular unit vectors."""
    if len(values) != 6:
        return ()
    row, column = np.array(values[:3]), np.array(values[3:])
    lengths = float(np.linalg.norm(row)), float(np.linalg.norm(column))
    unit = all(abs(length - 1) <= _COSINE_ERROR for length in lengths)
    return values if unit and abs(float(row @ column)) <= _COSINE_ERROR else ()
