"""Scans that are folders by definition: Zarr and OME-Zarr, as a folder or inside a zip."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from retrieval.core import Format, ScanInfo
from retrieval.scans.notes import Note
from retrieval.scans.reader.blob import At
from retrieval.scans.reader.facts import Facts, dimension_of_axes, plausible

_MOST_JSON = 4 << 20
_METADATA = (".zgroup", ".zattrs", "zarr.json", ".zarray")
Json = Mapping[str, Any]


def read_store(store: Path | ZipFile, at: At) -> Facts:
    """The facts of one Zarr store: OME multiscale axes where it has them."""
    names = store.namelist() if isinstance(store, ZipFile) else [p.name for p in store.iterdir()]
    metadata = [name for name in names if name.rsplit("/", 1)[-1] in _METADATA]
    outermost = min(metadata, key=lambda name: name.count("/"), default="")
    root = outermost[: outermost.rfind("/") + 1]
    # Version 2 keeps them in .zattrs; version 3 in zarr.json, OME 0.5 below ``ome``.
    attributes = _json(store, root + ".zattrs")
    if not attributes:
        parsed = _json(store, root + "zarr.json").get("attributes")
        attributes = parsed if isinstance(parsed, dict) else {}
        attributes = attributes.get("ome", attributes)
    scales = attributes.get("multiscales") if isinstance(attributes, dict) else None
    if not isinstance(scales, list) or not scales or not isinstance(scales[0], dict):
        return Facts(info=ScanInfo(format=Format.ZARR, notes=(Note.MODALITY_ASKED.value,)), at=at)
    entries = scales[0].get("axes") or []
    labels = [entry.get("name") if isinstance(entry, dict) else entry for entry in entries]
    # OME-NGFF 0.1 and 0.2 have no axes: they are always t, c, z, y, x.
    axes = [str(label)[:1].lower() for label in labels] or list("tczyx")
    shape = _shape(store, root, scales[0])
    sizes = dict(zip(axes, shape, strict=False)) if len(shape) == len(axes) else {}
    return Facts(info=_info(sizes), at=at, kind="picture", read=frozenset({"OME-Zarr axes"}))


def _info(sizes: Mapping[str, int]) -> ScanInfo:
    ordered = [sizes.get(axis, 1) for axis in "yxzt"]
    good = bool(sizes) and plausible(ordered)
    shape = (
        tuple(ordered) if ordered[3] > 1 else tuple(ordered[:3] if ordered[2] > 1 else ordered[:2])
    )
    dimension = dimension_of_axes(has_depth=ordered[2] > 1, over_time=ordered[3] > 1)
    return ScanInfo(
        format=Format.OME_ZARR,
        dimension=dimension if good else None,
        shape=shape if good else (),
        channels=sizes["c"] if good and sizes.get("c", 1) > 1 else None,
        notes=(Note.MODALITY_ASKED.value,),
    )


def _json(store: Path | ZipFile, name: str) -> Json:
    try:
        if isinstance(store, ZipFile):
            with store.open(name) as member:
                raw = member.read(_MOST_JSON)
        elif not Path(store, name).is_file():  # a pipe would never end
            return {}
        else:
            with Path(store, name).open("rb") as file:
                raw = file.read(_MOST_JSON)
        parsed = json.loads(raw)
    except (KeyError, OSError, ValueError, RecursionError, BadZipFile, RuntimeError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _shape(store: Path | ZipFile, root: str, scale: Json) -> tuple[int, ...]:
    sets = scale.get("datasets")
    first = sets[0] if isinstance(sets, list) and sets else None
    path = first.get("path") if isinstance(first, dict) else None
    if not isinstance(path, str) or ".." in path or path.startswith("/") or len(path) > 200:
        return ()
    array = _json(store, f"{root}{path}/.zarray") or _json(store, f"{root}{path}/zarr.json")
    shape = array.get("shape")
    if not isinstance(shape, list) or not all(isinstance(size, int) for size in shape):
        return ()
    return tuple(shape)
