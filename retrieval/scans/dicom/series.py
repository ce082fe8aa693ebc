"""DICOM files to series: grouping, duplicates, order, and one ``Facts`` each."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from retrieval.core import Dimension, Format, Modality, ScanInfo
from retrieval.scans.dicom.dimension import Extent, extent_of
from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.pixels import never_negative, picture_of
from retrieval.scans.dicom.place import Stack, lps_affine, stack
from retrieval.scans.dicom.tags import count
from retrieval.scans.notes import Note
from retrieval.scans.reader.facts import BodySide, Facts, Kind, axes_of, plausible, spacing_of

Key = tuple[object, ...]

_VALUELESS = frozenset({Note.NOT_HU, Note.NO_PIXELS})
"""Notes of a CT whose values are no Hounsfield units, or that has none."""


def assemble(files: Iterable[Instance]) -> list[Facts]:
    """One record per series, in the order of their first files; a DICOMDIR only when alone.

    Files are grouped by SeriesInstanceUID; files without one by folder, modality and matrix.
    Copies (by SOPInstanceUID, or by place, number and pixels) count once and are noted. The same
    file given twice is as if it had been given once.
    """
    groups: dict[Key, list[Instance]] = defaultdict(list)
    for file in files:
        groups[_key(file)].append(file)
    directories = [key for key in groups if Note.DICOMDIR in groups[key][0].notes]
    if len(directories) < len(groups):
        for key in directories:
            del groups[key]
    return [_series(group) for group in groups.values()]


def _key(file: Instance) -> Key:
    """The series; files without one are grouped by folder, modality and matrix."""
    if Note.DICOMDIR in file.notes:
        return ("directory",)
    if file.series is None:
        folder = file.at[0] if file.at[1] else None
        return (folder, file.modality, file.matrix.rows, file.matrix.columns)
    return (file.series, file.sort == "none")


def _series(group: Sequence[Instance]) -> Facts:
    distinct = _without_same_files(group)
    files, placed = _stacked(_without_copies(distinct))
    doubled = len(files) < len(distinct)
    extent = extent_of(files, len(placed.distinct) if placed else 0)
    if doubled and Note.SINGLE_SLICE in extent.notes:
        # Several files of one slice are one image; a lone file is a sample of its series.
        extent = Extent(dimension=Dimension.D2)
    notes = _notes(files, extent, placed)
    if all(Note.DATA_MISSING in file.notes for file in files):
        notes.append(Note.NO_PIXELS)
    if doubled or (len(files) > 1 and len(distinct) < len(group)):
        notes.append(Note.DUPLICATE_SLICES)
    if len(distinct) < len(group):
        notes.append(Note.GIVEN_TWICE)
    first = files[len(files) // 2] if extent.dimension == Dimension.D3 else files[0]
    info = ScanInfo(
        format=Format.DICOM,
        modality=first.modality,
        dimension=extent.dimension if Note.UNBELIEVABLE not in notes else None,
        body_part=first.body_part,
        sequence=next((file.sequence for file in files if file.sequence), None),
        shape=_shape(first, extent),
        spacing=_spacing(first, extent, placed),
        files=len(files),
        channels=first.matrix.samples if first.is_image and first.matrix.samples > 1 else None,
        units="HU" if _is_hounsfield(first) and {*notes}.isdisjoint(_VALUELESS) else None,
        axes=_axes(files),
        notes=tuple(note.value for note in notes),
    )
    return Facts(
        info=info,
        at=min(file.at for file in group) if None not in {f.at[1] for f in group} else group[0].at,
        kind=_kind(first),
        subject=first.subject,
        draw=partial(picture_of, tuple(files), extent) if first.is_image else None,
        read=frozenset().union(*(file.read for file in group)),
        dropped=tuple(name for file in group for name in file.header.dropped),
        series=True,
    )


def _without_same_files(group: Sequence[Instance]) -> list[Instance]:
    """Each SOPInstanceUID once, the first file of it; files without one stay."""
    first: dict[object, Instance] = {}
    for file in group:
        first.setdefault(file.uid or file.at, file)
    return list(first.values())


def _without_copies(instances: Sequence[Instance]) -> list[Instance]:
    """Each image once, by InstanceNumber and content, where several files claim one place.

    Masked or empty slices of a time series are equal, but their numbers are not.
    """
    by_place: dict[object, list[Instance]] = defaultdict(list)
    for file in instances:
        by_place[file.place.position if file.matrix.frames == 1 else file.at].append(file)
    unique_ids: set[int] = set()
    for place in by_place.values():
        # A digest reads the pixels, so only where several files claim the place.
        alone = len(place) == 1
        by_content = {
            None if alone else (file.number, _pixel_digest(file)): file for file in reversed(place)
        }
        unique_ids.update(map(id, by_content.values()))
    return [file for file in instances if id(file) in unique_ids]


def _pixel_digest(file: Instance) -> object:
    pixels, stored = file.header.pixels, file.blob
    if pixels is None or file.header.deflated:
        return file.uid or file.at
    raw = stored.slice(pixels.value, min(1 << 22, max(stored.size - pixels.value, 0)))
    return hashlib.blake2b(raw, digest_size=16).digest()


def _stacked(files: list[Instance]) -> tuple[list[Instance], Stack | None]:
    """Files by place, else by InstanceNumber, else in the order given; and the stack of planes."""
    frames = [place for file in files for place in file.groups.positions]
    points = frames or [file.place.position for file in files if file.place.position is not None]
    if len(points) < len(files) and not frames:
        # SliceLocation is optional and relative (PS3.3 C.7.6.2.1.2): all files have it, or none.
        heights = [file.place.location for file in files if file.place.location is not None]
        points = [(0.0, 0.0, height) for height in heights] if len(heights) == len(files) else []
    # Frames without places of their own lie anywhere; the place of their file is the first one's.
    unplaced = not frames and any(file.matrix.frames > 1 for file in files)
    placed = stack(points, files[0].place) if points and not unplaced else None
    if placed is not None and len(placed.order) == len(files):
        return [files[k] for k in placed.order], placed
    if all(file.number is not None for file in files):
        return sorted(files, key=lambda file: file.number or 0), placed
    return files, placed


def _notes(files: Sequence[Instance], extent: Extent, placed: Stack | None) -> list[Note]:
    first, localizer = files[0], Note.LOCALIZER in extent.notes
    is_ct = first.modality == Modality.CT
    notes = [*extent.notes, *(note for file in files for note in file.notes)]
    if placed is not None and extent.slices > 1 and not localizer and first.sort == "volume":
        notes.extend(placed.notes)
    if abs(first.place.tilt) > 0.5 and is_ct:
        notes.append(Note.GANTRY_TILT)
    if not localizer and _is_mixed(files):
        notes.append(Note.MIXED_SERIES)
    if is_ct and first.is_image and first.sort == "volume":
        if first.rescale is None:
            notes.append(Note.RESCALE_MISSING)
        elif not _states_hounsfield(first) or (first.rescale[1] >= 0 and never_negative(first)):
            notes.append(Note.NOT_HU)
    if extent.dimension == Dimension.D4:
        notes.append(Note.FOUR_D)
    return list(dict.fromkeys(notes))


def _is_mixed(files: Sequence[Instance]) -> bool:
    """Different matrix sizes or slice directions under one series."""
    sizes = {(file.matrix.rows, file.matrix.columns) for file in files if file.is_image}
    ways = {
        tuple(round(v, 2) + 0.0 for v in f.place.orientation) for f in files if f.place.orientation
    }
    return len(sizes) > 1 or len(ways) > 1


def _states_hounsfield(file: Instance) -> bool:
    """RescaleType is optional; without one, CT means Hounsfield units."""
    return file.rescale_type in ("", "HU", "US")


def _is_hounsfield(file: Instance) -> bool:
    """CT whose stored values can reach air: a negative intercept or signed values."""
    if file.modality != Modality.CT or file.sort != "volume":
        return False
    if file.rescale is None:
        return False
    reaches = file.rescale[1] < 0 or count(file.header.values, "PixelRepresentation") == 1
    return _states_hounsfield(file) and file.rescale[0] > 0 and reaches


def _shape(first: Instance, extent: Extent) -> tuple[int, ...]:
    if not first.is_image or first.matrix.rows is None or first.matrix.columns is None:
        return ()
    rows, columns = first.matrix.rows, first.matrix.columns
    if Note.WHOLE_SLIDE in extent.notes:
        # Each frame is a tile of the whole (PS3.3 C.8.12.14).
        names = ("TotalPixelMatrixRows", "TotalPixelMatrixColumns")
        total = tuple(count(first.header.values, name) or 0 for name in names)
        return total if plausible(total) else (rows, columns)
    if first.matrix.mosaic:
        side = int(-(-(first.matrix.mosaic**0.5) // 1))
        rows, columns = rows // side, columns // side
    if extent.times > 1:
        return (rows, columns, extent.slices, extent.times)
    return (rows, columns, extent.slices) if extent.slices > 1 else (rows, columns)


def _spacing(first: Instance, extent: Extent, placed: Stack | None) -> tuple[float, ...] | None:
    if not first.place.spacing:
        return None
    if extent.dimension != Dimension.D3 and extent.dimension != Dimension.D4:
        return spacing_of(first.place.spacing)
    along = placed.spacing if placed is not None else None
    between = along or first.place.between
    return spacing_of((*first.place.spacing, between) if between else first.place.spacing)


def _axes(files: Sequence[Instance]) -> tuple[BodySide, ...]:
    """The sides to which a row, a column and the normal point; none where the files differ."""
    stated = {
        axes_of(lps_affine(f.place.orientation, (1.0, 1.0), 1.0, (0.0, 0.0, 0.0)))
        if f.place.orientation
        else ()
        for f in files
    }
    if len(stated) != 1 or not (axes := stated.pop()):
        return ()
    along_column, along_row, normal = axes
    return along_row, along_column, normal


def _kind(first: Instance) -> Kind:
    if first.modality == Modality.SEG:
        return "labels"
    if first.modality == Modality.RTSTRUCT:
        return "contours"
    if not first.is_image:
        return "other"
    return "volume" if first.sort == "volume" else "picture"
