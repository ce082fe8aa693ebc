"""Microscope files with named axes: Zeiss CZI and Leica LIF; Nikon ND2 by its signature alone."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.formats.image.picture import Axes, axes_facts
from retrieval.scans.formats.image.xml import children, parse_count, parse_xml
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_CZI_METADATA_AT = 92
_MOST_CZI_XML, _MOST_LIF_XML = 16 << 20, 32 << 20
_LIF_AXES = {"1": "X", "2": "Y", "3": "Z", "4": "T"}


def sniff_lif(head: bytes) -> bool:
    """Block mark 0x70, then the memory mark of the XML text."""
    return head[:4] == b"\x70\0\0\0" and head[8:9] == b"\x2a"


def sniff_nd2(head: bytes) -> bool:
    """The chunk magic with the file signature, or the JPEG 2000 box of older files."""
    return head.startswith(b"\xda\xce\xbe\x0a") or (
        head[4:8] == b"jP  " and b"ftypjp2" in head[:40] and b"LABORATORY IMAGING" in head
    )


def read_nd2(blob: Blob, context: Context) -> Facts:
    """Nikon's microscopy format, whose extents are not read."""
    return _recognised(blob, Format.ND2)


def read_czi(blob: Blob, context: Context) -> Facts:
    """Extents out of the XML of the metadata segment; the format alone where there are none."""
    return _extents(blob, Format.CZI, _czi_sizes)


def read_lif(blob: Blob, context: Context) -> Facts:
    """Extents of the first image in the leading XML; the format alone where there are none."""
    return _extents(blob, Format.LIF, _lif_sizes)


def _recognised(blob: Blob, kind: Format) -> Facts:
    info = ScanInfo(format=kind, modality=Modality.MICROSCOPY)
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({f"{kind} signature"}))


def _extents(blob: Blob, kind: Format, sizes: Callable[[Blob], Mapping[str, int]]) -> Facts:
    try:
        size = sizes(blob)
    except (Refused, struct.error):
        return _recognised(blob, kind)
    axes = Axes(
        format=kind,
        x=size.get("X", 0),
        y=size.get("Y", 0),
        z=size.get("Z", 1),
        t=size.get("T", 1),
        channels=size.get("C", 1),
        modality=Modality.MICROSCOPY,
    )
    return axes_facts(blob, axes)


def _czi_sizes(blob: Blob) -> dict[str, int]:
    place = struct.unpack_from("<q", blob.head(128), _CZI_METADATA_AT)[0]
    segment = blob.slice(place, 288)
    if not segment.startswith(b"ZISRAWMETADATA"):
        raise Refused(Reason.CUT_SHORT)
    length = struct.unpack_from("<i", segment, 32)[0]
    if not 0 < length <= _MOST_CZI_XML:
        raise Refused(Reason.TOO_BIG)
    root = parse_xml(blob.slice(place + 32 + 256, length))
    images = [one for one in children(root, "Image") if one.find("SizeX") is not None]
    if not images:
        raise Refused(Reason.NO_FACTS)
    sizes = {axis: parse_count(images[0].findtext(f"Size{axis}")) for axis in "XYZTC"}
    return {axis: size for axis, size in sizes.items() if size}


def _lif_sizes(blob: Blob) -> dict[str, int]:
    letters = struct.unpack_from("<I", blob.head(16), 9)[0]
    if not 0 < letters * 2 <= _MOST_LIF_XML:
        raise Refused(Reason.TOO_BIG)
    root = parse_xml(blob.slice(13, letters * 2).decode("utf-16-le", "replace"))
    images = children(root, "ImageDescription")
    if not images:
        raise Refused(Reason.NO_FACTS)
    channels = children(images[0], "ChannelDescription")
    sizes = {"Y": 1, "C": max(1, len(channels))}  # a line scan names no Y
    for dimension in children(images[0], "DimensionDescription"):
        axis = _LIF_AXES.get(dimension.get("DimID", ""))
        count = parse_count(dimension.get("NumberOfElements"))
        if axis and count:
            sizes[axis] = count
    return sizes
