"""ECAT 7: PET volumes of Siemens/CTI scanners; big-endian, in blocks of 512 bytes."""

from __future__ import annotations

import struct

import numpy as np

from retrieval.core import Format, Modality
from retrieval.scans.formats.volume.grid import Grid, grid_facts
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_BLOCK = 512
_FRAMES = 354
_TYPES = {5: ">f4", 6: ">i2", 7: ">i4"}


def sniff(head: bytes, name: str) -> bool:
    """The magic of version 7."""
    return head.startswith(b"MATRIX7")


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one ECAT file, from its main header and first subheader."""
    head = blob.head(3 * _BLOCK)
    if len(head) < 3 * _BLOCK:
        raise Refused(Reason.CUT_SHORT)
    frames = max(1, struct.unpack_from(">h", head, _FRAMES)[0])
    start = struct.unpack_from(">i", head, _BLOCK + 20)[0]
    if not 2 <= start < 1 << 20:
        raise Refused(Reason.UNREADABLE)
    sub = blob.slice((start - 1) * _BLOCK, _BLOCK)
    if len(sub) < _BLOCK:
        raise Refused(Reason.CUT_SHORT)
    kind, _, x, y, z = struct.unpack_from(">5h", sub)
    scale = struct.unpack_from(">f", sub, 26)[0]
    sizes = tuple(10 * size for size in struct.unpack_from(">3f", sub, 34))
    flipped = np.diag([-sizes[0], -sizes[1], -sizes[2], 1.0])
    affine = flipped if np.isfinite(flipped).all() and np.linalg.det(flipped) else None
    return grid_facts(
        blob,
        Grid(
            format=Format.ECAT,
            shape=(x, y, z, frames),
            spacing=sizes,
            affine=affine,
            raster=_raster(blob, kind, (x, y, z), start * _BLOCK, scale, affine),
            modality=Modality.PET,
            dropped=("ECAT patient",) * bool(head[166:200].strip(b"\0 ")),
        ),
    )


def _raster(
    blob: Blob,
    kind: int,
    shape: tuple[int, int, int],
    offset: int,
    scale: float,
    affine: Affine | None,
) -> Raster | None:
    code = _TYPES.get(kind)
    if code is None or min(shape) <= 0:
        return None
    return Raster(
        open=blob.open,
        dtype=np.dtype(code),
        shape=shape,
        offset=offset,
        scale=(scale if np.isfinite(scale) and scale else 1.0, 0.0),
        affine=affine,
        most_bytes=blob.limit * 2,
    )
