"""Volumes described by a text header: AFNI and PAR/REC with the voxels beside it, MRtrix MIF."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

import numpy as np

from retrieval.core import Format, Modality
from retrieval.scans.formats.volume.grid import (
    LPS_TO_RAS,
    Grid,
    affine_of,
    decimals,
    grid_facts,
    raster_of,
)
from retrieval.scans.formats.volume.voxels import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_AFNI_HEADER_MOST = 1 << 20
_AFNI_ATTRIBUTE = re.compile(
    r"type\s*=\s*(string|integer|float)-attribute\s+name\s*=\s*(\w+)\s+count\s*=\s*(\d+)\s+"
)
_AFNI_TYPES: dict[float, str] = {0: "u1", 1: "i2", 3: "f4"}
_PARREC_HEADER_MOST = 8 << 20
_PARREC_GENERAL = re.compile(r"^\.\s+([^:]+?)\s*:\s*(.*)$")
_PARREC_NAMED = 24
_MIF_HEADER_MOST = 4 << 20
_MIF_TYPES = {
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip


def sniff_afni(head: bytes) -> bool:
    """A typed attribute first."""
    return bool(re.match(rb"\s*type\s*=\s*(string|integer|float)-attribute\s+name\s*=", head))


def read_afni(blob: Blob, context: Context) -> Facts:
    """The facts of one AFNI data set."""
    numbers = _afni_numbers(blob.head(_AFNI_HEADER_MOST).decode("ascii", "replace"))
    shape = tuple(int(size) for size in numbers.get("DATASET_DIMENSIONS", ())[:3])
    if len(shape) != 3:
        raise Refused(Reason.UNREADABLE)
    rank = numbers.get("DATASET_RANK", (3, 1))
    volumes = int(rank[1]) if len(rank) > 1 else 1
    timed = "TAXIS_NUMS" in numbers or volumes == 1
    data = context.companion(blob, ".brik", ".brik.gz")
    delta = tuple(abs(size) for size in numbers.get("DELTA", ()))
    kinds = numbers.get("BRICK_TYPES", ())
    factor = numbers.get("BRICK_FLOAT_FACS", (0.0,))[0]
    grid = Grid(
        format=Format.AFNI,
        shape=(*shape, volumes) if timed else shape,
        spacing=delta,
        affine=_afni_affine(numbers),
        raster=raster_of(
            data, shape, _AFNI_TYPES.get(kinds[0]) if kinds else None, scale=(factor or 1.0, 0.0)
        ),
        channels=None if timed else volumes,
        data_missing=data is None,
        dropped=("AFNI history",),
    )
    return grid_facts(blob, grid)


def _afni_numbers(text: str) -> dict[str, tuple[float, ...]]:
    """The integer and float attributes; strings, which hold history and ids, are passed over."""
    attributes: dict[str, tuple[float, ...]] = {}
    for match in _AFNI_ATTRIBUTE.finditer(text):
        if match.group(1) == "string":
            continue
        parts = text[match.end() : match.end() + 4000].split(maxsplit=64)
        count = min(int(match.group(3)[:6]), 64, len(parts))
        try:
            attributes.setdefault(match.group(2), tuple(float(part) for part in parts[:count]))
        except ValueError:
            continue
    return attributes


def _afni_affine(numbers: dict[str, tuple[float, ...]]) -> Affine | None:
    codes = numbers.get("ORIENT_SPECIFIC", ())
    delta, origin = numbers.get("DELTA", ()), numbers.get("ORIGIN", ())
    if min(len(codes), len(delta), len(origin)) < 3 or any(not 0 <= c < 6 for c in codes[:3]):
        return None
    affine = np.zeros((4, 4))
    affine[3, 3] = 1.0
    for k in range(3):
        axis = int(codes[k]) // 2  # two codes, one for each way, per DICOM axis
        affine[axis, k], affine[axis, 3] = delta[k], origin[k]
    good = np.isfinite(affine).all() and abs(np.linalg.det(affine)) > 1e-12
    return LPS_TO_RAS @ affine if good else None


def sniff_parrec(head: bytes) -> bool:
    """The banner of the header, with Philips' own line prefix."""
    return b"DATA DESCRIPTION FILE" in head[:512] and head[:1] == b"#"


