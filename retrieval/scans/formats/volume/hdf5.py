"""MINC 1 (netCDF classic), MINC 2 (HDF5), and other HDF5 containers by the names inside them.

The trees of an HDF5 file are not parsed. Old files keep the names of dimensions in one heap and
write an attribute per dimension in the same order; new ones write links, a name followed by the
address of its object. Both are enough for MINC 2.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.formats.volume.grid import Grid, grid_facts
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts, dimension_of_axes
from retrieval.scans.reasons import Reason, Refused

MARK = b"\x89HDF\r\n\x1a\n"
_CONTAINER_HEAD = 1 << 20
_HEAD = 4 << 20
_SPACE = (b"xspace", b"yspace", b"zspace", b"time")
_MOST_NAMES = 10_000
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


def sniff_minc1(head: bytes) -> bool:
    """netCDF classic whose dimensions are MINC's."""
    return head[:3] == b"CDF" and head[3:4] in b"\1\2" and b"xspace" in head


def sniff_minc2(head: bytes) -> bool:
    """HDF5 with MINC 2's root group."""
    return head.startswith(MARK) and b"minc-2.0" in head


def read_minc1(blob: Blob, context: Context) -> Facts:
    """The facts of a MINC 1 file."""
    return _facts(blob, _netcdf_dimensions(blob.head(_HEAD)), {})


def _netcdf_dimensions(head: bytes) -> dict[bytes, int]:
    """The dimension list, which stands first in the header."""
    lengths: dict[bytes, int] = {}
    records, mark, count = struct.unpack_from(">3I", head, 4)
    at = 16
    if mark != 10 or count > _MOST_NAMES:
        raise Refused(Reason.UNREADABLE)
    for _ in range(count):
        length = struct.unpack_from(">I", head, at)[0]
        name = head[at + 4 : at + 4 + min(length, 64)]
        at += 4 + -(-length // 4) * 4
        lengths[name] = struct.unpack_from(">I", head, at)[0] or records
        at += 4
    return lengths


def read_minc2(blob: Blob, context: Context) -> Facts:
    """The facts of a MINC 2 file, out of the names and attributes HDF5 wrote for dimensions."""
    head = blob.head(min(_HEAD, blob.size if not blob.packed else _HEAD))
    lengths = _linked_lengths(head) or _values_by_name(head, b"length\0", "<i")
    if lengths:
        return _facts(blob, lengths, _values_by_name(head, b"step\0", "<d"))
    alone = rb"(?<![A-Za-z-])%s(?![A-Za-z-])"
    axis_names = [name for name in _SPACE if re.search(alone % name, head)]
    if len(axis_names) < 2:
        raise Refused(Reason.UNREADABLE)
    has_depth = set(_SPACE[:3]).issubset(axis_names)
    dimension = dimension_of_axes(has_depth=has_depth, over_time=b"time" in axis_names)
    notes = (Note.MODALITY_ASKED.value,)
    info = ScanInfo(format=Format.MINC, dimension=dimension, notes=notes)
    return Facts(info=info, at=blob.at, read=frozenset({"MINC dimensions"}))


def _facts(blob: Blob, lengths: Mapping[bytes, float], steps: Mapping[bytes, float]) -> Facts:
    if sum(name in lengths for name in _SPACE) < 2:
        raise Refused(Reason.UNREADABLE)
    grid = Grid(
        format=Format.MINC,
        shape=tuple(int(lengths.get(name, 1)) for name in _SPACE),
        spacing=tuple(abs(steps[name]) for name in _SPACE[:3] if name in steps),
        channels=int(lengths.get(b"vector_dimension", 0)) or None,
    )
    return grid_facts(blob, grid)


def read_container(blob: Blob, context: Context) -> Facts:
    """The kind of container; its arrays are not opened, so it has no dimension."""
    head = blob.head(_CONTAINER_HEAD)
    matches = (row for row in _KINDS if all(name in head for name in row[1]))
    kind, _, modality = next(matches, (Format.HDF5, (), None))
    notes = () if modality else (Note.MODALITY_ASKED.value,)
    info = ScanInfo(format=kind, modality=modality, notes=notes)
    return Facts(info=info, at=blob.at, kind="other", read=frozenset({"HDF5 group names"}))


def _linked_lengths(head: bytes) -> dict[bytes, int]:
    """Lengths of dimensions whose links lead to an object header with a length."""
    lengths: dict[bytes, int] = {}
    for name, raw in _LINK.findall(head):
        address = int.from_bytes(raw, "little")
        if head[address : address + 4] == b"OHDR" and name not in lengths:
            values = _attributes(head[address : address + _REACH], b"length\0", "<i")
            if values:
                lengths[name] = int(values[0])
    return lengths


def _values_by_name(head: bytes, attribute: bytes, code: str) -> dict[bytes, float]:
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
