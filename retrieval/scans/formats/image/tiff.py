"""TIFF and BigTIFF with what builds on them: OME-TIFF, ImageJ stacks, SVS, NDPI."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import partial

from retrieval.core import Format, Modality
from retrieval.scans.formats.image.picture import Axes, axes_facts, draw_with_pillow
from retrieval.scans.formats.image.xml import read_ome
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_WIDTH, _HEIGHT, _SUBFILE, _DESCRIPTION, _SAMPLES, _NDPI = 256, 257, 254, 270, 277, 65420
_NUMBERS = frozenset({_WIDTH, _HEIGHT, _SUBFILE, _SAMPLES, _NDPI})
_CODES = {1: "B", 3: "H", 4: "I", 9: "i", 16: "Q"}
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}
_SIZES |= {17: 8, 18: 8}
_MOST_PAGES, _MOST_TEXT = 20_000, 4 << 20
_IMAGEJ = re.compile(rb"^(images|channels|slices|frames)=(\d{1,7})\s*$", re.MULTILINE)


def sniff(head: bytes) -> bool:
    """Either byte order, classic or big."""
    return head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


@dataclass(frozen=True, slots=True)
class _Page:
    """The wanted tags of one directory: numbers, and the description as bytes."""

    numbers: dict[int, int] = field(default_factory=dict)
    text: bytes = b""

    @property
    def size(self) -> tuple[int, int, int]:
        """Width, height, samples."""
        width, height = self.numbers.get(_WIDTH, 0), self.numbers.get(_HEIGHT, 0)
        return width, height, self.numbers.get(_SAMPLES, 1)

    @property
    def reduced(self) -> bool:
        """Whether it is a smaller copy of another page, or a mask."""
        return bool(self.numbers.get(_SUBFILE, 0) & 5)


class _Directories:
    """The chain of image file directories, read through a sliding window."""

    def __init__(self, blob: Blob) -> None:
        head = blob.head(16)
        if len(head) < 8:
            raise Refused(Reason.CUT_SHORT)
        self.blob, self.order = blob, "<" if head[:2] == b"II" else ">"
        self.big = head[2:4] in (b"+\0", b"\0+")
        self.word, at = ("Q", 8) if self.big else ("I", 4)
        self.next = struct.unpack_from(self.order + self.word, head.ljust(16, b"\0"), at)[0]
        self.window = (0, b"")

    def read(self, at: int, count: int) -> bytes:
        """Bytes of the file, from the window read last where it holds them."""
        start, data = self.window
        if not start <= at <= at + count <= start + len(data):
            self.window = (at, self.blob.slice(at, max(count, 1 << 16)))
            start, data = self.window
        return data[at - start : at - start + count]

    def pages(self) -> list[_Page]:
        """All pages up to a limit; a chain that loops ends."""
        offsets: set[int] = set()
        pages: list[_Page] = []
        while self.next and self.next not in offsets and len(pages) < _MOST_PAGES:
            offsets.add(self.next)
            pages.append(self._page(self.next, first=not pages))
        return pages

    def _page(self, at: int, *, first: bool) -> _Page:
        width, entry, tail = (8, 20, 8) if self.big else (2, 12, 4)
        raw = self.read(at, width)
        if len(raw) < width:
            self.next = 0
            return _Page()
        count = struct.unpack(self.order + ("Q" if self.big else "H"), raw)[0]
        if count > 4096:
            raise Refused(Reason.UNREADABLE)
        table = self.read(at + width, count * entry + tail)
        numbers: dict[int, int] = {}
        text = b""
        for k in range(min(count, len(table) // entry)):
            row = table[k * entry : (k + 1) * entry]
            tag, kind = struct.unpack_from(self.order + "HH", row)
            code = _CODES.get(kind)
            if tag in _NUMBERS and code:
                place = 12 if self.big else 8
                numbers[tag] = struct.unpack_from(self.order + code, row, place)[0]
            elif tag == _DESCRIPTION and first:
                text = self._text(row, kind) or text
        after = table[count * entry :]
        self.next = struct.unpack(self.order + self.word, after)[0] if len(after) == tail else 0
        return _Page(numbers, text)

    def _text(self, row: bytes, kind: int) -> bytes:
        """The value of an entry: in the entry itself, or where that points to."""
        size = _SIZES.get(kind, 1) * struct.unpack_from(self.order + self.word, row, 4)[0]
        inline = row[12:] if self.big else row[8:]
        if size <= len(inline):
            return inline[:size]
        place = struct.unpack(self.order + self.word, inline)[0]
        return self.blob.slice(place, min(size, _MOST_TEXT))


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one TIFF; pages of the first one's size are a stack."""
    pages = _Directories(blob).pages()
    if not pages or not all(pages[0].size[:2]):
        raise Refused(Reason.CUT_SHORT)
    first, text = pages[0], pages[0].text
    width, height, samples = first.size
    if b"<OME" in text[:4096] and (ome := read_ome(text.rstrip(b"\0"))):
        axes = ome
    elif text.startswith(b"Aperio") or _NDPI in first.numbers:
        axes = Axes(
            format=Format.SVS if text.startswith(b"Aperio") else Format.NDPI,
            x=width,
            y=height,
            modality=Modality.SM,
            channels=samples,
            whole_slide=True,
        )
    else:
        same = sum(page.size == first.size and not page.reduced for page in pages)
        z, t, channels = _imagej(text) or (same, 1, samples)
        axes = Axes(format=Format.TIFF, x=width, y=height, z=z, t=t, channels=channels)
    return axes_facts(blob, axes, partial(draw_with_pillow, blob))


def _imagej(text: bytes) -> tuple[int, int, int] | None:
    """Slices, frames and channels of an ImageJ hyperstack."""
    if not text.startswith(b"ImageJ="):
        return None
    counts = {key.decode(): int(value) for key, value in _IMAGEJ.findall(text)}
    slices, frames, channels = (counts.get(k, 1) for k in ("slices", "frames", "channels"))
    if slices * frames * channels == 1:
        slices = counts.get("images", 1)
    return slices, frames, channels