def read_parrec(blob: Blob, context: Context) -> Facts:
    """The facts of one PAR header; the REC beside it is noted, not decoded."""
    general, rows = _parrec_parse(blob.head(_PARREC_HEADER_MOST).decode("latin-1"))
    counted = _parrec_counts(general, "max. number of slices")
    slices = counted[0] if counted else 0
    if not rows or not slices:
        raise Refused(Reason.UNREADABLE)
    row = rows[0]
    # Versions before 4 state the matrix once, later ones in each row.
    matrix = _parrec_counts(general, "recon resolution")
    x, y = matrix[:2] if len(matrix) > 1 else (int(row[9]), int(row[10]))
    data = context.companion(blob, ".rec", ".rec.gz")
    # Dynamics, echoes, image types and gradients are all further volumes.
    shape = (x, y, slices, max(len(rows) // slices, 1))
    texts = ("patient", "examination", "date")
    grid = Grid(
        format=Format.PARREC,
        shape=shape,
        # Pixel spacing in columns 28 and 29; slice thickness and gap in 22 and 23.
        spacing=(row[28], row[29], row[22] + row[23]) if len(row) >= 30 else (),
        modality=Modality.MRI,
        data_missing=data is None,
        dropped=tuple(f"PAR {key}" for key in texts if _parrec_value(general, key).strip()),
    )
    return grid_facts(blob, grid)


def _parrec_parse(text: str) -> tuple[dict[str, str], list[list[float]]]:
    general: dict[str, str] = {}
    rows: list[list[float]] = []
    for line in text.splitlines()[:60_000]:
        if match := _PARREC_GENERAL.match(line):
            general.setdefault(match.group(1).lower(), match.group(2))
        elif line[:1] not in ("#", ".", "") and line.strip():
            try:
                values = [float(part) for part in line.split()]
            except ValueError:
                continue
            if len(values) > _PARREC_NAMED:
                rows.append(values)
    return general, rows


def _parrec_value(general: dict[str, str], start: str) -> str:
    return next((value for key, value in general.items() if key.startswith(start)), "")


def _parrec_counts(general: dict[str, str], start: str) -> tuple[int, ...]:
    parts = _parrec_value(general, start).split()
    return tuple(int(part) for part in takewhile(str.isdigit, parts))


def read_mif(blob: Blob, context: Context) -> Facts:
    """The facts of one MRtrix image; axes are given in the order i, j, k, volume."""
    fields = _mif_fields(blob.head(_MIF_HEADER_MOST))
    shape = tuple(int(p) for p in _mif_first(fields, "dim").split(",") if p.strip().isdigit())
    if not shape:
        raise Refused(Reason.UNREADABLE)
    spacing = decimals(",".join(_mif_first(fields, "vox").split(",")[:3]))
    rows = [decimals(row) for row in fields.get("transform", [])[:3]]
    affine = None
    if len(spacing) == 3 and len(rows) == 3 and all(len(row) >= 4 for row in rows):
        # The transform holds unit vectors; columns of an affine are as long as a voxel.
        ways = [[rows[j][k] * spacing[k] for j in range(3)] for k in range(3)]
        affine = affine_of(ways, [row[3] for row in rows])
    raster = _mif_raster(blob, fields, shape)
    grid = Grid(format=Format.MIF, shape=shape, spacing=spacing, affine=affine, raster=raster)
    return grid_facts(blob, grid)


def _mif_fields(head: bytes) -> dict[str, list[str]]:
    text = head.split(b"\nEND", 1)[0].decode("utf-8", "replace")
    fields: dict[str, list[str]] = {}
    for line in text.splitlines()[1:20_000]:
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), []).append(value.strip())
    return fields


def _mif_first(fields: dict[str, list[str]], key: str) -> str:
    return fields.get(key, [""])[0]


def _mif_raster(blob: Blob, fields: dict[str, list[str]], shape: tuple[int, ...]) -> Raster | None:
    """Only the plain order of axes, with the data in the file itself, is drawn.

    The transform is that of the axes as MRtrix counts them; one with a minus is stored backwards.
    """
    datatype, layout = _mif_first(fields, "datatype").lower(), _mif_first(fields, "layout")
    file = _mif_first(fields, "file").split()
    code = _MIF_TYPES.get(datatype.removesuffix("le").removesuffix("be"))
    strides = [part.strip() for part in layout.split(",")][:3]
    plain = [stride.strip("+-") for stride in strides] == ["0", "1", "2"]
    inside = len(file) == 2 and file[0] == "." and file[1].isdigit()
    if not plain or not inside:
        return None
    raster = raster_of(blob, shape, code, big=datatype.endswith("be"), offset=int(file[1]))
    backward = tuple(axis for axis, stride in enumerate(strides) if stride.startswith("-"))
    return replace(raster, backward=backward) if raster else None
