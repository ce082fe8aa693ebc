"""Leica LIF: an XML description in UTF-16 at the start of the file."""

from __future__ import annotations

import struct
from xml.etree.ElementTree import Element

from retrieval.core.codes import Format, Modality
from retrieval.scans.blob import Blob
from retrieval.scans.context import Context
from retrieval.scans.facts import Facts
from retrieval.scans.formats.plane import Axes, axes_facts
from retrieval.scans.formats.signature import recognised
from retrieval.scans.formats.xml import children, parse_xml, whole
from retrieval.scans.reasons import Reason, Refused

_MOST_XML = 32 << 20
_AXES = {"1": "X", "2": "Y", "3": "Z", "4": "T"}


def sniff(head: bytes, name: str) -> bool:
    """Block mark 0x70, then the memory mark of the XML text."""
    return head[:4] == b"\x70\0\0\0" and head[8:9] == b"\x2a"


def read(blob: Blob, context: Context) -> Facts:
    """Extents of the first image; the format alone where there are none."""
    try:
        size = _sizes(blob)
    except (Refused, struct.error):
        return recognised(blob, Format.LIF, Modality.MICROSCOPY)
    axes = Axes(
        format=Format.LIF,
        x=size.get("X", 0),
        y=size.get("Y", 1),
        z=size.get("Z", 1),
        t=size.get("T", 1),
        channels=size.get("C", 1),
        modality=Modality.MICROSCOPY,
    )
    return axes_facts(blob, axes)


def _sizes(blob: Blob) -> dict[str, int]:
    letters = struct.unpack_from("<I", blob.head(16), 9)[0]
    if not 0 < letters * 2 <= _MOST_XML:
        raise Refused(Reason.TOO_BIG)
    root = parse_xml(blob.slice(13, letters * 2).decode("utf-16-le", "replace"))
    images = children(root, "ImageDescription")
    if not images:
        raise Refused(Reason.NO_FACTS)
    return _axes(images[0])


def _axes(image: Element) -> dict[str, int]:
    found = {"C": max(1, len(children(image, "ChannelDescription")))}
    for dimension in children(image, "DimensionDescription"):
        axis, count = (
            _AXES.get(dimension.get("DimID", "")),
            whole(dimension.get("NumberOfElements")),
        )
        if axis and count:
            found[axis] = count
    return found
