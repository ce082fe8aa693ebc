"""The middle slices of an upload as PNG, for a language model that takes images."""

from __future__ import annotations

import base64
import io

from PIL import Image

from components.data import Data

MOST_IMAGES = 3


def slices_of(data: Data) -> tuple[bytes, ...]:
    """The middle slices of the preview as PNG, at most three; none without a scan."""
    previews = data.upload.previews if data.upload else ()
    views = [view for preview in previews for view in preview.views][:MOST_IMAGES]
    return tuple(_png(base64.b64decode(view.image)) for view in views)


def _png(image: bytes) -> bytes:
    out = io.BytesIO()
    with Image.open(io.BytesIO(image)) as opened:
        opened.convert("L" if opened.mode in ("L", "I", "F") else "RGB").save(out, "PNG")
    return out.getvalue()
