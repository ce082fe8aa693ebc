"""Slices of the first scans of an upload, in three planes where there is a volume.

Those in the middle; of a map of labels the ones with most labelled voxels.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
from nibabel import orientations
from PIL import Image, features

from retrieval.core import Modality
from retrieval.scans.limits import Limits
from retrieval.scans.reader.boundary import guarded
from retrieval.scans.reader.facts import Affine, Array, Facts, Picture
from retrieval.scans.reasons import Reason
from retrieval.scans.upload import Plane, Preview, Side, View

_PLANES: tuple[Plane, Plane, Plane] = ("sagittal", "coronal", "axial")
_THINNEST = 3
_OPPOSITE: dict[Side, Side] = {"R": "L", "L": "R", "A": "P", "P": "A", "S": "I", "I": "S"}
Drawn = Preview | tuple[int, Reason]
_SIDE = 320
_CT_WINDOW = (40.0, 400.0)
# nibabel's functions carry no types; these names give them some.
_codes: Callable[[Affine], tuple[Side | None, ...]] = orientations.aff2axcodes
_io_orientation: Callable[[Affine], Affine] = orientations.io_orientation
_apply: Callable[[Array, Affine], Array] = orientations.apply_orientation


def previews_of(facts: Sequence[Facts], limits: Limits) -> tuple[Drawn, ...]:
    """One preview, or the reason for none, per scan; the time for all of them is bounded.

    In the order of ``facts``. All together take up to twice ``preview_s`` seconds of CPU time.
    """
    ends = process_time() + 2 * limits.preview_s
    return tuple(_one(k, one, limits, ends) for k, one in enumerate(facts))


def _one(k: int, facts: Facts, limits: Limits, ends: float) -> Drawn:
    draw, seconds_left = facts.draw, ends - process_time()
    if draw is None:
        return k, Reason.NO_PICTURE
    if k >= limits.previews or seconds_left < 0.05:
        return k, Reason.NOT_DRAWN

    def preview() -> Preview:
        picture = draw()
        is_ct = facts.info.modality == Modality.CT and facts.info.units == "HU"
        is_labels = facts.kind == "labels"
        low, high, text = window_of(picture, is_ct=is_ct, labels=is_labels)
        choose = fullest if is_labels else middle
        return Preview(scan=k, views=_planes(picture, (low, high), choose), window=text)

    drawn = guarded(preview, min(seconds_left, limits.preview_s))
    if isinstance(drawn, Reason):
        # The header was read: what is cut short is the picture behind it.
        return k, Reason.PICTURE_CUT if drawn is Reason.CUT_SHORT else drawn
    return drawn


def middle(array: Array, axis: int) -> int:
    """The place of the middle slice along an axis."""
    return int(array.shape[axis]) // 2


def fullest(array: Array, axis: int) -> int:
    """The place of the slice with most values that are not zero; of equals the most central."""
    others = tuple(other for other in range(array.ndim) if other != axis)
    counts = np.count_nonzero(array, axis=others)
    places = np.flatnonzero(counts == counts.max())
    return int(places[np.argmin(np.abs(places - middle(array, axis)))])


def _planes(
    picture: Picture, bounds: tuple[float, float], choose: Callable[[Array, int], int]
) -> tuple[View, ...]:
    shape = picture.pixels.shape
    if picture.affine is None or min(shape[:3]) < _THINNEST:
        return (_stored_plane(picture, bounds, choose),)
    array, spacing = canonical(picture.pixels, picture.affine)
    views = []
    for axis, plane in enumerate(_PLANES):
        cut = np.take(array, choose(array, axis), axis=axis)
        across, up = [a for a in range(3) if a != axis]
        # The patient's right stands on the left, as radiologists look.
        sides: tuple[Side, Side] = ("R", "L") if across == 0 else ("P", "A")
        ends: tuple[Side, Side] = ("A", "P") if up == 1 else ("S", "I")
        view_pixels = np.flip(np.swapaxes(cut, 0, 1), (0, 1) if across == 0 else 0)
        aspect = (spacing[up], spacing[across])
        views.append(render(view_pixels, plane, (*sides, *ends), aspect, bounds))
    return tuple(views)


def _stored_plane(
    picture: Picture, bounds: tuple[float, float], choose: Callable[[Array, int], int]
) -> View:
    """A single plane as it is stored; letters where the affine names them."""
    pixels = picture.pixels
    thin = int(np.argmin(pixels.shape[:3]))
    plane = np.take(pixels, choose(pixels, thin), axis=thin)
    axes = [axis for axis in range(3) if axis != thin]
    aspect = (picture.spacing[axes[0]], picture.spacing[axes[1]])
    letters: tuple[Side, Side, Side, Side] = ("", "", "", "")
    if picture.affine is not None:
        codes = letters_of(picture.affine)
        down, right = codes[axes[0]], codes[axes[1]]
        letters = (_OPPOSITE.get(right, ""), right, _OPPOSITE.get(down, ""), down)
    return render(plane, "image", letters, aspect, bounds)


def window_of(picture: Picture, *, is_ct: bool, labels: bool) -> tuple[float, float, str]:
    """Lower and upper bound of what is drawn, and how it was chosen in words.

    CT uses its own window, else level 40 and width 400 HU (soft tissue). Other values use the 1st
    to 99th percentile of at most some 400,000 voxels: single hot voxels would turn the rest black.
    """
    if picture.rgb:
        return 0.0, 255.0, "colours as stored"
    if is_ct:
        centre, width = picture.window or _CT_WINDOW
        return centre - width / 2, centre + width / 2, f"level {centre:g} HU, width {width:g} HU"
    values = np.asarray(picture.pixels, dtype=np.float64).ravel()
    values = values[:: max(1, values.size // 200_000)]
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, 1.0, "no finite values"
    if labels:
        return (
            0.0,
            float(max(values.max(), 1.0)),
            "values from 0 to the highest, where most labels lie",
        )
    low, high = (float(bound) for bound in np.percentile(values, (1, 99)))
    if high <= low:
        low, high = float(values.min()), float(values.max())
    return low, max(high, low + 1e-9), "black to white: 1st to 99th percentile of the values"


def render(
    plane: Array,
    name: Plane,
    letters: tuple[Side, Side, Side, Side],
    aspect: tuple[float, float],
    bounds: tuple[float, float],
) -> View:
    """The plane (rows, columns) in true proportions, no side above 320 pixels.

    ``plane`` has shape (rows, columns), or (rows, columns, 3 or more) for colours of 0 to 255.
    ``letters``: left, right, top, bottom. ``aspect``: height and width of a pixel in mm.
    ``bounds`` are drawn black and white.
    """
    if plane.ndim == 3:
        image = Image.fromarray(np.ascontiguousarray(plane[:, :, :3]).astype(np.uint8), "RGB")
    else:
        low, high = bounds
        values = np.nan_to_num(np.asarray(plane, dtype=np.float64), posinf=high, neginf=low)
        intensities = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
        image = Image.fromarray(np.asarray((intensities * 255).round(), dtype=np.uint8), "L")
    width, height = _fitted(image.width, image.height, aspect)
    image = image.resize((width, height), Image.Resampling.BILINEAR)
    # A Pillow built without libwebp writes PNG; method 2 of 6 is fast and hardly larger.
    kind = "WEBP" if features.check("webp") else "PNG"
    file = io.BytesIO()
    image.save(file, kind, **({"quality": 80, "method": 2} if kind == "WEBP" else {}))
    return View(
        plane=name,
        image=base64.b64encode(file.getvalue()).decode("ascii"),
        media_type=f"image/{kind.lower()}",
        width=width,
        height=height,
        letters=letters,
    )


def _fitted(width: int, height: int, aspect: tuple[float, float]) -> tuple[int, int]:
    tall, wide = (size if 1e-6 < size < 1e6 else 1.0 for size in aspect)
    real_width, real_height = width * wide, height * tall
    scale = _SIDE / max(real_width, real_height)
    return max(1, min(_SIDE, round(real_width * scale))), max(
        1, min(_SIDE, round(real_height * scale))
    )


def letters_of(affine: Affine) -> tuple[Side, Side, Side]:
    """The side each voxel axis points to, empty where it points to none.

    ``affine``: 4 x 4, voxel indices to RAS+ mm. Letters are R or L, A or P, S or I.
    """
    first, second, third = (letter or "" for letter in _codes(affine))
    return first, second, third


def canonical(pixels: Array, affine: Affine) -> tuple[Array, tuple[float, float, float]]:
    """The array turned to RAS+, and its spacing.

    ``affine``: 4 x 4 to RAS+ mm; axes are swapped and flipped, never resampled, and a last axis of
    colours stays. Spacing is in mm in the new order. A degenerate affine turns nothing.
    """
    lengths = np.linalg.norm(affine[:3, :3], axis=0)
    turn = _io_orientation(affine)
    if np.isnan(turn).any():
        return pixels, (float(lengths[0]), float(lengths[1]), float(lengths[2]))
    order = [int(np.flatnonzero(turn[:, 0] == axis)[0]) for axis in range(3)]
    first, second, third = (float(lengths[k]) for k in order)
    return _apply(pixels, turn), (first, second, third)
