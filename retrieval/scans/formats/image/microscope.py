"""What microscope files with named axes have in common."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from retrieval.core import Format, Modality
from retrieval.scans.formats.image.plane import Axes, axes_facts
from retrieval.scans.formats.image.signature import recognised
from retrieval.scans.reader.blob import Blob
from retrieval.scans.reader.facts import Facts
from retrieval.scans.reasons import Refused


def extents(blob: Blob, kind: Format, sizes: Callable[[Blob], Mapping[str, int]]) -> Facts:
    """Facts of the axes X, Y, Z, T and C; the format alone where they cannot be read."""
    try:
        size = sizes(blob)
    except (Refused, struct.error):
        return recognised(blob, kind, Modality.MICROSCOPY)
    axes = Axes(
        format=kind,
        x=size.get("X", 0),
        y=size.get("Y", 0),
        z=size.get("Z", 1),
        t=size.get("T", 1),
        channels=size.get("C", 1),
        modality=Modality.MICROSCOPY,
    )
    return axes_facts(blob, axes)
