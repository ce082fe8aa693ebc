"""One plane of numbers to a small WebP picture."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image, features

from retrieval.scans.reader.facts import Array, Picture
from retrieval.scans.upload import Plane, View

_SIDE = 320
_CT_WINDOW = (40.0, 400.0)


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
        return 0.0, float(max(values.max(), 1.0)), "labels from 0 to the highest"
    low, high = (float(bound) for bound in np.percentile(values, (1, 99)))
    if high <= low:
        low, high = float(values.min()), float(values.max())
    return low, max(high, low + 1e-9), "1st to 99th percentile of the values"


def render(
    plane: Array,
    name: Plane,
    letters: tuple[str, str, str, str],
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
        shown = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
        image = Image.fromarray(np.asarray((shown * 255).round(), dtype=np.uint8), "L")
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
