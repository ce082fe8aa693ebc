"""The planes of one scan, and each series of an upload as a small picture; pure."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from components.render.codes import code_name
from components.render.markup import attrs, esc
from components.render.words import count
from retrieval import ScanInfo, Upload

IMAGES = frozenset({"image/webp", "image/png", "image/jpeg"})
MOST_THUMBS = 12
"""Series that are shown small; as many as the reader draws."""


def series_label(number: int, scan: ScanInfo) -> str:
    """``Series 1: CT, 3D, 35 files`` for the series picker."""
    named = (scan.modality, scan.dimension, scan.body_part)
    facts = [code_name(str(fact)) for fact in named if fact]
    return f"Series {number}: {', '.join([*facts, count(scan.files, 'file')])}"


def views(upload: Upload) -> str:
    """The planes of the picked scan or the first one, or why there are none."""
    # Nothing picked: the first series stands for all.
    chosen = upload.picked or 0
    previews = [p for p in upload.previews if p.scan == chosen] or list(upload.previews[:1])
    if not previews:
        return ""
    drawn = "".join(_view(v) for v in previews[0].views)
    if not drawn:
        reason = previews[0].reason or "No preview for this kind of file."
        return f"<p class='sub'>{esc(reason)}</p>"
    window = f"<p class='sub'>{esc(previews[0].window)}</p>" if previews[0].window else ""
    return f"<div class='views'>{drawn}</div>{window}"


def thumbs(upload: Upload) -> str:
    """Each series as a small picture with its facts; why there is none stands in its place."""
    previews = {one.scan: one for one in upload.previews}
    figures = ""
    for number in range(min(len(upload.scans), MOST_THUMBS)):
        one = previews.get(number)
        # The last plane of a volume is the axial one.
        picture = _view(one.views[-1]) if one and one.views else ""
        reason = one.reason if one and one.reason else "Not drawn."
        inner = picture or f"<p class='nothing sub'>{esc(reason)}</p>"
        label = esc(series_label(number + 1, upload.scans[number]))
        figures += f"<li>{inner}<span class='sub'>{label}</span></li>"
    left = len(upload.scans) - MOST_THUMBS
    more = f"<p class='sub'>{left:,} more series stand in the table alone.</p>" if left > 0 else ""
    return f"<ul class='thumbs' aria-label='Series of the upload'>{figures}</ul>{more}"


def _view(view: Any) -> str:  # noqa: ANN401 - a View of the scans room
    if view.media_type not in IMAGES:
        return ""
    try:
        b64decode(view.image, validate=True)
    except binascii.Error:
        return ""
    out = attrs(
        src=f"data:{view.media_type};base64,{view.image}",
        alt=f"Middle {view.plane} slice of your scan",
        width=view.width,
        height=view.height,
    )
    places = ("left", "right", "top", "bottom")
    letters = "".join(
        f"<b{attrs(class_=f'letter {place}')} aria-hidden='true'>{esc(letter)}</b>"
        for place, letter in zip(places, view.letters, strict=True)
        if letter
    )
    caption = f"<figcaption>{esc(view.plane)}</figcaption>"
    return f"<figure><span class='frame'><img{out}>{letters}</span>{caption}</figure>"
