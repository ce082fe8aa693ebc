"""NRRD and MetaImage: a text header, then the samples, raw or compressed, or in a file beside."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from retrieval.core import Format, Modality
from retrieval.scans.formats.volume.grid import (
    LAS_TO_RAS,
    LPS_TO_RAS,
    Grid,
    affine_of,
    decimals,
    grid_facts,
    integers,
    raster_of,
)
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_NRRD_HEADER_MOST = 1 << 18
_NRRD_TYPES = {
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
_NRRD_BY_NAME = {name: code for code, names in _NRRD_TYPES.items() for name in names.split("|")}
_NRRD_COMPONENTS = re.compile(
    r"vector|color|rgb|rgba|list|matrix|point|normal|gradient|quaternion|complex"
)
_NRRD_SPACES = (
    *("left-posterior-superior", "lps", "left-anterior-superior", "las"),
    *("right-anterior-superior", "ras"),
)
"""Spaces of the body; without one of them the directions name no side of it."""

_NRRD_EMPTY_LINE = re.compile(rb"\n\r?\n")
_NRRD_VECTOR = re.compile(r"\(([^()]*)\)")
_META_HEADER_MOST = 1 << 16
_META_TYPES = {
    "MET_CHAR": "i1", "MET_UCHAR": "u1", "MET_SHORT": "i2", "MET_USHORT": "u2", "MET_INT": "i4",
    "MET_UINT": "u4", "MET_LONG": "i4", "MET_ULONG": "u4", "MET_LONG_LONG": "i8",
    "MET_ULONG_LONG": "u8", "MET_FLOAT": "f4", "MET_DOUBLE": "f8",
}  # fmt: skip
_META_MODALITIES = {
    "MET_MOD_CT": Modality.CT,
    "MET_MOD_MR": Modality.MRI,
    "MET_MOD_NM": Modality.NM,
    "MET_MOD_US": Modality.US,
}
_META_FIRST = (b"ObjectType", b"NDims", b"Comment", b"ObjectSubType", b"TransformType")


def read_nrrd(blob: Blob, context: Context) -> Facts:
    """The facts of one NRRD file; the data file of a detached header is found by its stem."""
    head = blob.head(_NRRD_HEADER_MOST)
    fields, end = _nrrd_fields(head)
    sizes = integers(fields.get("sizes", ""))
    if not sizes or len(sizes) > 16:
        raise Refused(Reason.UNREADABLE)
    spatial = _nrrd_spatial_axes(fields, len(sizes))
    components = math.prod(sizes[k] for k in range(len(sizes)) if k not in spatial)
    shape = tuple(sizes[k] for k in spatial)
    affine = _nrrd_affine(fields, spatial)
    detached = "data file" in fields or "datafile" in fields
    data = context.companion(blob, ".raw", ".raw.gz", ".img", ".zraw") if detached else blob
    encoding = fields.get("encoding", "raw").lower()
    skip = _first_integer(fields, "byte skip", "byteskip")
    # Skipped lines would have to be read, and skipped bytes of gzip to be inflated first.
    begins_elsewhere = _first_integer(fields, "line skip", "lineskip") or (
        skip and encoding != "raw"
    )
    raster = None
    if data is not None and components == 1 and encoding in ("raw", "gzip", "gz"):
        raster = raster_of(
            None if begins_elsewhere else data,
            shape,
            _NRRD_BY_NAME.get(fields.get("type", "").lower()),
            big=fields.get("endian", "little").lower() == "big",
            offset=skip if skip < 0 or detached else end + skip,
            # A detached file may be gzip by itself, which its blob takes off.
            packed=encoding != "raw" and not (detached and data.packed),
        )
    grid = Grid(
        format=Format.NRRD,
        shape=shape,
        spacing=_nrrd_spacing(fields, spatial, affine),
        affine=affine,
        raster=raster,
        channels=components if components > 1 else None,
        data_missing=data is None,
        placed=fields.get("space", "").lower().startswith(_NRRD_SPACES),
    )
    return grid_facts(blob, grid)


def _first_integer(fields: Mapping[str, str], *names: str) -> int:
    """The first number of the first of these fields that is there; else 0."""
    return next((n for name in names for n in integers(fields.get(name, ""))), 0)


def _nrrd_fields(head: bytes) -> tuple[Mapping[str, str], int]:
    """Keys and values up to the empty line that ends the header, and the offset behind it."""
    empty_line = _NRRD_EMPTY_LINE.search(head)
    end = empty_line.end() if empty_line else len(head)
    fields: dict[str, str] = {}
    for line in head[:end].decode("ascii", "replace").splitlines()[1:400]:
        name, colon, value = line.partition(": ")
        if colon and not line.startswith("#"):
            fields.setdefault(name.strip().lower(), value.strip())
    return fields, end


def _nrrd_spatial_axes(fields: Mapping[str, str], count: int) -> tuple[int, ...]:
    """Axes that are space or time: by their kinds, else by having a direction."""
    kinds = fields.get("kinds", "").lower().split()
    if len(kinds) == count:
        axes = tuple(k for k, kind in enumerate(kinds) if not _NRRD_COMPONENTS.search(kind))
        return axes or tuple(range(count))
    directions = _nrrd_directions(fields)
    if len(directions) == count and any(way is None for way in directions):
        lead = tuple(k for k, way in enumerate(directions) if way is not None)
        trailing_time = directions[-1] is None and count == 4
        return (*lead, count - 1) if trailing_time else lead
    return tuple(range(count))


def _nrrd_directions(fields: Mapping[str, str]) -> list[tuple[float, ...] | None]:
    parts = re.findall(r"none|\([^()]*\)", fields.get("space directions", ""))
    return [None if part == "none" else decimals(part.strip("()")) for part in parts]


def _nrrd_affine(fields: Mapping[str, str], spatial: tuple[int, ...]) -> Affine | None:
    ways = _nrrd_directions(fields)
    directions = [way for k in spatial[:4] if k < len(ways) and (way := ways[k])]
    origin = _NRRD_VECTOR.search(fields.get("space origin", ""))
    affine = affine_of(directions[:3], decimals(origin.group(1)) if origin else ())
    if affine is None:
        return None
    space = fields.get("space", "").lower()
    if space.startswith(("left-posterior-superior", "lps")):
        return LPS_TO_RAS @ affine
    return LAS_TO_RAS @ affine if space.startswith(("left-anterior-superior", "las")) else affine


def _nrrd_spacing(
    fields: Mapping[str, str], spatial: tuple[int, ...], affine: Affine | None
) -> tuple[float, ...]:
    if affine is not None:
        return tuple(float(size) for size in np.linalg.norm(affine[:3, :3], axis=0))
    spacings = decimals(fields.get("spacings", "").lower().replace("nan", "0"))
    return tuple(spacings[k] for k in spatial if k < len(spacings))[:3]


def sniff_metaimage(head: bytes) -> bool:
    """A key of the MetaIO header first, with the extents soon after."""
    return head.startswith(_META_FIRST) and b"NDims" in head[:2048] and b"=" in head[:64]


def read_metaimage(blob: Blob, context: Context) -> Facts:
    """The facts of one MetaImage."""
    head = blob.head(_META_HEADER_MOST)
    fields, end = _meta_fields(head)
    shape = integers(fields.get("DimSize", ""))
    if not shape or len(shape) > 8:
        raise Refused(Reason.UNREADABLE)
    local = fields.get("ElementDataFile", "LOCAL").upper() == "LOCAL"
    data = blob if local else context.companion(blob, ".raw", ".zraw", ".raw.gz", ".img")
    channels = int(fields.get("ElementNumberOfChannels", "1") or 1)
    affine = _meta_affine(fields, len(shape))
    orders = ("BinaryDataByteOrderMSB", "ElementByteOrderMSB")
    raster = raster_of(
        data,
        shape,
        _META_TYPES.get(fields.get("ElementType", "")) if channels == 1 else None,
        big=any(fields.get(key, "").lower() == "true" for key in orders),
        offset=_first_integer(fields, "HeaderSize") or (end if local else 0),
        packed=fields.get("CompressedData", "").lower() == "true",
    )
    grid = Grid(
        format=Format.METAIMAGE,
        shape=shape,
        spacing=decimals(fields.get("ElementSpacing", fields.get("ElementSize", ""))),
        affine=affine,
        raster=raster,
        modality=_META_MODALITIES.get(fields.get("Modality", "").upper()),
        channels=channels if channels > 1 else None,
        data_missing=data is None,
    )
    return grid_facts(blob, grid)


def _meta_fields(head: bytes) -> tuple[Mapping[str, str], int]:
    """Keys and values, and the offset behind the line that begins the data."""
    fields: dict[str, str] = {}
    at = 0
    while at < len(head) and len(fields) < 200:
        end = head.find(b"\n", at)
        end = len(head) if end < 0 else end
        key, equals, value = head[at:end].decode("ascii", "replace").partition("=")
        at = end + 1
        if not equals:
            break
        fields.setdefault(key.strip(), value.strip())
        if key.strip() == "ElementDataFile":
            break
    return fields, at


def _meta_affine(fields: Mapping[str, str], axes: int) -> Affine | None:
    spacing = decimals(fields.get("ElementSpacing", ""))[:3]
    matrices = ("TransformMatrix", "Orientation", "Rotation")
    matrix = decimals(next((fields[name] for name in matrices if name in fields), ""))
    origins = ("Offset", "Position", "Origin")
    origin = decimals(next((fields[name] for name in origins if name in fields), ""))
    if len(spacing) < 3 or axes < 3 or len(matrix) != axes * axes:
        return None
    ways = [[matrix[k * axes + j] * spacing[k] for j in range(3)] for k in range(3)]
    lps = affine_of(ways, origin[:3])
    return None if lps is None else LPS_TO_RAS @ lps
