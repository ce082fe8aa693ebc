"""The middle slices of an upload as PNG, for a language model that takes images."""

from __future__ import annotations

import base64
import io

from PIL import Image

from components.data import Data

MOST_IMAGES = 3


def slices_of(data: Data) -> tuple[bytes, ...]:
    """The middle slices of the preview as PNG files, at most three; none without a scan.

    Modes L, I and F become 8-bit grey, every other mode 8-bit RGB.
    """
    previews = data.upload.previews if data.upload else ()
    views = [view for preview in previews for view in preview.views][:MOST_IMAGES]
    slices = []
    for view in views:
        out = io.BytesIO()
        with Image.open(io.BytesIO(base64.b64decode(view.image))) as opened:
            # Language models take 8-bit PNG; medical previews may have 32-bit grey.
            opened.convert("L" if opened.mode in ("L", "I", "F") else "RGB").save(out, "PNG")
        slices.append(out.getvalue())
    return tuple(slices)
