"""The dimension of a DICOM series (spec/scans.md, dimension rules)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.core import Dimension, Modality
from retrieval.scans.dicom.codes import SLICED
from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.sequence import is_localizer
from retrieval.scans.notes import Note

_ONE_PLACE_VOLUMES = frozenset({Modality.RTDOSE, Modality.SEG})


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Slices and time points of a series, its dimension, and why."""

    dimension: Dimension | None
    slices: int = 1
    times: int = 1
    notes: tuple[Note, ...] = ()


def extent_of(files: Sequence[Instance], places: int) -> Extent:
    """The extent of one series; ``places`` is the count of distinct slice positions, 0 unknown."""
    first = files[0]
    if not any(file.is_image for file in files):
        return Extent(dimension=None, notes=_without_matrix(first))
    frames = sum(file.matrix.frames for file in files)
    if is_localizer(first.header.values):
        return Extent(dimension=Dimension.D2, slices=frames, notes=(Note.LOCALIZER,))
    if first.sort == "capture":
        notes = (Note.SECONDARY_CAPTURE, *([Note.PAGES] if frames > 1 else []))
        return Extent(dimension=Dimension.D2, slices=frames, notes=notes)
    if first.sort == "slide" or first.matrix.tiled:
        return Extent(dimension=Dimension.D2, notes=(Note.WHOLE_SLIDE,))
    if first.matrix.mosaic is not None:
        return _mosaics(first, len(files))
    return _volume_or_plane(first, files, frames, places)


def _without_matrix(first: Instance) -> tuple[Note, ...]:
    """A document has no pixels; pixels without a size are a damaged header.

    Behind an element that claims too many bytes nothing was read, so neither can be said.
    """
    if Note.DICOMDIR in first.notes or Note.LENGTH_BEYOND_FILE in first.notes:
        return ()
    broken = first.sort != "none" and first.header.pixels is not None
    return (Note.UNBELIEVABLE,) if broken else (Note.NOT_AN_IMAGE,)


def _mosaics(first: Instance, files: int) -> Extent:
    dimension = Dimension.D3 if files == 1 else Dimension.D4
    slices = first.matrix.mosaic or 1
    return Extent(dimension=dimension, slices=slices, times=files, notes=(Note.MOSAIC,))


def _volume_or_plane(
    first: Instance, files: Sequence[Instance], frames: int, places: int
) -> Extent:
    if first.modality in _ONE_PLACE_VOLUMES or first.sort == "segmentation":
        return _by_places(frames, places, segments=True)
    if first.modality in (Modality.NM, Modality.SPECT) and first.sort == "volume":
        if frames > 1 and _is_reconstructed(first):
            return Extent(dimension=Dimension.D3, slices=frames)
        if len(files) == 1:
            return Extent(dimension=Dimension.D2, slices=frames)
    if first.sort == "volume" or first.modality in SLICED:
        return _by_positions(first, files, frames, places)
    notes = (Note.CINE,) if frames > 1 else ()
    return Extent(dimension=Dimension.D2, slices=1, times=frames, notes=notes)


def _is_reconstructed(first: Instance) -> bool:
    return any(kind.startswith("RECON") for kind in first.image_type)


def _by_places(frames: int, places: int, *, segments: bool) -> Extent:
    """Frames of a segmentation outnumber positions because of segments, never because of time."""
    slices = places or frames
    dimension = Dimension.D3 if slices > 1 else Dimension.D2
    return Extent(dimension=dimension, slices=slices if segments else frames)


def _by_positions(first: Instance, files: Sequence[Instance], frames: int, places: int) -> Extent:
    if frames == 1:
        return _one_slice(first)
    if places == 0:
        return Extent(dimension=Dimension.D3, slices=frames, notes=_unplaced(files))
    if places == 1:
        return Extent(dimension=Dimension.D2, times=frames, notes=(Note.CINE,))
    if frames > places:
        times = -(-frames // places)
        return Extent(dimension=Dimension.D4, slices=places, times=times)
    return Extent(dimension=Dimension.D3, slices=places)


def _unplaced(files: Sequence[Instance]) -> tuple[Note, ...]:
    return (Note.NO_POSITIONS,) if len(files) > 1 else ()


def _one_slice(first: Instance) -> Extent:
    """A lone slice of CT, MR or PET is a sample of its volume."""
    if first.modality in SLICED:
        return Extent(dimension=Dimension.D3, notes=(Note.SINGLE_SLICE,))
    return Extent(dimension=Dimension.D2)
