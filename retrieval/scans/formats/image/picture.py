"""From the axes of an image to facts; PNG, JPEG, WebP, GIF and BMP, drawn by Pillow."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PIL import Image, UnidentifiedImageError

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans import words
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts, Picture, dimension_of_axes, plausible, spacing_of
from retrieval.scans.reasons import Reason, Refused

_MOST_PIXELS = 24_000_000
Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
_PICTURES = frozenset({Format.PNG, Format.JPEG, Format.WEBP, Format.TIFF, Format.GIF, Format.BMP})
_DECODE_FAILS = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    Image.DecompressionBombError,
)
_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_JPEG_MOST = 4 << 20


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
    whole_slide: bool = False
    read: tuple[str, ...] = ("sizes",)


def axes_facts(blob: Blob, axes: Axes, draw: Callable[[], Picture] | None = None) -> Facts:
    """The facts; modality from the file, else from whole words of the name."""
    sizes = (axes.y, axes.x, axes.z, axes.t)
    plausible_shape = plausible(sizes)
    stem = words.stem_of(blob.name)
    modality = axes.modality or words.modality_in(stem)
    shape: tuple[int, ...] = sizes if axes.t > 1 else sizes[:3] if axes.z > 1 else sizes[:2]
    dimension = dimension_of_axes(has_depth=axes.z > 1, over_time=axes.t > 1)
    coloured = axes.format in _PICTURES and axes.channels in (3, 4)
    notes = (
        (Note.WHOLE_SLIDE, axes.whole_slide),
        (Note.UNBELIEVABLE, not plausible_shape),
        (Note.RGB, coloured),
        (Note.MODALITY_ASKED, modality is None),
    )
    info = ScanInfo(
        format=axes.format,
        modality=modality,
        dimension=dimension if plausible_shape else None,
        body_part=words.body_part_in(stem),
        shape=shape if plausible_shape else (),
        spacing=spacing_of(axes.spacing) if axes.spacing else None,
        channels=axes.channels if axes.channels > 1 else None,
        notes=tuple(note.value for note, applies in notes if applies),
    )
    field_names = frozenset(f"{axes.format} {name}" for name in axes.read)
    name_words = words.words_of_picture(blob.name)
    return Facts(
        info=info, at=blob.at, kind="picture", draw=draw, read=field_names, name_words=name_words
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
    except _DECODE_FAILS as exc:
        raise Refused(Reason.NO_DECODER) from exc
    rgb = pixels.ndim == 3
    thin = pixels[::step, ::step]
    return Picture(pixels=thin[:, :, None] if not rgb else thin[:, :, None, :3], rgb=rgb)


def sniff(head: bytes) -> bool:
    """One of the picture signatures."""
    return _kind(head) is not None


def _kind(head: bytes) -> Format | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return Format.PNG
    if head.startswith(b"\xff\xd8\xff"):
        return Format.JPEG
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Format.WEBP
    if head[:6] in (b"GIF87a", b"GIF89a"):
        return Format.GIF
    if head[4:12] == b"jP  \r\n\x87\n" or head.startswith(b"\xff\x4f\xff\x51"):
        return Format.JPEG2000
    return Format.BMP if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0" else None


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one picture."""
    head = blob.head(4096)
    kind = _kind(head)
    if kind is None:
        raise Refused(Reason.UNKNOWN_FORMAT)
    try:
        width, height, channels = _extent(kind, head, blob)
    except struct.error as exc:
        raise Refused(Reason.CUT_SHORT) from exc
    axes = Axes(format=kind, x=width, y=height, channels=channels)
    return axes_facts(blob, axes, partial(draw_with_pillow, blob))


def _extent(kind: Format, head: bytes, blob: Blob) -> tuple[int, int, int]:
    if kind == Format.PNG:
        width, height, _, colour = struct.unpack_from(">IIBB", head, 16)
        return width, height, _PNG_CHANNELS.get(colour, 1)
    if kind == Format.JPEG:
        return _jpeg(blob.head(_JPEG_MOST))
    if kind == Format.WEBP:
        return _webp(head)
    if kind == Format.GIF:
        width, height = struct.unpack_from("<HH", head, 6)
        return width, height, 3
    if kind == Format.JPEG2000:
        at = head.find(b"\xff\x4f\xff\x51")
        if at < 0:
            raise Refused(Reason.CUT_SHORT)
        # SIZ: the extent of the reference grid less its origin (ISO/IEC 15444-1 A.5.1).
        right, bottom, left, top = struct.unpack_from(">4I", head, at + 8)
        return right - left, bottom - top, struct.unpack_from(">H", head, at + 40)[0]
    width, height = struct.unpack_from("<ii", head, 18)
    return width, abs(height), 3


def _jpeg(head: bytes) -> tuple[int, int, int]:
    """The first start-of-frame segment."""
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker, length = struct.unpack_from(">BH", head, at + 1)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack_from(">HHB", head, at + 5)
            return width, height, channels
        at += 2 + length
    raise Refused(Reason.CUT_SHORT)


def _webp(head: bytes) -> tuple[int, int, int]:
    if head[12:16] == b"VP8X":
        width = int.from_bytes(head[24:27], "little") + 1
        return width, int.from_bytes(head[27:30], "little") + 1, 3
    if head[12:16] == b"VP8L":
        bits = struct.unpack_from("<I", head, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, 3
    width, height = struct.unpack_from("<HH", head, 26)
    return width & 0x3FFF, height & 0x3FFF, 3
