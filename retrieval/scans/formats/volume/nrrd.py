"""NRRD and detached NHDR: a text header, then raw or compressed samples."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from retrieval.core import Format
from retrieval.scans.formats.volume.grid import LAS_TO_RAS, LPS_TO_RAS, Grid, affine_of, grid_facts
from retrieval.scans.formats.volume.header_text import decimals, integers
from retrieval.scans.formats.volume.voxels import raster_of
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_HEADER_MOST = 1 << 18
_TYPES = {
    "i1": "signed char|int8|int8_t",
    "u1": "uchar|unsigned char|uint8|uint8_t",
    "i2": "short|short int|signed short|signed short int|int16|int16_t",
    "u2": "ushort|unsigned short|unsigned short int|uint16|uint16_t",
    "i4": "int|signed int|int32|int32_t",
    "u4": "uint|unsigned int|uint32|uint32_t",
    "i8": "longlong|long long|long long int|int64|int64_t",
    "u8": "ulonglong|unsigned long long|uint64|uint64_t",
    "f4": "float",
    "f8": "double",
}
_BY_NAME = {name: code for code, names in _TYPES.items() for name in names.split("|")}
_COMPONENTS = re.compile(
    r"vector|color|rgb|rgba|list|matrix|point|normal|gradient|quaternion|complex"
)
_VECTOR = re.compile(r"\(([^()]*)\)")


def sniff(head: bytes, name: str) -> bool:
    """The magic with its version digits."""
    return head.startswith(b"NRRD000")


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one NRRD file; the data file of a detached header is found by its stem."""
    head = blob.head(_HEADER_MOST)
    fields, end = _fields(head)
    sizes = integers(fields.get("sizes", ""))
    if not sizes or len(sizes) > 16:
        raise Refused(Reason.UNREADABLE)
    spatial = _spatial_axes(fields, len(sizes))
    components = math.prod(sizes[k] for k in range(len(sizes)) if k not in spatial)
    shape = tuple(sizes[k] for k in spatial)
    affine = _affine(fields, spatial)
    detached = "data file" in fields or "datafile" in fields
    data = context.companion(blob, ".raw", ".raw.gz", ".img", ".zraw") if detached else blob
    raster = None if components != 1 or data is None else _raster(data, fields, shape, end, affine)
    if raster is not None and detached:
        raster = _raster(data, fields, shape, 0, affine) if data else None
    return grid_facts(
        blob,
        Grid(
            format=Format.NRRD,
            shape=shape,
            spacing=_spacing(fields, spatial, affine),
            affine=affine,
            raster=raster,
            channels=components if components > 1 else None,
            notes=(Note.DATA_MISSING,) if detached and data is None else (),
        ),
    )


def _fields(head: bytes) -> tuple[Mapping[str, str], int]:
    """Keys and values up to the empty line that ends the header, and the offset behind it."""
    end = len(head)
    for mark in (b"\n\n", b"\r\n\r\n"):
        if (at := head.find(mark)) >= 0:
            end = at + len(mark)
            break
    fields: dict[str, str] = {}
    for line in head[:end].decode("ascii", "replace").splitlines()[1:400]:
        name, colon, value = line.partition(": ")
        if colon and not line.startswith("#"):
            fields.setdefault(name.strip().lower(), value.strip())
    return fields, end


def _spatial_axes(fields: Mapping[str, str], count: int) -> tuple[int, ...]:
    """Axes that are space or time: by their kinds, else by having a direction."""
    kinds = fields.get("kinds", "").lower().split()
    if len(kinds) == count:
        chosen = tuple(k for k, kind in enumerate(kinds) if not _COMPONENTS.search(kind))
        return chosen or tuple(range(count))
    directions = _directions(fields)
    if len(directions) == count and any(way is None for way in directions):
        lead = tuple(k for k, way in enumerate(directions) if way is not None)
        trailing_time = directions[-1] is None and count == 4
        return (*lead, count - 1) if trailing_time else lead
    return tuple(range(count))


def _directions(fields: Mapping[str, str]) -> list[tuple[float, ...] | None]:
    text = fields.get("space directions", "")
    directions: list[tuple[float, ...] | None] = []
    for part in re.findall(r"none|\([^()]*\)", text):
        directions.append(None if part == "none" else decimals(part.strip("()")))
    return directions


def _affine(fields: Mapping[str, str], spatial: tuple[int, ...]) -> Affine | None:
    ways = _directions(fields)
    chosen = [way for k in spatial[:4] if k < len(ways) and (way := ways[k])]
    origin = _VECTOR.search(fields.get("space origin", ""))
    affine = affine_of(chosen[:3], decimals(origin.group(1)) if origin else ())
    if affine is None:
        return None
    space = fields.get("space", "").lower()
    if space.startswith("left-posterior-superior") or space.startswith("lps"):
        return LPS_TO_RAS @ affine
    if space.startswith("left-anterior-superior") or space.startswith("las"):
        return LAS_TO_RAS @ affine
    return affine


def _spacing(
    fields: Mapping[str, str], spatial: tuple[int, ...], affine: Affine | None
) -> tuple[float, ...]:
    if affine is not None:
        return tuple(float(size) for size in np.linalg.norm(affine[:3, :3], axis=0))
    spacings = decimals(fields.get("spacings", "").lower().replace("nan", "0"))
    return tuple(spacings[k] for k in spatial if k < len(spacings))[:3]


def _raster(
    data: Blob,
    fields: Mapping[str, str],
    shape: tuple[int, ...],
    offset: int,
    affine: Affine | None,
) -> Raster | None:
    encoding = fields.get("encoding", "raw").lower()
    if encoding not in ("raw", "gzip", "gz"):
        return None
    return raster_of(
        data,
        shape,
        _BY_NAME.get(fields.get("type", "").lower()),
        big=fields.get("endian", "little").lower() == "big",
        offset=offset,
        packed=encoding != "raw" and not (offset == 0 and data.packed),
        affine=affine,
    )
