"""TIFF and BigTIFF with what builds on them: OME-TIFF, ImageJ stacks, SVS, NDPI."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import partial

from retrieval.core import Format, Modality
from retrieval.scans.formats.image.plane import Axes, axes_facts, draw_with_pillow
from retrieval.scans.formats.image.xml import OmeImage, read_ome
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_WIDTH, _HEIGHT, _SUBFILE, _DESCRIPTION, _SAMPLES, _NDPI = 256, 257, 254, 270, 277, 65420
_WANTED = frozenset({_WIDTH, _HEIGHT, _SUBFILE, _DESCRIPTION, _SAMPLES, _NDPI})
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
        return (
            self.numbers.get(_WIDTH, 0),
            self.numbers.get(_HEIGHT, 0),
            self.numbers.get(_SAMPLES, 1),
        )

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
        code, at = ("Q", 8) if self.big else ("I", 4)
        self.next = struct.unpack_from(self.order + code, head.ljust(16, b"\0"), at)[0]
        self.window = (0, b"")

    def read(self, at: int, count: int) -> bytes:
        """Bytes of the file, most of them out of the window read last."""
        start, data = self.window
        if not start <= at <= at + count <= start + len(data):
            self.window = (at, self.blob.slice(at, max(count, 1 << 16)))
            start, data = self.window
        return data[at - start : at - start + count]

    def pages(self) -> list[_Page]:
        """All pages up to a limit; a chain that bites its tail ends."""
        seen: set[int] = set()
        pages: list[_Page] = []
        while self.next and self.next not in seen and len(pages) < _MOST_PAGES:
            seen.add(self.next)
            pages.append(self._page(self.next, first=not pages))
        return pages

    def _page(self, at: int, *, first: bool) -> _Page:
        width, entry = (8, 20) if self.big else (2, 12)
        raw = self.read(at, width)
        if len(raw) < width:
            self.next = 0
            return _Page()
        count = struct.unpack(self.order + ("Q" if self.big else "H"), raw)[0]
        if count > 4096:
            raise Refused(Reason.UNREADABLE)
        table = self.read(at + width, count * entry + (8 if self.big else 4))
        page = _Page()
        text = b""
        for k in range(min(count, len(table) // entry)):
            text = self._entry(page, table[k * entry : (k + 1) * entry], first) or text
        tail = table[count * entry :]
        code = "Q" if self.big else "I"
        full = len(tail) == (8 if self.big else 4)
        self.next = struct.unpack(self.order + code, tail)[0] if full else 0
        return _Page(page.numbers, text)

    def _entry(self, page: _Page, raw: bytes, first: bool) -> bytes:
        tag, kind = struct.unpack_from(self.order + "HH", raw)
        if tag not in _WANTED:
            return b""
        count = struct.unpack_from(self.order + ("Q" if self.big else "I"), raw, 4)[0]
        inline = raw[12:] if self.big else raw[8:]
        size = _SIZES.get(kind, 1) * count
        if tag != _DESCRIPTION:
            code = {3: "H", 4: "I", 16: "Q", 1: "B", 9: "i"}.get(kind)
            if code:
                page.numbers[tag] = struct.unpack_from(self.order + code, inline)[0]
            return b""
        if not first:
            return b""
        if size <= len(inline):
            return inline[:size]
        place = struct.unpack(self.order + ("Q" if self.big else "I"), inline)[0]
        return self.blob.slice(place, min(size, _MOST_TEXT))


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one TIFF; pages of the first one's size are a stack."""
    pages = _Directories(blob).pages()
    if not pages or not all(pages[0].size[:2]):
        raise Refused(Reason.CUT_SHORT)
    first, text = pages[0], pages[0].text
    draw = partial(draw_with_pillow, blob)
    if b"<OME" in text[:4096] and (ome := read_ome(text.rstrip(b"\0"))):
        return axes_facts(blob, _ome_axes(ome), draw)
    width, height, samples = first.size
    aperio = first.text.startswith(b"Aperio")
    slide = Format.SVS if aperio else Format.NDPI if _NDPI in first.numbers else None
    if slide is not None:
        notes = (Note.WHOLE_SLIDE,)
        axes = Axes(
            format=slide, x=width, y=height, modality=Modality.SM, channels=samples, notes=notes
        )
        return axes_facts(blob, axes, draw)
    same = sum(page.size == first.size and not page.reduced for page in pages)
    z, t, channels = _imagej(text) or (same, 1, samples)
    axes = Axes(format=Format.TIFF, x=width, y=height, z=z, t=t, channels=channels)
    return axes_facts(blob, axes, draw)


def _ome_axes(ome: OmeImage) -> Axes:
    return Axes(
        format=Format.OME_TIFF,
        x=ome.x,
        y=ome.y,
        z=ome.z or 1,
        t=ome.t or 1,
        channels=ome.channels,
        spacing=ome.spacing,
        modality=ome.modality,
        read=("sizes", "physical sizes", "acquisition mode"),
    )


def _imagej(text: bytes) -> tuple[int, int, int] | None:
    """Slices, frames and channels of an ImageJ hyperstack."""
    if not text.startswith(b"ImageJ="):
        return None
    counts = {key.decode(): int(value) for key, value in _IMAGEJ.findall(text)}
    slices, frames, channels = (counts.get(k, 1) for k in ("slices", "frames", "channels"))
    if slices * frames * channels == 1:
        slices = counts.get("images", 1)
    return slices, frames, channels
