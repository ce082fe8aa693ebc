"""Where a DICOM file's plane lies and how large its pixels are."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from pydicom.dataset import Dataset

from retrieval.scans.dicom import tags
from retrieval.scans.dicom.header import Header
from retrieval.scans.dicom.values import count, number, numbers
from retrieval.scans.dicom.walk import CutShort, Element, Walker

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


_PLANE_POSITION, _PLANE_ORIENTATION, _MEASURES = 0x00209113, 0x00209116, 0x00289110
_POSITION, _ORIENTATION, _SPACING = 0x00200032, 0x00200037, 0x00280030
_THICKNESS, _BETWEEN = 0x00180050, 0x00180088
_RESCALE, _SLOPE = 0x00289145, 0x00281053
_MOST_FRAMES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """What the functional groups say; a tuple of numbers is empty where they say nothing."""

    positions: tuple[tuple[float, ...], ...] = ()
    orientation: tuple[float, ...] = ()
    spacing: tuple[float, ...] = ()
    between: float | None = None
    rescaled: bool = False


def _decimals(walker: Walker, element: Element) -> tuple[float, ...]:
    raw = walker.data[element.value : element.end]
    if element.vr == b"FD" or (walker.implicit and len(raw) in (8, 24) and b"\\" not in raw):
        fit = len(raw) // 8
        return struct.unpack(f"{'>' if walker.big else '<'}{fit}d", raw[: fit * 8])
    try:
        return tuple(float(part) for part in raw.strip(b"\0 ").split(b"\\"))
    except ValueError:
        return ()


def _pick(walker: Walker, at: tuple[int, int], sequence: int, wanted: int) -> tuple[float, ...]:
    """One element of the only item of a sequence inside the item at these offsets."""
    for element in walker.elements(*at):
        item = next(walker.items(element), None) if element.tag == sequence else None
        if item is not None:
            matches = (inner for inner in walker.elements(*item) if inner.tag == wanted)
            match = next(matches, None)
            return _decimals(walker, match) if match else ()
    return ()


def read_frames(header: Header) -> Frames:
    """The frames of an enhanced object; empty when it has no functional groups.

    Shared and per-frame functional groups (PS3.3 C.7.6.16). Positions are LPS mm, one per frame
    that has one, in the order of the frames; spacing is rows then columns.
    """
    try:
        return _read(header)
    except CutShort:
        return Frames()


def _items(header: Header, tag: int) -> list[tuple[int, int]]:
    element = header.elements.get(tag)
    if element is None:
        return []
    items = []
    for item in header.walker.items(element):
        items.append(item)
        if len(items) >= _MOST_FRAMES:
            break
    return items


def _read(header: Header) -> Frames:
    walker = header.walker
    each, shared = _items(header, tags.FRAME_GROUPS), _items(header, tags.SHARED_GROUPS)
    # The shared group holds what is equal in all frames; some writers repeat it in each.
    places = [*shared[:1], *each[:1]]

    def first(sequence: int, wanted: int) -> tuple[float, ...]:
        candidates = (_pick(walker, place, sequence, wanted) for place in places)
        return next((value for value in candidates if value), ())

    frames = count(header.values, "NumberOfFrames") or 1
    between = first(_MEASURES, _BETWEEN) or first(_MEASURES, _THICKNESS)
    positions = (_pick(walker, item, _PLANE_POSITION, _POSITION) for item in each[:frames])
    return Frames(
        positions=tuple(position for position in positions if len(position) == 3),
        orientation=first(_PLANE_ORIENTATION, _ORIENTATION),
        spacing=first(_MEASURES, _SPACING),
        between=between[0] if between else None,
        rescaled=bool(first(_RESCALE, _SLOPE)),
    )
