"""Mid-slices of the first scans of an upload, in three planes where there is a volume."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import process_time

import numpy as np

from retrieval.core import Modality
from retrieval.scans.limits import Limits
from retrieval.scans.preview.render import render, window_of
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.facts import Facts, Picture
from retrieval.scans.reader.orientation import canonical, letters_of
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Plane, Preview, View

_PLANES: tuple[Plane, Plane, Plane] = ("sagittal", "coronal", "axial")
_THINNEST = 3
_OPPOSITE = {"R": "L", "L": "R", "A": "P", "P": "A", "S": "I", "I": "S"}
Drawn = Preview | tuple[int, Reason]


def previews_of(facts: Sequence[Facts], limits: Limits) -> tuple[Drawn, ...]:
    """One preview, or the reason for none, per scan; the time for all of them is bounded.

    In the order of ``facts``. All together take up to twice ``preview_s`` seconds of CPU time.
    """
    ends = process_time() + 2 * limits.preview_s
    return tuple(_one(k, one, limits, ends) for k, one in enumerate(facts))


def _one(k: int, facts: Facts, limits: Limits, ends: float) -> Drawn:
    if facts.draw is None:
        return k, Reason.NO_PICTURE
    left = ends - process_time()
    if k >= limits.previews or left < 0.05:
        return k, Reason.NOT_DRAWN
    drawn = guarded(partial(_preview, k, facts), min(left, limits.preview_s))
    return (k, drawn) if isinstance(drawn, Reason) else drawn


def _preview(k: int, facts: Facts) -> Preview:
    assert facts.draw is not None
    picture = facts.draw()
    is_ct = facts.info.modality == Modality.CT and facts.info.units == "HU"
    low, high, text = window_of(picture, is_ct=is_ct, labels=facts.kind == "labels")
    views = _planes(picture, low, high)
    return Preview(scan=k, views=views, window=text)


def _planes(picture: Picture, low: float, high: float) -> tuple[View, ...]:
    shape = picture.pixels.shape
    if picture.affine is None or min(shape[:3]) < _THINNEST:
        return (_stored_plane(picture, low, high),)
    array, spacing = canonical(picture.pixels, picture.affine)
    views = []
    for axis, plane in enumerate(_PLANES):
        cut = np.take(array, array.shape[axis] // 2, axis=axis)
        across, up = [a for a in range(3) if a != axis]
        # The patient's right stands on the left, as radiologists look.
        left, right = ("R", "L") if across == 0 else ("P", "A")
        top, bottom = ("A", "P") if up == 1 else ("S", "I")
        shown = np.flip(np.swapaxes(cut, 0, 1), (0, 1) if across == 0 else 0)
        aspect = (spacing[up], spacing[across])
        views.append(render(shown, plane, (left, right, top, bottom), aspect, (low, high)))
    return tuple(views)


def _stored_plane(picture: Picture, low: float, high: float) -> View:
    """A single plane as it is stored; letters where the affine names them."""
    pixels = picture.pixels
    thin = int(np.argmin(pixels.shape[:3]))
    plane = np.take(pixels, pixels.shape[thin] // 2, axis=thin)
    axes = [axis for axis in range(3) if axis != thin]
    aspect = (picture.spacing[axes[0]], picture.spacing[axes[1]])
    letters = ("", "", "", "")
    if picture.affine is not None:
        codes = letters_of(picture.affine)
        down, right = codes[axes[0]], codes[axes[1]]
        letters = (_OPPOSITE.get(right, ""), right, _OPPOSITE.get(down, ""), down)
    return render(plane, "image", letters, aspect, (low, high))
