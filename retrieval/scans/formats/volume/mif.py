"""MRtrix image format: MIF with its data inside, MIH with its data beside it."""

from __future__ import annotations

from retrieval.core import Format
from retrieval.scans.formats.volume.grid import Grid, affine_of, grid_facts
from retrieval.scans.formats.volume.header_text import decimals
from retrieval.scans.formats.volume.voxels import raster_of
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_HEADER_MOST = 4 << 20
_TYPES = {
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip


def sniff(head: bytes, name: str) -> bool:
    """The first line."""
    return head.startswith(b"mrtrix image")


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one MRtrix image; axes are given in the order i, j, k, volume."""
    fields = _fields(blob.head(_HEADER_MOST))
    shape = tuple(int(p) for p in _first(fields, "dim").split(",") if p.strip().isdigit())
    if not shape:
        raise Refused(Reason.UNREADABLE)
    spacing = decimals(",".join(_first(fields, "vox").split(",")[:3]))
    rows = [decimals(row) for row in fields.get("transform", [])[:3]]
    affine = None
    if len(spacing) == 3 and len(rows) == 3 and all(len(row) >= 4 for row in rows):
        # The transform holds unit vectors; columns of an affine are as long as a voxel.
        ways = [[rows[j][k] * spacing[k] for j in range(3)] for k in range(3)]
        affine = affine_of(ways, [row[3] for row in rows])
    return grid_facts(
        blob,
        Grid(
            format=Format.MIF,
            shape=shape,
            spacing=spacing,
            affine=affine,
            raster=_raster(blob, fields, shape, affine),
        ),
    )


def _fields(head: bytes) -> dict[str, list[str]]:
    text = head.split(b"\nEND", 1)[0].decode("utf-8", "replace")
    fields: dict[str, list[str]] = {}
    for line in text.splitlines()[1:20_000]:
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), []).append(value.strip())
    return fields


def _first(fields: dict[str, list[str]], key: str) -> str:
    return fields.get(key, [""])[0]


def _raster(
    blob: Blob, fields: dict[str, list[str]], shape: tuple[int, ...], affine: Affine | None
) -> Raster | None:
    """Only the plain order of axes, with the data in the file itself, is drawn."""
    datatype, layout = _first(fields, "datatype").lower(), _first(fields, "layout")
    file = _first(fields, "file").split()
    code = _TYPES.get(datatype.removesuffix("le").removesuffix("be"))
    plain = [part.strip().strip("+-") for part in layout.split(",")][:3] == ["0", "1", "2"]
    inside = len(file) == 2 and file[0] == "." and file[1].isdigit()
    if not plain or not inside:
        return None
    return raster_of(
        blob, shape, code, big=datatype.endswith("be"), offset=int(file[1]), affine=affine
    )
