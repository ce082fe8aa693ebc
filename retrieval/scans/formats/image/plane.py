"""The shared way from the axes of a microscopy file or picture to facts."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, UnidentifiedImageError

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans import words
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.facts import Facts, Picture, dimension_of_axes, plausible, spacing_of
from retrieval.scans.reasons import Reason, Refused

_MOST_PIXELS = 24_000_000
Image.MAX_IMAGE_PIXELS = _MOST_PIXELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Extents by name. Channels never count as a dimension; spacing is rows, columns, z in mm."""

    format: Format
    x: int
    y: int
    z: int = 1
    t: int = 1
    channels: int = 1
    spacing: tuple[float, ...] = ()
    modality: Modality | None = None
    notes: tuple[Note, ...] = ()
    read: tuple[str, ...] = ("sizes",)


def axes_facts(blob: Blob, axes: Axes, draw: Callable[[], Picture] | None = None) -> Facts:
    """The facts; modality from the file, else from whole words of the name."""
    sizes = (axes.y, axes.x, axes.z, axes.t)
    plausible_shape = plausible(sizes)
    modality = axes.modality or words.modality_in(words.stem_of(blob.name))
    shape: tuple[int, ...] = sizes if axes.t > 1 else sizes[:3] if axes.z > 1 else sizes[:2]
    dimension = dimension_of_axes(axes.z, axes.t, axes.y, axes.x) if plausible_shape else None
    notes = (
        *axes.notes,
        *([] if plausible_shape else [Note.UNBELIEVABLE]),
        *(
            [Note.RGB]
            if axes.channels in (3, 4) and Note.RGB not in axes.notes and _is_picture(axes)
            else []
        ),
        *([] if modality else [Note.MODALITY_ASKED]),
    )
    info = ScanInfo(
        format=axes.format,
        modality=modality,
        dimension=dimension,
        body_part=words.body_part_in(words.stem_of(blob.name)),
        shape=shape if plausible_shape else (),
        spacing=spacing_of(axes.spacing) if axes.spacing else None,
        channels=axes.channels if axes.channels > 1 else None,
        notes=tuple(note.value for note in dict.fromkeys(notes)),
    )
    read = frozenset(f"{axes.format} {name}" for name in axes.read)
    return Facts(info=info, at=blob.at, kind="picture", draw=draw, read=read)


def _is_picture(axes: Axes) -> bool:
    return axes.format in (
        Format.PNG,
        Format.JPEG,
        Format.WEBP,
        Format.TIFF,
        Format.GIF,
        Format.BMP,
    )


def draw_with_pillow(blob: Blob) -> Picture:
    """The first page of a picture, decoded by Pillow once its size is known to be harmless."""
    if blob.size > blob.limit:
        raise Refused(Reason.TOO_BIG)
    try:
        with Image.open(io.BytesIO(blob.head(blob.limit))) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise Refused(Reason.TOO_BIG)
            image.draft("RGB", (512, 512))
            grey = image.mode in ("1", "L", "I", "F", "I;16", "I;16B", "LA")
            step = max(1, max(image.size) // 1024)
            pixels = np.asarray(image if grey and image.mode != "LA" else image.convert("RGB"))
    except (
        UnidentifiedImageError,
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as exc:
        raise Refused(Reason.NO_DECODER) from exc
    rgb = pixels.ndim == 3
    thin = pixels[::step, ::step]
    return Picture(pixels=thin[:, :, None] if not rgb else thin[:, :, None, :3], rgb=rgb)
