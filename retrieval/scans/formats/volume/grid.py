"""The shared way from a parsed volume header to facts, by a thinned sample of the voxels."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from retrieval.core import Dimension, Format, Modality, ScanInfo
from retrieval.scans import words
from retrieval.scans.formats.volume.voxels import (
    Raster,
    Voxels,
    contradicts_labels,
    looks_like_labels,
    units_of,
)
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.facts import (
    Affine,
    Array,
    Facts,
    Subject,
    axes_of,
    dimension_of_grid,
    plausible,
    spacing_of,
    trimmed,
)

LPS_TO_RAS: Affine = np.diag([-1.0, -1.0, 1.0, 1.0])
LAS_TO_RAS: Affine = np.diag([-1.0, 1.0, 1.0, 1.0])
_MOST_NUMBERS = 64
_INTEGER = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What a volume header says. ``shape`` is x, y, z, t as stored, components taken out.

    ``placed``: the header says which sides of the body the axes of the affine are.
    """

    format: Format
    shape: tuple[int, ...]
    spacing: Sequence[float] = ()
    affine: Affine | None = None
    raster: Raster | None = None
    modality: Modality | None = None
    channels: int | None = None
    data_missing: bool = False
    placed: bool = True
    dropped: tuple[str, ...] = ()


def grid_facts(blob: Blob, grid: Grid) -> Facts:
    """The facts of one volume; modality from the header, else from whole words of the name.

    Reads a thinned sample of the voxels once, for labels, units, truncation and the preview.
    """
    shape, plausible_shape = trimmed(grid.shape, 2), plausible(grid.shape)
    voxels = Voxels(grid.raster if plausible_shape else None, grid.affine)
    values = voxels.values
    dimension = dimension_of_grid(grid.shape) if plausible_shape else None
    stem = words.stem_of(blob.name)
    modality = grid.modality or words.modality_in(stem)
    label_notes = label_notes_of(blob.name, values)
    labels = is_labelled(label_notes)
    units = None
    if values is not None and not labels:
        units = units_of(values, modality == Modality.CT)
    notes = (
        (Note.DATA_MISSING, grid.data_missing),
        (Note.UNBELIEVABLE, not plausible_shape),
        *((note, True) for note in label_notes),
        (Note.FOUR_D, dimension == Dimension.D4),
        (Note.MODALITY_ASKED, modality is None and Note.LABEL_MAP not in label_notes),
        (Note.TRUNCATED, voxels.cut_short),
    )
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
        axes=axes_of(grid.affine) if grid.placed and plausible_shape else (),
        notes=tuple(note.value for note, applies in notes if applies),
    )
    return Facts(
        info=info,
        at=blob.at,
        kind="labels" if labels else "volume",
        subject=subject_of(blob.name, grid.shape, grid.affine),
        draw=voxels.picture,
        read=frozenset(f"{grid.format} {name}" for name in ("sizes", "spacing", "orientation")),
        dropped=grid.dropped,
        name_words=words.words_of_volume(blob.name),
    )


def label_notes_of(name: str, values: Array | None) -> tuple[Note, ...]:
    """What name and values say of labels; the values, where they were read, outweigh the name."""
    if words.is_label_name(name):
        if values is not None and contradicts_labels(values):
            return (Note.IMAGE_VALUES,)
        return Note.LABEL_MAP, Note.LABEL_NAME
    return (Note.MAYBE_LABELS,) if values is not None and looks_like_labels(values) else ()


def is_labelled(notes: Sequence[Note]) -> bool:
    """Whether a volume with these notes is or may be a label map."""
    return not {Note.LABEL_MAP, Note.MAYBE_LABELS}.isdisjoint(notes)


def subject_of(name: str, shape: Sequence[int], affine: Affine | None) -> Subject:
    """What the file's name and grid (i, j, k and affine) tie it to.

    Affines are rounded to .01 before they are compared: writers store them in float32.
    """
    where = np.eye(4) if affine is None else affine
    key = repr((trimmed(shape, 2)[:3], (np.round(np.nan_to_num(where), 2) + 0.0).tolist()))
    person = words.entity(name, "sub")
    return Subject(
        person=f"sub-{person}" if person else None,
        session=words.entity(name, "ses"),
        order=words.time_index(name),
        grid=hashlib.blake2b(key.encode(), digest_size=12).hexdigest(),
    )


def raster_of(
    data: Blob | None,
    shape: Sequence[int],
    code: str | None,
    *,
    big: bool = False,
    offset: int = 0,
    packed: bool = False,
    scale: tuple[float, float] = (1.0, 0.0),
) -> Raster | None:
    """The first volume of a data file; None without one or for a type that is not drawn.

    ``code`` is NumPy's type without the byte order. ``packed``: gzip or zlib begins at the offset.
    A negative offset means that all of ``shape`` lies at the end of the file.
    """
    if data is None or code is None or not all(0 < size < 1e6 for size in shape):
        return None
    x, y, z = (*shape, 1, 1, 1)[:3]
    if offset < 0:
        if packed or data.plain_size is None:
            return None
        offset = max(0, data.plain_size - math.prod(shape) * np.dtype(code).itemsize)
    return Raster(
        open=partial(data.open_packed, offset) if packed else data.open,
        dtype=np.dtype((">" if big else "<") + code),
        shape=(x, y, z),
        offset=0 if packed else offset,
        scale=scale,
        most_bytes=data.limit * 2,
    )


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


def integers(text: str) -> tuple[int, ...]:
    """Counts between spaces; none where the text is not all counts."""
    parts = text.split()[:_MOST_NUMBERS]
    return tuple(map(int, parts)) if all(map(_INTEGER.fullmatch, parts)) else ()


def decimals(text: str) -> tuple[float, ...]:
    """Finite numbers between spaces or commas; none where the text is not all such numbers."""
    try:
        values = tuple(float(part) for part in text.replace(",", " ").split()[:_MOST_NUMBERS])
    except ValueError:
        return ()
    return values if all(math.isfinite(value) for value in values) else ()
