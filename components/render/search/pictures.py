"""The planes of one scan, and each series of an upload as a small picture; pure."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from components.render.codes import code_name
from components.render.markup import attrs, esc
from components.render.words import agree, count
from retrieval import ScanInfo, Upload, dimension_words

IMAGES = frozenset({"image/webp", "image/png", "image/jpeg"})
MOST_THUMBS = 12
"""Series that are shown small; as many as the reader draws."""

THIN = 12
"""Pixels below which a plane is a line; stacks of a few slices have two such planes."""


def series_label(number: int, scan: ScanInfo) -> str:
    """``Series 1: CT, 3D, 35 files`` below a small picture."""
    codes = (scan.modality, dimension_words(scan), scan.body_part)
    facts = [code_name(str(fact)) for fact in codes if fact]
    return f"Series {number}: {', '.join([*facts, count(scan.files, 'file')])}"


def views(upload: Upload) -> str:
    """The planes of the picked scan or the first one, or why there are none."""
    # Nothing picked: the first series stands for all.
    series_number = upload.picked or 0
    previews = [p for p in upload.previews if p.scan == series_number] or list(upload.previews[:1])
    if not previews:
        return ""
    visible_views = [v for v in previews[0].views if _side(v) >= THIN] or previews[0].views
    drawn = "".join(_view(v) for v in visible_views)
    if not drawn:
        reason = previews[0].reason or "No preview for this kind of file."
        return f"<p class='sub'>{esc(reason)}</p>"
    thin_planes = [v.plane for v in previews[0].views if v not in visible_views]
    thin = f"Too few slices to show it {' or '.join(thin_planes)}." if thin_planes else ""
    window = previews[0].window
    notes = " ".join(filter(None, (f"{window[:1].upper()}{window[1:]}." if window else "", thin)))
    return f"<div class='views'>{drawn}</div>" + (
        f"<p class='sub'>{esc(notes)}</p>" if notes else ""
    )


def _side(view: Any) -> int:  # noqa: ANN401 - a View of the scans room
    """The shorter side of a picture, in pixels."""
    return int(min(view.width, view.height))


def thumbs(upload: Upload) -> str:
    """Each series as a small picture with its facts; why there is none stands in its place."""
    previews = {one.scan: one for one in upload.previews}
    figures = ""
    for number in range(min(len(upload.scans), MOST_THUMBS)):
        one = previews.get(number)
        # The plane with the most to see; of equal ones the last, which is the axial one.
        widest = max(reversed(one.views), key=_side) if one and one.views else None
        picture = _view(widest) if widest else ""
        reason = one.reason if one and one.reason else "Not drawn."
        inner = picture or f"<p class='nothing sub'>{esc(reason)}</p>"
        label = esc(series_label(number + 1, upload.scans[number]))
        figures += f"<li>{inner}<span class='sub'>{label}</span></li>"
    series_left = len(upload.scans) - MOST_THUMBS
    rest = (
        f"{series_left:,} more series {agree(series_left, 'stands', 'stand')} in the table alone."
    )
    more = f"<p class='sub'>{rest}</p>" if series_left > 0 else ""
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
