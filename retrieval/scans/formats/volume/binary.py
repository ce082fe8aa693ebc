"""Volumes with a big-endian header of fixed layout: FreeSurfer MGH and MGZ, ECAT 7 (PET)."""

from __future__ import annotations

import struct

import numpy as np

from retrieval.core import Format, Modality, ScanInfo
from retrieval.scans.formats.volume.grid import Grid, affine_of, grid_facts, raster_of
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_MGH_TYPES = {0: "u1", 1: "i4", 3: "f4", 4: "i2", 10: "u2"}
_MGH_DATA = 284
_LONGEST_AXIS = 2048
_ECAT_TYPES = {5: "f4", 6: "i2", 7: "i4"}
_ECAT_BLOCK, _ECAT_FRAMES = 512, 354


def sniff_mgh(head: bytes) -> bool:
    """Version 1, a known type, and extents that are counts."""
    if len(head) < 90:
        return False
    version, x, y, z, t, kind = struct.unpack_from(">6i", head)
    return version == 1 and kind in _MGH_TYPES and all(0 < size < 1 << 24 for size in (x, y, z, t))


def read_mgh(blob: Blob, context: Context) -> Facts:
    """The facts of one MGH volume, or of values per surface vertex."""
    head = blob.head(_MGH_DATA)
    if len(head) < 90:
        raise Refused(Reason.CUT_SHORT)
    x, y, z, t, kind = struct.unpack_from(">5i", head, 4)
    if sum(size > 1 for size in (x, y, z)) == 1 and max(x, y, z) > _LONGEST_AXIS:
        notes = (Note.PER_VERTEX.value, Note.MODALITY_ASKED.value)
        info = ScanInfo(format=Format.MGH, shape=(max(x, y, z),), notes=notes)
        return Facts(info=info, at=blob.at, kind="surface", read=frozenset({"MGH sizes"}))
    spacing, affine = _mgh_geometry(head, (x, y, z))
    raster = raster_of(blob, (x, y, z), _MGH_TYPES.get(kind), big=True, offset=_MGH_DATA)
    shape = (x, y, z, t)
    grid = Grid(format=Format.MGH, shape=shape, spacing=spacing, affine=affine, raster=raster)
    return grid_facts(blob, grid)


def _mgh_geometry(
    head: bytes, shape: tuple[int, int, int]
) -> tuple[tuple[float, ...], Affine | None]:
    if struct.unpack_from(">h", head, 28)[0] <= 0:
        return (1.0, 1.0, 1.0), None
    values = struct.unpack_from(">15f", head, 30)
    spacing, centre = values[:3], np.array(values[12:15])
    ways = np.array(values[3:12]).reshape(3, 3).T * np.array(spacing)
    origin = centre - ways @ (np.array(shape) / 2.0)
    return spacing, affine_of(ways.T.tolist(), origin.tolist())


def read_ecat(blob: Blob, context: Context) -> Facts:
    """The facts of one ECAT file of Siemens/CTI scanners: main header and first subheader."""
    head = blob.head(3 * _ECAT_BLOCK)
    if len(head) < 3 * _ECAT_BLOCK:
        raise Refused(Reason.CUT_SHORT)
    frames = max(1, struct.unpack_from(">h", head, _ECAT_FRAMES)[0])
    start = struct.unpack_from(">i", head, _ECAT_BLOCK + 20)[0]
    if not 2 <= start < 1 << 20:
        raise Refused(Reason.UNREADABLE)
    sub = blob.slice((start - 1) * _ECAT_BLOCK, _ECAT_BLOCK)
    if len(sub) < _ECAT_BLOCK:
        raise Refused(Reason.CUT_SHORT)
    kind, _, x, y, z = struct.unpack_from(">5h", sub)
    slope = struct.unpack_from(">f", sub, 26)[0]
    # Centimetres in the file.
    sizes = tuple(10 * size for size in struct.unpack_from(">3f", sub, 34))
    flipped = np.diag([-sizes[0], -sizes[1], -sizes[2], 1.0])
    affine = flipped if np.isfinite(flipped).all() and np.linalg.det(flipped) else None
    raster = raster_of(
        blob,
        (x, y, z),
        _ECAT_TYPES.get(kind),
        big=True,
        offset=start * _ECAT_BLOCK,
        scale=(slope if np.isfinite(slope) and slope else 1.0, 0.0),
    )
    grid = Grid(
        format=Format.ECAT,
        shape=(x, y, z, frames),
        spacing=sizes,
        affine=affine,
        raster=raster,
        modality=Modality.PET,
        placed=False,
        dropped=("ECAT patient",) * bool(head[166:200].strip(b"\0 ")),
    )
    return grid_facts(blob, grid)
