"""AFNI: a text HEAD with typed attributes; the voxels lie in the BRIK beside it."""

from __future__ import annotations

import re

import numpy as np

from retrieval.core import Format
from retrieval.scans.formats.volume.grid import LPS_TO_RAS, Grid, grid_facts
from retrieval.scans.formats.volume.voxels import raster_of
from retrieval.scans.notes import Note
from retrieval.scans.preview.raster import Raster
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.context import Context
from retrieval.scans.reader.facts import Affine, Facts
from retrieval.scans.reasons import Reason, Refused

_HEADER_MOST = 1 << 20
_ATTRIBUTE = re.compile(
    r"type\s*=\s*(string|integer|float)-attribute\s+name\s*=\s*(\w+)\s+count\s*=\s*(\d+)\s+"
)
_TYPES = {0: "u1", 1: "i2", 3: "f4"}


def sniff(head: bytes, name: str) -> bool:
    """A typed attribute first."""
    return bool(re.match(rb"\s*type\s*=\s*(string|integer|float)-attribute\s+name\s*=", head))


def read(blob: Blob, context: Context) -> Facts:
    """The facts of one AFNI data set."""
    numbers = _numbers(blob.head(_HEADER_MOST).decode("ascii", "replace"))
    shape = tuple(int(size) for size in numbers.get("DATASET_DIMENSIONS", ())[:3])
    if len(shape) != 3:
        raise Refused(Reason.UNREADABLE)
    rank = numbers.get("DATASET_RANK", (3, 1))
    volumes = int(rank[1]) if len(rank) > 1 else 1
    timed = "TAXIS_NUMS" in numbers or volumes == 1
    affine = _affine(numbers)
    data = context.companion(blob, ".brik", ".brik.gz")
    delta = tuple(abs(size) for size in numbers.get("DELTA", ()))
    return grid_facts(
        blob,
        Grid(
            format=Format.AFNI,
            shape=(*shape, volumes) if timed else shape,
            spacing=delta,
            affine=affine,
            raster=_raster(data, numbers, shape, affine) if data else None,
            channels=None if timed else volumes,
            notes=(Note.DATA_MISSING,) if data is None else (),
            dropped=("AFNI history",),
        ),
    )


def _numbers(text: str) -> dict[str, tuple[float, ...]]:
    """The integer and float attributes; strings, which hold history and ids, are passed over."""
    attributes: dict[str, tuple[float, ...]] = {}
    for match in _ATTRIBUTE.finditer(text):
        if match.group(1) == "string":
            continue
        parts = text[match.end() : match.end() + 4000].split(maxsplit=64)
        count = min(int(match.group(3)[:6]), 64, len(parts))
        try:
            attributes.setdefault(match.group(2), tuple(float(part) for part in parts[:count]))
        except ValueError:
            continue
    return attributes


def _affine(numbers: dict[str, tuple[float, ...]]) -> Affine | None:
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


def _raster(
    data: Blob, numbers: dict[str, tuple[float, ...]], shape: tuple[int, ...], affine: Affine | None
) -> Raster | None:
    kinds = numbers.get("BRICK_TYPES", ())
    code = _TYPES.get(int(kinds[0])) if kinds else None
    factor = numbers.get("BRICK_FLOAT_FACS", (0.0,))[0]
    scale = (factor, 0.0) if factor else (1.0, 0.0)
    return raster_of(data, shape, code, scale=scale, affine=affine)
