"""Shared by all volume formats: a thinned sample of the voxels, and the grid they lie on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial

import numpy as np

from retrieval.scans import words
from retrieval.scans.preview.raster import Raster, Sample, sample, scaled
from retrieval.scans.reader import volume
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.boundary import quietly
from retrieval.scans.reader.facts import Affine, Array, Picture, Subject, trimmed
from retrieval.scans.reasons import Reason, Refused

Sampling = Sample | Reason | None
"""A thinned sample, why there is none, or None where nothing can be taken."""


def raster_of(
    data: Blob,
    shape: Sequence[int],
    code: str | None,
    *,
    big: bool = False,
    offset: int = 0,
    packed: bool = False,
    scale: tuple[float, float] = (1.0, 0.0),
    affine: Affine | None = None,
) -> Raster | None:
    """The first volume of a data file; None for a type that is not drawn (``code`` None).

    ``code`` is NumPy's without the byte order. ``packed``: gzip or zlib begins at the offset.
    """
    if code is None or not all(0 < size < 1e6 for size in shape):
        return None
    x, y, z = (*shape, 1, 1, 1)[:3]
    return Raster(
        open=partial(data.open_packed, offset) if packed else data.open,
        dtype=np.dtype((">" if big else "<") + code),
        shape=(x, y, z),
        offset=0 if packed else offset,
        scale=scale,
        affine=affine,
        most_bytes=data.limit * 2,
    )


def sampling_of(raster: Raster | None) -> Sampling:
    """The sample of a raster."""
    return None if raster is None else quietly(lambda: sample(raster))


def values_of(raster: Raster | None, sampling: Sampling) -> Array | None:
    """Scaled sample values; None for colours and where nothing could be read.

    Axes i, j, k, thinned; float32 where the header scales, else the stored type.
    """
    if raster is None or raster.rgb or not isinstance(sampling, Sample):
        return None
    return scaled(sampling.values, raster.scale)


def cut_short(raster: Raster | None, sampling: Sampling) -> bool:
    """Whether voxels that would have been read were not there.

    A volume beyond ``most_bytes`` is never read to its end, so that proves nothing.
    """
    if sampling == Reason.CUT_SHORT:
        return True
    some = isinstance(sampling, Sample) and not sampling.complete
    return some and raster is not None and raster.bytes <= raster.most_bytes


def drawn(raster: Raster | None, sampling: Sampling) -> Picture:
    """The picture of a sample; refused for the reason for which there is none."""
    if isinstance(sampling, Reason):
        raise Refused(sampling)
    if raster is None or sampling is None:
        raise Refused(Reason.NO_DECODER)
    return volume.picture_of(raster, sampling)


def subject_of(name: str, shape: Sequence[int], affine: Affine | None) -> Subject:
    """What the file's name and grid (i, j, k and affine) tie it to.

    Affines are rounded to .01 before they are compared: writers store them in float32.
    """
    where = np.eye(4) if affine is None else affine
    key = repr((trimmed(shape, 2)[:3], (np.round(np.nan_to_num(where), 2) + 0.0).tolist()))
    person = words.entity(name, "sub")
    return Subject(
        person=f"sub-{person}" if person else None,
        session=words.entity(name, "ses"),
        order=words.time_index(name),
        grid=hashlib.blake2b(key.encode(), digest_size=12).hexdigest(),
    )
