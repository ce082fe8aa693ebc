"""PNG, JPEG, WebP, GIF and BMP: extents from the header, drawn by Pillow."""

from __future__ import annotations

import struct
from functools import partial

from retrieval.core import Format
from retrieval.scans.formats.image.plane import Axes, axes_facts, draw_with_pillow
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_JPEG_MOST = 4 << 20


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
