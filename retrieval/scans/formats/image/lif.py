"""Leica LIF: an XML description in UTF-16 at the start of the file."""

from __future__ import annotations

import struct
from xml.etree.ElementTree import Element

from retrieval.core import Format
from retrieval.scans.formats.image.microscope import extents
from retrieval.scans.formats.image.xml import children, parse_count, parse_xml
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_MOST_XML = 32 << 20
_AXES = {"1": "X", "2": "Y", "3": "Z", "4": "T"}


def sniff(head: bytes, name: str) -> bool:
    """Block mark 0x70, then the memory mark of the XML text."""
    return head[:4] == b"\x70\0\0\0" and head[8:9] == b"\x2a"


def read(blob: Blob, context: Context) -> Facts:
    """Extents of the first image; the format alone where there are none."""
    return extents(blob, Format.LIF, _sizes)


def _sizes(blob: Blob) -> dict[str, int]:
    letters = struct.unpack_from("<I", blob.head(16), 9)[0]
    if not 0 < letters * 2 <= _MOST_XML:
        raise Refused(Reason.TOO_BIG)
    root = parse_xml(blob.slice(13, letters * 2).decode("utf-16-le", "replace"))
    images = children(root, "ImageDescription")
    if not images:
        raise Refused(Reason.NO_FACTS)
    return {"Y": 1, **_axes(images[0])}  # a line scan names no Y


def _axes(image: Element) -> dict[str, int]:
    sizes = {"C": max(1, len(children(image, "ChannelDescription")))}
    for dimension in children(image, "DimensionDescription"):
        axis, count = (
            _AXES.get(dimension.get("DimID", "")),
            parse_count(dimension.get("NumberOfElements")),
        )
        if axis and count:
            sizes[axis] = count
    return sizes
