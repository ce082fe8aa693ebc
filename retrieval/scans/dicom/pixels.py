"""Pixels of a series, thinned for a preview; compressed frames go through pydicom's decoders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.pixels.processing import convert_color_space
from pydicom.pixels.utils import pixel_array
from pydicom.uid import UID

from retrieval.core import Modality
from retrieval.scans.dicom.codes import EXPLICIT, NATIVE
from retrieval.scans.dicom.dimension import Extent
from retrieval.scans.dicom.instance import Instance
from retrieval.scans.dicom.place import lps_affine, stack
from retrieval.scans.dicom.tags import count, number
from retrieval.scans.dicom.walk import DOUBLE_PIXELS, FLOAT_PIXELS
from retrieval.scans.reader.facts import Affine, Array, Picture
from retrieval.scans.reasons import Reason, Refused

_MOST_DECODED, _MOST_SLICES, _MOST_SIDE = 48 << 20, 160, 320
# pydicom raises all of these over damaged frames, and RuntimeError also where no decoder is there.
_DECODE_FAILS = (ValueError, RuntimeError, AttributeError, TypeError, KeyError)
_SHARED_COLOURS = "YBR_FULL_422"
"""Two pixels of a row have one colour: they are stored as Y Y Cb Cr (PS3.3 C.7.6.3.1.2)."""
Key = tuple[Instance, int]


def picture_of(files: Sequence[Instance], extent: Extent) -> Picture:
    """The middle of the series: a thinned volume where every slice can be had, else one plane.

    At most 160 slices of at most 320 x 320 pixels, axes (row, column, slice); values are rescaled.
    Raises Refused where no frame can be decoded.
    """
    frames = [(file, k) for file in files for k in range(file.matrix.frames)]
    first = files[0]
    if extent.slices > 1 and first.sort in ("volume", "segmentation") and _is_native(first):
        volume_frames, between = _volume_frames(frames, files, extent)
        planes = [_thin(frame_of(file, k)) for file, k in volume_frames]
        if len({plane.shape for plane in planes}) == 1:
            return _picture(np.stack(planes, axis=2), first, between)
    file, k = frames[len(frames) // 2]
    plane = _thin(frame_of(file, k))
    if plane.ndim == 3:
        spacing = (*file.place.spacing, 1.0) if file.place.spacing else (1.0, 1.0, 1.0)
        # pydicom's decoders give red, green and blue by themselves.
        if _is_native(file) and file.matrix.photometric in ("YBR_FULL", _SHARED_COLOURS):
            plane = convert_color_space(plane, "YBR_FULL", "RGB")
        return Picture(pixels=plane[:, :, None, :], rgb=True, spacing=spacing)
    return _picture(plane[:, :, None], file, file.place.between or 1.0)


def _volume_frames(
    frames: list[Key], files: Sequence[Instance], extent: Extent
) -> tuple[list[Key], float]:
    """One frame per place, in order along the normal, at most so many, and the mm between two."""
    positions = [position for file in files for position in file.positions]
    between = files[0].place.between
    if len(positions) == len(frames):
        placed = stack(positions, files[0].place)
        frames, between = [frames[k] for k in placed.distinct], placed.spacing or between
    elif len(frames) > extent.slices:
        frames = frames[:: len(frames) // extent.slices]
    step = max(1, -(-len(frames) // _MOST_SLICES))
    return frames[::step], (between or 1.0) * step


def _is_native(file: Instance) -> bool:
    return (file.header.syntax or EXPLICIT) in NATIVE


def _thin(plane: Array) -> Array:
    step = max(1, -(-max(plane.shape[:2]) // _MOST_SIDE))
    return plane[::step, ::step]


def frame_of(file: Instance, index: int) -> Array:
    """One frame, rescaled; rows x columns, with a last axis of samples for colour.

    float32 where RescaleSlope and RescaleIntercept change it (PS3.3 C.11.1), else as stored.
    Raises Refused for frames that are cut short, too large or cannot be decoded.
    """
    if file.header.pixels is None or not file.matrix.rows or not file.matrix.columns:
        raise Refused(Reason.NO_PICTURE)
    raw = _native(file, index) if _is_native(file) else _decoded(file, index)
    if raw.ndim == 3 or file.rescale is None or file.rescale == (1.0, 0.0):
        return raw
    slope, intercept = file.rescale
    return np.asarray(raw.astype(np.float32) * np.float32(slope) + np.float32(intercept))


def _native(file: Instance, index: int) -> Array:
    rows, columns = file.matrix.rows or 0, file.matrix.columns or 0
    bits = count(file.header.values, "BitsAllocated") or 8
    if bits == 1:
        return _bits(file, index, rows * columns).reshape(rows, columns)
    stored = _stored_type(file, bits)
    size = rows * columns * file.matrix.samples * stored.itemsize
    shared_colours = file.matrix.photometric == _SHARED_COLOURS and _is_shorter(file, size)
    size = size * 2 // 3 if shared_colours else size
    if size > _MOST_DECODED:
        raise Refused(Reason.TOO_BIG)
    raw = _pixel_bytes(file, index * size, size)
    if len(raw) < size:
        raise Refused(Reason.CUT_SHORT)
    flat = np.frombuffer(raw, stored)
    if shared_colours:
        return flat.reshape(rows, -1, 4)[:, :, [0, 2, 3, 1, 2, 3]].reshape(rows, columns, 3)
    if file.matrix.samples == 1:
        return flat.reshape(rows, columns)
    # PlanarConfiguration 1: all red, then all green, then all blue (PS3.3 C.7.6.3.1.3).
    if count(file.header.values, "PlanarConfiguration") == 1:
        return flat.reshape(file.matrix.samples, rows, columns).transpose(1, 2, 0)[:, :, :3]
    return flat.reshape(rows, columns, file.matrix.samples)[:, :, :3]


def _is_shorter(file: Instance, size: int) -> bool:
    """Whether the pixels are fewer than this size per frame; some writers share no colours."""
    pixels = file.header.pixels
    return pixels is not None and pixels.end - pixels.value < size * file.matrix.frames


def _stored_type(file: Instance, bits: int) -> np.dtype[np.generic]:
    """The type of one sample; the element of the pixels says whether they are floats."""
    order = ">" if file.header.walker.big else "<"
    tag = file.header.pixels.tag if file.header.pixels else None
    if code := {FLOAT_PIXELS: "f4", DOUBLE_PIXELS: "f8"}.get(tag or 0):
        return np.dtype(order + code)
    if bits not in (8, 16, 32):
        raise Refused(Reason.NO_DECODER)
    signed = count(file.header.values, "PixelRepresentation") == 1
    return np.dtype(f"{order}{'i' if signed else 'u'}{bits // 8}")


def _bits(file: Instance, index: int, size: int) -> Array:
    start = index * size
    raw = _pixel_bytes(file, start // 8, -(-size // 8) + 1)
    flat = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[start % 8 :][:size]
    if len(flat) < size:
        raise Refused(Reason.CUT_SHORT)
    return flat


def _pixel_bytes(file: Instance, start: int, size: int) -> bytes:
    pixels = file.header.pixels
    if pixels is None:
        raise Refused(Reason.NO_PICTURE)
    if file.header.deflated:
        return file.header.walker.data[pixels.value + start : pixels.value + start + size]
    return file.blob.slice(pixels.value + start, size)


def _decoded(file: Instance, index: int) -> Array:
    """Through pydicom, on a data set that holds nothing but the pixel module."""
    pixels, values = file.header.pixels, file.header.values
    size = (file.matrix.rows or 0) * (file.matrix.columns or 0) * file.matrix.samples * 2
    if pixels is None or size > _MOST_DECODED or file.blob.size > file.blob.limit:
        raise Refused(Reason.TOO_BIG)
    bits = count(values, "BitsAllocated") or 8
    module = {
        "Rows": file.matrix.rows,
        "Columns": file.matrix.columns,
        "SamplesPerPixel": file.matrix.samples,
        "PhotometricInterpretation": file.matrix.photometric or "MONOCHROME2",
        "BitsAllocated": bits,
        "BitsStored": count(values, "BitsStored") or bits,
        "HighBit": count(values, "HighBit") or bits - 1,
        "PixelRepresentation": count(values, "PixelRepresentation") or 0,
        "NumberOfFrames": file.matrix.frames,
    }
    if file.matrix.samples > 1:
        module["PlanarConfiguration"] = count(values, "PlanarConfiguration") or 0
    bare = Dataset()
    bare.file_meta = FileMetaDataset()
    bare.file_meta.TransferSyntaxUID = UID(file.header.syntax)
    for name, value in module.items():
        setattr(bare, name, value)
    bare.PixelData = file.blob.slice(pixels.value, file.blob.size - pixels.value)
    bare["PixelData"].is_undefined_length = True
    try:
        return np.asarray(pixel_array(bare, index=index if file.matrix.frames > 1 else None))
    except _DECODE_FAILS as exc:
        raise Refused(Reason.NO_DECODER) from exc


def _picture(pixels: Array, first: Instance, between: float) -> Picture:
    rows, columns = first.matrix.rows or 1, first.matrix.columns or 1
    thin = (rows / pixels.shape[0], columns / pixels.shape[1])
    spacing = tuple(a * b for a, b in zip(first.place.spacing or (1.0, 1.0), thin, strict=True))
    place = first.place
    affine: Affine | None = None
    if len(place.orientation) == 6:
        affine = lps_affine(place.orientation, spacing, between, place.position or (0.0, 0.0, 0.0))
    # The file's own first window. MRI and PET say little with theirs, and a turned scale nothing.
    centre = number(first.header.values, "WindowCenter")
    width = number(first.header.values, "WindowWidth") or 0.0
    inverted = first.matrix.photometric == "MONOCHROME1"
    window = None
    if not inverted and first.modality == Modality.CT and centre is not None and width > 1:
        window = (centre, width)
    grey_values = -pixels.astype(np.float32) if inverted else pixels
    return Picture(pixels=grey_values, affine=affine, spacing=(*spacing, between), window=window)


def never_negative(file: Instance) -> bool:
    """Whether the middle frame has many values and none below zero, which no CT in HU has.

    Air is -1000 HU. Up to 16 different values may be a mask under the modality CT.
    """
    try:
        values = _thin(frame_of(file, file.matrix.frames // 2))
    except Refused:
        return False
    return bool(values.min() >= 0) and len(np.unique(values)) > 16
