"""DICOM: with the DICM mark at 128, or bare data sets that begin with a low group."""

from __future__ import annotations

import struct

from retrieval.scans.dicom.instance import Instance, read_instance
from retrieval.scans.dicom.walk import LONG, SHORT
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context


def sniff(head: bytes, name: str) -> bool:
    """The mark decides; without it, the first element must be one a data set begins with."""
    return head[128:132] == b"DICM"


def sniff_bare(head: bytes, name: str) -> bool:
    """A data set without preamble: group 2 or 8 first, with a VR or a short length behind it."""
    if len(head) < 64:
        return False
    group, element = struct.unpack_from("<HH", head)
    if group not in (2, 8) or element > 0x0100:
        group, element = struct.unpack_from(">HH", head)
        big = group in (2, 8) and element <= 0x0100
        return big and (head[4:6] in LONG or head[4:6] in SHORT)
    vr = head[4:6]
    return vr in LONG or vr in SHORT or struct.unpack_from("<I", head, 4)[0] < 512


def read(blob: Blob, context: Context) -> Instance:
    """One instance; series are put together when all files are read."""
    return read_instance(blob)
