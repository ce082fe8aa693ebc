"""The allow-listed part of one DICOM file, as a pydicom data set."""

from __future__ import annotations

import hashlib
import io
import struct
from dataclasses import dataclass, field

from pydicom import config
from pydicom.dataset import Dataset
from pydicom.filereader import read_dataset

from retrieval.scans.dicom import tags
from retrieval.scans.dicom.codes import BIG, DEFLATED, IMPLICIT
from retrieval.scans.dicom.walk import FLOAT_PIXELS, LONG, SHORT, CutShort, Element, Walker
from retrieval.scans.reader.blob import RAW, Blob, Inflater
from retrieval.scans.reasons import Reason, Refused

config.settings.reading_validation_mode = config.IGNORE

_FIRST, _MOST = 1 << 16, 64 << 20
_DEFLATED_MOST = 48 << 20
_INFLATED = 1032
"""Bytes that one byte of a deflate stream can give at most: 258 for two bits."""

_GROUPS = (tags.SHARED_GROUPS, tags.FRAME_GROUPS)


@dataclass(slots=True)
class Header:
    """One file's wanted elements and where the rest lies.

    ``size`` counts plain bytes where it is known without inflating; ``most`` is never below it.
    """

    walker: Walker
    syntax: str
    sop_class: str
    meta_end: int
    size: int | None
    most: int | None
    elements: dict[int, Element] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    complete: bool = False
    furthest: int = 0
    deflated: bool = False
    preamble: bool = True
    pixels: Element | None = None
    values: Dataset = field(default_factory=Dataset)

    def raw(self, tag: int) -> bytes:
        """The undecoded value of an element, empty when absent."""
        element = self.elements.get(tag)
        return self.walker.data[element.value : element.end] if element else b""

    @property
    def overlong(self) -> bool:
        """Whether an element claims to end beyond all that the file can hold."""
        return self.most is not None and self.furthest > self.most

    def release(self) -> None:
        """Drop the undecoded bytes, except where the pixels are among them."""
        if not self.deflated:
            self.walker = Walker(b"", self.walker.implicit, self.walker.big)

    def digest(self, tag: int) -> str | None:
        """A digest of a value, to compare two files by; the value itself is not kept."""
        raw = self.raw(tag).strip(b" \0")
        return hashlib.blake2b(raw, digest_size=12).hexdigest() if raw else None


def read_header(blob: Blob) -> Header:
    """The header of one file; grows its window until the pixel data begin or the file ends.

    64 KiB first, which holds nearly every header, then 32 times as much up to 64 MiB: a large
    enhanced object has its functional groups before the pixels. Raises Refused (CUT_SHORT) where
    not even the meta group is complete.
    """
    count = _FIRST
    while True:
        data = blob.head(min(count, _MOST))
        header = _parse(data, blob)
        if header.complete or len(data) < count or count >= _MOST:
            break
        count *= 32
    if blob.packed and not header.deflated and len(data) < count:
        header.most = len(data)  # the stream ended here
    # Only wanted top-level elements reach pydicom, copied side by side into a small buffer.
    elements = (header.elements[tag] for tag in sorted(tags.WANTED.intersection(header.elements)))
    walker = header.walker
    raw = b"".join(walker.data[e.start : e.end] for e in elements if not e.undefined)
    header.values = read_dataset(
        io.BytesIO(raw),
        walker.implicit,
        not walker.big,
        stop_when=lambda tag, _vr, _length: tag >= FLOAT_PIXELS,
    )
    return header


def _meta(data: bytes) -> tuple[int, str, str]:
    """Where the data set begins, its transfer syntax, and the SOP class of the meta group."""
    # Some files begin with the mark: what lies behind it is a meta group all the same.
    at = 132 if data[128:132] == b"DICM" else 4 if data.startswith(b"DICM") else 0
    walker, syntax, sop_class = Walker(data), "", ""
    while data[at : at + 2] == b"\2\0":
        _, _, value, length = walker.header(at)
        text = data[value : value + length].strip(b"\0 ").decode("ascii", "replace")
        tag = struct.unpack_from("<HH", data, at)
        syntax = text if tag == (2, 0x10) else syntax
        sop_class = text if tag == (2, 2) else sop_class
        at = value + length
    return at, syntax, sop_class


def _parse(data: bytes, blob: Blob) -> Header:
    try:
        at, syntax, sop_class = _meta(data)
    except CutShort:
        raise Refused(Reason.CUT_SHORT) from None
    body, start, size = data, at, blob.plain_size
    deflated = syntax in DEFLATED
    if deflated:
        with blob.open() as stream:
            stream.read(at)
            body, start, size = Inflater(stream, RAW).read(_DEFLATED_MOST), 0, None
    big = syntax == BIG or (not syntax and body[start : start + 2] in (b"\0\2", b"\0\x08"))
    # As the first element is written: the declared syntax is often wrong.
    vr = body[start + 4 : start + 6]
    explicit = vr in LONG or vr in SHORT
    if syntax == IMPLICIT:
        implicit = not (explicit and body[start + 6 : start + 8] != b"\0\0")
    else:
        implicit = not explicit and not (vr.isalpha() and vr.isupper())
    walker = Walker(body, implicit=implicit, big=big)
    most = size if not blob.packed or deflated else blob.size * _INFLATED
    header = Header(walker, syntax, sop_class, at, size, most, deflated=deflated)
    header.preamble = data[128:132] == b"DICM"
    _collect(header, start)
    header.complete |= deflated
    return header


def _collect(header: Header, at: int) -> None:
    header.furthest = at
    try:
        for element in header.walker.elements(at):
            header.furthest = max(header.furthest, 0 if element.undefined else element.end)
            if element.tag >= FLOAT_PIXELS:
                header.complete = True
                header.pixels = element if element.tag < 0x7FE10000 else None
                return
            _sort(header, element)
        header.complete = header.size is None or len(header.walker.data) >= header.size
    except CutShort:
        return


def _sort(header: Header, element: Element) -> None:
    filled = element.undefined or element.end > element.value
    wanted = element.tag in tags.WANTED or tags.is_of_mosaic(element.tag)
    if wanted or element.tag in _GROUPS:
        if element.end <= len(header.walker.data):
            header.elements.setdefault(element.tag, element)
    elif element.tag in (tags.PATIENT_ID, tags.CONTRAST_AGENT) and filled:
        header.elements.setdefault(element.tag, element)
    if not filled:
        return
    if name := tags.IDENTIFYING.get(element.tag):
        header.dropped.append(name)
    elif (element.tag >> 16) % 2:
        header.dropped.append(tags.PRIVATE)
