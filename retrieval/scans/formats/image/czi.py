"""Zeiss CZI: segments; the metadata segment holds XML with the extents."""

from __future__ import annotations

import struct

from retrieval.core import Format
from retrieval.scans.formats.image.microscope import extents
from retrieval.scans.formats.image.xml import children, parse_count, parse_xml
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_METADATA_AT = 92
_MOST_XML = 16 << 20


def sniff(head: bytes, name: str) -> bool:
    """The identifier of the file segment."""
    return head.startswith(b"ZISRAWFILE")


def read(blob: Blob, context: Context) -> Facts:
    """Extents out of the metadata; the format alone where there are none."""
    return extents(blob, Format.CZI, _sizes)


def _sizes(blob: Blob) -> dict[str, int]:
    place = struct.unpack_from("<q", blob.head(128), _METADATA_AT)[0]
    segment = blob.slice(place, 288)
    if not segment.startswith(b"ZISRAWMETADATA"):
        raise Refused(Reason.CUT_SHORT)
    length = struct.unpack_from("<i", segment, 32)[0]
    if not 0 < length <= _MOST_XML:
        raise Refused(Reason.TOO_BIG)
    root = parse_xml(blob.slice(place + 32 + 256, length))
    images = [one for one in children(root, "Image") if one.find("SizeX") is not None]
    if not images:
        raise Refused(Reason.NO_FACTS)
    sizes = {axis: parse_count(images[0].findtext(f"Size{axis}")) for axis in "XYZTC"}
    return {axis: size for axis, size in sizes.items() if size}
