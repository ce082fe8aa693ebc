"""Dimension names and their attributes in an HDF5 file, found without parsing its trees.

Old files keep names in one heap and write an attribute per dimension in the same order; new ones
write links, a name followed by the address of its object. Both are enough for MINC 2.
"""

from __future__ import annotations

import re
import struct

_DIMENSION = rb"(?:time|[xyz]space|vector_dimension)"
_HEAP = re.compile(rb"(?:" + _DIMENSION + rb"\0+){2,}")
_LINK = re.compile(rb"(?<![A-Za-z-])(" + _DIMENSION + rb")(.{8})", re.DOTALL)
_REACH = 4096


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


def _heap_names(head: bytes) -> list[bytes]:
    heap = _HEAP.search(head)
    return [name for name in heap.group(0).split(b"\0") if name] if heap else []


def listed_lengths(head: bytes) -> dict[bytes, int]:
    """Lengths in the order of the names in their heap."""
    names, values = _heap_names(head), _attributes(head, b"length\0", "<i")
    return dict(zip(names, map(int, values), strict=False)) if len(values) >= len(names) else {}


def listed_steps(head: bytes) -> dict[bytes, float]:
    """Steps (mm) in the order of the names in their heap."""
    names, values = _heap_names(head), _attributes(head, b"step\0", "<d")
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
    if at >= 8 and head[at - 8] == 1:
        sizes = struct.unpack_from("<3H", head, at - 6)
        if sizes[0] == length:
            return int(at + sum(-(-size // 8) * 8 for size in sizes))
    if at >= 9 and head[at - 9] == 3:
        sizes = struct.unpack_from("<3H", head, at - 7)
        if sizes[0] == length:
            return int(at + sum(sizes))
    return 0
