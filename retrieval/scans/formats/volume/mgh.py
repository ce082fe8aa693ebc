"""FreeSurfer MGH and MGZ: a big-endian header of fixed layout."""

from __future__ import annotations

import struct

import numpy as np

from retrieval.core import Format, ScanInfo
from retrieval.scans.formats.volume.grid import Grid, affine_of, grid_facts
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_TYPES = {0: ">u1", 1: ">i4", 3: ">f4", 4: ">i2", 10: ">u2"}
_DATA = 284
_LONGEST_AXIS = 2048


def sniff(head: bytes, name: str) -> bool:
    """Version 1, a known type, and extents that are counts."""
    if len(head) < 90:
        return False
    version, x, y, z, t, kind = struct.unpack_from(">6i", head)
    return version == 1 and kind in _TYPES and all(0 < size < 1 << 24 for size in (x, y, z, t))


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one MGH volume, or of values per surface vertex."""
    head = blob.head(_DATA)
    if len(head) < 90:
        raise Refused(Reason.CUT_SHORT)
    x, y, z, t, kind = struct.unpack_from(">5i", head, 4)
    if sum(size > 1 for size in (x, y, z)) == 1 and max(x, y, z) > _LONGEST_AXIS:
        notes = (Note.PER_VERTEX.value, Note.MODALITY_ASKED.value)
        info = ScanInfo(format=Format.MGH, shape=(max(x, y, z),), notes=notes)
        return Facts(info=info, at=blob.at, kind="surface", read=frozenset({"MGH sizes"}))
    spacing, affine = _geometry(head, (x, y, z))
    raster = Raster(
        open=blob.open,
        dtype=np.dtype(_TYPES[kind]),
        shape=(x, y, z),
        offset=_DATA,
        affine=affine,
        most_bytes=blob.limit * 2,
    )
    shape = (x, y, z, t)
    grid = Grid(format=Format.MGH, shape=shape, spacing=spacing, affine=affine, raster=raster)
    return grid_facts(blob, grid)


def _geometry(head: bytes, shape: tuple[int, int, int]) -> tuple[tuple[float, ...], Affine | None]:
    if struct.unpack_from(">h", head, 28)[0] <= 0:
        return (1.0, 1.0, 1.0), None
    values = struct.unpack_from(">15f", head, 30)
    spacing, centre = values[:3], np.array(values[12:15])
    ways = np.array(values[3:12]).reshape(3, 3).T * np.array(spacing)
    origin = centre - ways @ (np.array(shape) / 2.0)
    return spacing, affine_of(ways.T.tolist(), origin.tolist())
