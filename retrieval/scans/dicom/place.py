"""Where the planes of DICOM files lie: positions, spacing, order along the normal, gaps, tilt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from pydicom.dataset import Dataset

from retrieval.scans.dicom import tags
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.tags import count, number, numbers
from retrieval.scans.dicom.walk import CutShort, Walker
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import Affine

_SAME_MM, _SAME_PIXELS = 0.01, 0.1
"""Places closer than both are one: positions are rounded decimal strings (PS3.5 6.2), and the
pixels of a microscopic CT are smaller than a hundredth of a millimetre."""
Vector = tuple[float, float, float]
_FARTHEST, _WIDEST = 1e6, 1e4
"""Millimetres: no slice lies a kilometre off, no pixel is ten metres wide."""
_COSINE_ERROR = 0.02
"""Writers round direction cosines (PS3.3 C.7.6.2.1.1) to as few as two decimals."""
_PLANE_POSITION, _PLANE_ORIENTATION, _MEASURES = 0x00209113, 0x00209116, 0x00289110
_POSITION, _ORIENTATION, _SPACING = 0x00200032, 0x00200037, 0x00280030
_THICKNESS, _BETWEEN = 0x00180050, 0x00180088
_RESCALE, _INTERCEPT, _SLOPE, _UNIT = 0x00289145, 0x00281052, 0x00281053, 0x00281054
_MOST_FRAMES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Slice places along the normal.

    ``order`` sorts the positions given, ``distinct`` is the first position of each place in order.
    """

    spacing: float | None
    order: tuple[int, ...]
    distinct: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def normal_of(orientation: Sequence[float]) -> Affine:
    """The unit normal of a plane given by its six direction cosines.

    Row then column cosines (PS3.3 C.7.6.2.1.1), LPS; float64 of shape (3,). Parallel ones give nan.
    """
    cross = np.cross(np.array(orientation[:3]), np.array(orientation[3:6]))
    return np.asarray(cross / np.linalg.norm(cross), dtype=np.float64)


def stack(positions: Sequence[Sequence[float]], plane: Place) -> Stack:
    """The stack of slices at these positions (LPS mm, three numbers each, at least one position).

    Slices are ordered along the normal of the plane; without an orientation, along the axis on
    which the positions differ most. Equal heights keep the order in which they came.
    """
    orientation = plane.orientation
    points = np.array(positions, dtype=np.float64).reshape(-1, 3)
    if len(orientation) == 6:
        along = points @ normal_of(orientation)
    else:
        spread = points.max(axis=0) - points.min(axis=0)
        along = points[:, int(spread.argmax())]
    order = tuple(int(k) for k in np.argsort(along, kind="stable"))
    same = min((_SAME_MM, *(size * _SAME_PIXELS for size in plane.spacing)))
    first = _first_of_each_place(points[list(order)], same)
    heights = np.sort(along)
    steps = np.diff(heights[np.concatenate(([True], np.diff(heights) > same))])
    return Stack(
        spacing=float(np.median(steps)) if len(steps) else None,
        order=order,
        distinct=tuple(order[k] for k in sorted(first)),
        notes=_gap_notes(steps) + _tilt_notes(points[list(order)], orientation),
    )


def _first_of_each_place(points: Affine, same: float) -> list[int]:
    """The first point of each place; a place ends where on one axis a gap of over ``same`` mm is.

    A grid would split two points that lie close to the edge of a cell.
    """
    numbers = np.zeros(points.shape, dtype=np.int64)
    for axis, values in enumerate(points.T):
        order = np.argsort(values)
        numbers[order[1:], axis] = np.cumsum(np.diff(values[order]) > same)
    _, first = np.unique(numbers, axis=0, return_index=True)
    return [int(k) for k in first]


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
    orientation: Sequence[float], spacing: Sequence[float], between: float, origin: Sequence[float]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """What the functional groups say; a tuple of numbers is empty where they say nothing."""

    positions: tuple[tuple[float, ...], ...] = ()
    orientation: tuple[float, ...] = ()
    spacing: tuple[float, ...] = ()
    between: float | None = None
    rescale: tuple[float, float] | None = None
    rescale_type: str = ""


def _decimals(raw: bytes) -> tuple[float, ...]:
    """Finite numbers of a decimal string, which every number that is read here is (PS3.6)."""
    try:
        values = tuple(float(part) for part in raw.strip(b"\0 ").split(b"\\"))
    except ValueError:
        return ()
    return values if all(map(math.isfinite, values)) else ()


def _pick(walker: Walker, at: tuple[int, int], sequence: int, tag: int) -> bytes:
    """One element of the only item of a sequence inside the item at these offsets."""
    for element in walker.elements(*at):
        item = next(walker.items(element), None) if element.tag == sequence else None
        if item is not None:
            matches = (inner for inner in walker.elements(*item) if inner.tag == tag)
            match = next(matches, None)
            return walker.data[match.value : match.end] if match else b""
    return b""


def read_frames(header: Header) -> Frames:
    """The frames of an enhanced object; empty when it has no functional groups.

    Shared and per-frame functional groups (PS3.3 C.7.6.16). Positions are LPS mm, one per frame
    that has one, in the order of the frames; spacing is rows then columns.
    """
    walker = header.walker

    def items(tag: int) -> list[tuple[int, int]]:
        element = header.elements.get(tag)
        return list(islice(walker.items(element), _MOST_FRAMES)) if element else []

    def text(sequence: int, tag: int) -> bytes:
        values = (_pick(walker, place, sequence, tag) for place in places)
        return next((value for value in values if value), b"")

    def first(sequence: int, tag: int) -> tuple[float, ...]:
        return _decimals(text(sequence, tag))

    try:
        each, shared = items(tags.FRAME_GROUPS), items(tags.SHARED_GROUPS)
        # The shared group holds what is equal in all frames; some writers repeat it in each.
        places = [*shared[:1], *each[:1]]
        frames = count(header.values, "NumberOfFrames") or 1
        between = first(_MEASURES, _BETWEEN) or first(_MEASURES, _THICKNESS)
        scale = (*first(_RESCALE, _SLOPE)[:1], *first(_RESCALE, _INTERCEPT)[:1])
        texts = (_pick(walker, item, _PLANE_POSITION, _POSITION) for item in each[:frames])
        positions = map(_decimals, texts)
        return Frames(
            positions=tuple(position for position in positions if len(position) == 3),
            orientation=first(_PLANE_ORIENTATION, _ORIENTATION),
            spacing=first(_MEASURES, _SPACING),
            between=between[0] if between else None,
            rescale=(scale[0], scale[1]) if len(scale) == 2 else None,
            rescale_type=text(_RESCALE, _UNIT).strip(b"\0 ").decode("ascii", "replace").upper(),
        )
    except CutShort:
        return Frames()
