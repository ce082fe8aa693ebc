"""The dimension of a DICOM series (spec/scans.md, dimension rules)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.core import Dimension, Modality
from retrieval.scans.dicom.codes import SLICED
from retrieval.scans.dicom.identity import is_localizer
from retrieval.scans.dicom.instance import Instance
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
        return Extent(dimension=None, notes=_why_no_image(files))
    frames = sum(file.matrix.frames for file in files)
    if is_localizer(first.header.values):
        return Extent(dimension=Dimension.D2, slices=frames, notes=(Note.LOCALIZER,))
    if first.sort == "capture":
        notes = (Note.SECONDARY_CAPTURE, *([Note.PAGES] if frames > 1 else []))
        return Extent(dimension=Dimension.D2, slices=frames, notes=notes)
    if first.sort == "slide" or first.matrix.tiled:
        return Extent(dimension=Dimension.D2, notes=(Note.WHOLE_SLIDE,))
    if first.matrix.mosaic is not None:
        dimension = Dimension.D3 if len(files) == 1 else Dimension.D4
        slices = first.matrix.mosaic or 1
        return Extent(dimension=dimension, slices=slices, times=len(files), notes=(Note.MOSAIC,))
    return _volume_or_plane(first, files, frames, places)


def _why_no_image(files: Sequence[Instance]) -> tuple[Note, ...]:
    """A document, a damaged header, or pixels that are nowhere; nothing where more may follow."""
    first = files[0]
    # Behind an element that claims too many bytes nothing was read, so nothing can be said.
    if Note.DICOMDIR in first.notes or Note.LENGTH_BEYOND_FILE in first.notes:
        return ()
    if first.sort == "none":
        return (Note.NOT_AN_IMAGE,)
    if any(file.header.pixels is not None for file in files):
        return (Note.UNBELIEVABLE,)
    return (Note.NO_PIXELS,) if all(file.header.complete for file in files) else ()


def _volume_or_plane(
    first: Instance, files: Sequence[Instance], frames: int, places: int
) -> Extent:
    if first.modality in _ONE_PLACE_VOLUMES or first.sort == "segmentation":
        # Frames outnumber positions because of segments, never because of time.
        slices = places or frames
        return Extent(dimension=Dimension.D3 if slices > 1 else Dimension.D2, slices=slices)
    if first.modality in (Modality.NM, Modality.SPECT) and first.sort == "volume":
        # RECON TOMO and RECON GATED TOMO hold slices; in all other image types of nuclear medicine
        # the frames are projections, phases or energies (PS3.3 C.8.4.9.1.1).
        if frames > 1 and any(kind.startswith("RECON") for kind in first.image_type):
            return Extent(dimension=Dimension.D3, slices=frames)
        if len(files) == 1:
            return Extent(dimension=Dimension.D2, slices=frames)
    if first.sort == "volume" or first.modality in SLICED:
        return _by_positions(first, files, frames, places)
    notes = (Note.CINE,) if frames > 1 else ()
    return Extent(dimension=Dimension.D2, slices=1, times=frames, notes=notes)


def _by_positions(first: Instance, files: Sequence[Instance], frames: int, places: int) -> Extent:
    if frames == 1 and first.modality in SLICED:
        # A lone slice of CT, MR or PET is a sample of its volume.
        return Extent(dimension=Dimension.D3, notes=(Note.SINGLE_SLICE,))
    if frames == 1:
        return Extent(dimension=Dimension.D2)
    if places == 0:
        unplaced = (Note.NO_POSITIONS,) if len(files) > 1 else ()
        return Extent(dimension=Dimension.D3, slices=frames, notes=unplaced)
    if places == 1:
        return Extent(dimension=Dimension.D2, times=frames, notes=(Note.CINE,))
    if frames > places:
        times = -(-frames // places)
        return Extent(dimension=Dimension.D4, slices=places, times=times)
    return Extent(dimension=Dimension.D3, slices=places)
