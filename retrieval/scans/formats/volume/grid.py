"""The shared way from a parsed volume header to facts; one call per volume format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from retrieval.core import Dimension, Format, Modality, ScanInfo
from retrieval.scans import words
from retrieval.scans.formats.volume.voxels import (
    Sampling,
    cut_short,
    drawn,
    sampling_of,
    subject_of,
    values_of,
)
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader import volume
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.facts import (
    Affine,
    Facts,
    dimension_of_grid,
    plausible,
    spacing_of,
    trimmed,
)

LPS_TO_RAS: Affine = np.diag([-1.0, -1.0, 1.0, 1.0])
LAS_TO_RAS: Affine = np.diag([-1.0, 1.0, 1.0, 1.0])


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


def grid_facts(blob: Blob, grid: Grid) -> Facts:
    """The facts of one volume; modality from the header, else from whole words of the name.

    Reads a thinned sample of the voxels once, for labels, units, truncation and the preview.
    """
    shape, plausible_shape = trimmed(grid.shape, 2), plausible(grid.shape)
    sampling = sampling_of(grid.raster) if plausible_shape else None
    dimension = dimension_of_grid(grid.shape) if plausible_shape else None
    stem = words.stem_of(blob.name)
    modality = grid.modality or words.modality_in(stem)
    values = values_of(grid.raster, sampling)
    labels = words.is_label_name(blob.name) or (
        values is not None and volume.looks_like_labels(values)
    )
    notes = _notes(grid, sampling, plausible_shape, modality, labels, dimension)
    units = None
    if values is not None and not labels:
        units = volume.units_of(values, modality == Modality.CT)
    info = ScanInfo(
        format=grid.format,
        modality=modality,
        dimension=dimension,
        body_part=words.body_part_in(stem),
        sequence=words.sequence_in(stem),
        shape=shape if plausible_shape else (),
        spacing=spacing_of(grid.spacing[: max(2, min(3, len(shape)))]) if plausible_shape else None,
        channels=grid.channels,
        units=units,
        notes=tuple(note.value for note in dict.fromkeys(notes)),
    )
    return Facts(
        info=info,
        at=blob.at,
        kind="labels" if labels else "volume",
        subject=subject_of(blob.name, grid.shape, grid.affine),
        draw=partial(drawn, grid.raster, sampling),
        read=frozenset(f"{grid.format} {name}" for name in grid.read),
        dropped=grid.dropped,
    )


def _notes(
    grid: Grid,
    sampling: Sampling,
    plausible_shape: bool,
    modality: Modality | None,
    labels: bool,
    dimension: Dimension | None,
) -> list[Note]:
    notes = [*grid.notes]
    notes += [] if plausible_shape else [Note.UNBELIEVABLE]
    notes += [Note.LABEL_MAP] if labels else []
    notes += [Note.FOUR_D] if dimension == Dimension.D4 else []
    notes += [Note.MODALITY_ASKED] if modality is None else []
    notes += [Note.TRUNCATED] if cut_short(grid.raster, sampling) else []
    return notes


def affine_of(directions: Sequence[Sequence[float]], origin: Sequence[float]) -> Affine | None:
    """The affine (4 x 4, float64) of three steps and an origin; None when they do not span space.


    Columns are the steps in mm from one voxel to the next. An origin of other than three numbers
    counts as 0.
    """
    matrix = np.eye(4)
    if len(directions) != 3 or any(len(way) != 3 for way in directions):
        return None
    for k, way in enumerate(directions):
        matrix[:3, k] = way
    if len(origin) == 3:
        matrix[:3, 3] = origin
    good = np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-12
    return matrix if good else None
