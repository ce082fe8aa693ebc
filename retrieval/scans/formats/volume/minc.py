"""MINC 1 (netCDF classic) and MINC 2 (HDF5): named dimensions with their lengths."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from retrieval.core import Dimension, Format, ScanInfo
from retrieval.scans.formats.image.hdf5 import MARK, is_named, linked_lengths, listed
from retrieval.scans.formats.volume.grid import Grid, grid_facts
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Reason, Refused

_HEAD = 4 << 20
_SPACE = (b"xspace", b"yspace", b"zspace", b"time")
_MOST_NAMES = 10_000


def sniff_netcdf(head: bytes) -> bool:
    """netCDF classic whose dimensions are MINC's."""
    return head[:3] == b"CDF" and head[3:4] in b"\1\2" and b"xspace" in head


def sniff_hdf5(head: bytes) -> bool:
    """HDF5 with MINC 2's root group."""
    return head.startswith(MARK) and b"minc-2.0" in head


def read_netcdf(blob: Blob, context: Context) -> Facts:
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


def read_hdf5(blob: Blob, context: Context) -> Facts:
    """The facts of a MINC 2 file, out of the names and attributes HDF5 wrote for dimensions."""
    head = blob.head(min(_HEAD, blob.size if not blob.packed else _HEAD))
    lengths = linked_lengths(head) or listed(head, b"length\0", "<i")
    if lengths:
        return _facts(blob, lengths, listed(head, b"step\0", "<d"))
    named = [name for name in _SPACE if is_named(head, name)]
    if len(named) < 2:
        raise Refused(Reason.UNREADABLE)
    dimension = {2: Dimension.D2, 3: Dimension.D3}.get(len(named), Dimension.D4)
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
