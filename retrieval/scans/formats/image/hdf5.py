"""HDF5 containers by the names inside them, found without parsing the trees of the file.

Old files keep the names of dimensions in one heap and write an attribute per dimension in the same
order; new ones write links, a name followed by the address of its object. Both are enough for
MINC 2.
"""

from __future__ import annotations

import re
import struct

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts

MARK = b"\x89HDF\r\n\x1a\n"
_HEAD = 1 << 20
#: Every one of these names must occur.
_KINDS: tuple[tuple[Format, tuple[bytes, ...], Modality | None], ...] = (
    (Format.IMARIS, (b"ImarisDataSet", b"DataSetInfo"), Modality.MICROSCOPY),
    (Format.ISMRMRD, (b"ismrmrd", b"xml"), Modality.MRI),
    (Format.NWB, (b"nwb_version",), None),
    (Format.H5AD, (b"encoding-type", b"anndata"), Modality.SCRNA),
    (Format.LOOM, (b"LOOM_SPEC_VERSION",), None),
)
_DIMENSION = rb"(?:time|[xyz]space|vector_dimension)"
_HEAP = re.compile(rb"(?:" + _DIMENSION + rb"\0+){2,}")
_LINK = re.compile(rb"(?<![A-Za-z-])(" + _DIMENSION + rb")(.{8})", re.DOTALL)
_REACH = 4096


def read(blob: Blob, context: Context) -> Facts:
    """The kind of container; its arrays are not opened, so it has no dimension."""
    head = blob.head(_HEAD)
    matches = (row for row in _KINDS if all(name in head for name in row[1]))
    kind, _, modality = next(matches, (Format.HDF5, (), None))
    notes = () if modality else (Note.MODALITY_ASKED.value,)
    info = ScanInfo(format=kind, modality=modality, notes=notes)
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({"HDF5 group names"}))


def is_named(head: bytes, name: bytes) -> bool:
    """Whether the name stands alone somewhere."""
    return re.search(rb"(?<![A-Za-z-])" + name + rb"(?![A-Za-z-])", head) is not None


def linked_lengths(head: bytes) -> dict[bytes, int]:
    """Lengths of dimensions whose links lead to an object header with a length."""
    lengths: dict[bytes, int] = {}
    for name, raw in _LINK.findall(head):
        address = int.from_bytes(raw, "little")
        if head[address : address + 4] == b"OHDR" and name not in lengths:
            values = _attributes(head[address : address + _REACH], b"length\0", "<i")
            if values:
                lengths[name] = int(values[0])
    return lengths


def listed(head: bytes, attribute: bytes, code: str) -> dict[bytes, float]:
    """Values of an attribute that all dimensions have, in the order of the names in their heap.

    ``code`` is struct's. Empty where the file has fewer values than names.
    """
    heap = _HEAP.search(head)
    names = [name for name in heap.group(0).split(b"\0") if name] if heap else []
    values = _attributes(head, attribute, code)
    return dict(zip(names, values, strict=False)) if len(values) >= len(names) else {}


def _attributes(head: bytes, name: bytes, code: str) -> list[float]:
    """Scalar values of the attributes of this name, in the order of the file."""
    values: list[float] = []
    at = head.find(name)
    while at >= 0 and len(values) < 64:
        place = _value_place(head, at, len(name))
        if place and place + 8 <= len(head):
            values.append(float(struct.unpack_from(code, head, place)[0]))
        at = head.find(name, at + 1)
    return values


def _value_place(head: bytes, at: int, length: int) -> int:
    """Where the value of an attribute message lies; 0 when this is none.

    Version 1 pads name, type and space to 8 bytes; version 3 has a byte more and no padding.
    """
    for version, start, unit in ((1, at - 8, 8), (3, at - 9, 1)):
        if start >= 0 and head[start] == version:
            sizes = struct.unpack_from("<3H", head, start + 2)
            if sizes[0] == length:
                return int(at + sum(-(-size // unit) * unit for size in sizes))
    return 0
