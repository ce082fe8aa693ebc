"""The shared way from a parsed volume header to facts; one call per volume format."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo
from retrieval.scans import volume, words
from retrieval.scans.believe import believable, dimension_of_grid, spacing_of, trimmed
from retrieval.scans.blob import Blob
from retrieval.scans.boundary import quietly
from retrieval.scans.facts import Affine, Facts, Picture, Subject
from retrieval.scans.notes import Note
from retrieval.scans.orientation import axes_of
from retrieval.scans.raster import Raster, Sample, sample, scaled
from retrieval.scans.reasons import Reason, Refused

RAS = np.diag([1.0, 1.0, 1.0, 1.0])
LPS_TO_RAS = np.diag([-1.0, -1.0, 1.0, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What a volume header says. ``shape`` is x, y, z, t as stored, components taken out."""

    format: Format
    shape: tuple[int, ...]
    spacing: Sequence[float] = ()
    affine: Affine | None = None
    raster: Raster | None = None
    modality: Modality | None = None
    channels: int | None = None
    notes: tuple[Note, ...] = ()
    read: tuple[str, ...] = ("sizes", "spacing", "orientation")
    dropped: tuple[str, ...] = ()
    need_bytes: int | None = None


def grid_facts(blob: Blob, grid: Grid) -> Facts:
    """The facts of one volume; modality from the header, else from whole words of the name."""
    shape, believed = trimmed(grid.shape, 2), believable(grid.shape)
    taken = _taken(grid) if believed else None
    dimension = dimension_of_grid(grid.shape) if believed else None
    stem = words.stem_of(blob.name)
    modality = grid.modality or words.modality_in(stem)
    values = _values(grid, taken)
    labels = words.is_label_name(blob.name) or (
        values is not None and volume.looks_like_labels(values)
    )
    notes = _notes(grid, taken, believed, modality, labels, dimension)
    info = ScanInfo(
        format=grid.format,
        modality=modality,
        dimension=dimension,
        body_part=words.body_part_in(stem),
        sequence=words.sequence_in(stem),
        shape=shape if believed else (),
        spacing=spacing_of(grid.spacing[: max(2, min(3, len(shape)))]) if believed else None,
        channels=grid.channels,
        units=_units(values, modality) if not labels else None,
        notes=tuple(note.value for note in dict.fromkeys(notes)),
    )
    return Facts(
        info=info,
        at=blob.at,
        kind="labels" if labels else "volume",
        subject=_subject(blob, grid),
        axes=axes_of(grid.affine),
        draw=partial(_draw, grid, taken),
        read=frozenset(f"{grid.format} {name}" for name in grid.read),
        dropped=grid.dropped,
    )


def _taken(grid: Grid) -> Sample | Reason | None:
    raster = grid.raster
    return None if raster is None else quietly(lambda: sample(raster))


def _values(grid: Grid, taken: Sample | Reason | None) -> np.ndarray | None:
    if not isinstance(taken, Sample) or grid.raster is None or grid.raster.rgb:
        return None
    return scaled(taken.values, grid.raster.scale)


def _units(values: np.ndarray | None, modality: Modality | None) -> volume.Units | None:
    return None if values is None else volume.units_of(values, modality == Modality.CT)


def _notes(
    grid: Grid,
    taken: Sample | Reason | None,
    believed: bool,
    modality: Modality | None,
    labels: bool,
    dimension: Dimension | None,
) -> list[Note]:
    found = [*grid.notes]
    found += [] if believed else [Note.UNBELIEVABLE]
    found += [Note.LABEL_MAP] if labels else []
    found += [Note.FOUR_D] if dimension == Dimension.D4 else []
    found += [Note.MODALITY_ASKED] if modality is None else []
    cut = isinstance(taken, Sample) and not taken.complete and grid.raster is not None
    if cut and grid.raster is not None and grid.raster.bytes <= grid.raster.most_bytes:
        found.append(Note.TRUNCATED)
    return [*found, Note.TRUNCATED] if taken == Reason.CUT_SHORT else found


def _subject(blob: Blob, grid: Grid) -> Subject:
    name = blob.name
    affine = grid.affine if grid.affine is not None else RAS
    key = repr((trimmed(grid.shape, 2)[:3], (np.round(np.nan_to_num(affine), 2) + 0.0).tolist()))
    person = words.entity(name, "sub")
    return Subject(
        person=f"sub-{person}" if person else None,
        session=words.entity(name, "ses"),
        order=words.time_index(name),
        grid=hashlib.blake2b(key.encode(), digest_size=12).hexdigest(),
    )


def _draw(grid: Grid, taken: Sample | Reason | None) -> Picture:
    if isinstance(taken, Reason):
        raise Refused(taken)
    if taken is None or grid.raster is None:
        raise Refused(Reason.NO_DECODER)
    return volume.picture_of(grid.raster, taken)


def affine_of(directions: Sequence[Sequence[float]], origin: Sequence[float]) -> Affine | None:
    """Columns are the axes' steps; None when they do not span space."""
    matrix = np.eye(4)
    if len(directions) != 3 or any(len(way) != 3 for way in directions):
        return None
    for k, way in enumerate(directions):
        matrix[:3, k] = way
    if len(origin) == 3:
        matrix[:3, 3] = origin
    good = np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-12
    return matrix if good else None


def first_volume(shape: Sequence[int]) -> tuple[int, int, int]:
    """The first three extents, ones where there are fewer."""
    padded = (*shape, 1, 1, 1)
    return padded[0], padded[1], padded[2]
