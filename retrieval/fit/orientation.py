"""How an image lies against how a tool needs it: the sides of its axes, or the plane of slices."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from retrieval.core import Dimension, Fit, Format, ScanInfo, Tool
from retrieval.fit.formats import CONVERTED, VIA
from retrieval.fit.verdict import field, judged

FACT, FIELD = "orientation", "requirements.orientation"
PLANES: Final = {"L": "sagittal", "R": "sagittal", "A": "coronal", "P": "coronal"}
AXIAL = "axial"

THICK = 3.0
"""How many times as coarse as another axis the axis across thick slices is sampled. From three on
nnU-Net resamples an axis by itself (Isensee and others 2021)."""

SIDES = {"RPI": "LAS"}
"""AFNI names an axis by the side from which it runs, others by the side to which it points:
``ORCODE`` in AFNI's ``3dUndump.c`` reads R as right to left, P as posterior to anterior and I as
inferior to superior. C-PAC and the Spinal Cord Toolbox write RPI in the same sense."""

ALONE = "single-slice"
"""The note of one slice of a series."""


def orientation_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """Pass where the image lies as the tool needs it, else after reorienting.

    Axes can always be turned. A plane cannot, where there is one picture or thick slices: they show
    too little across. A lone slice of a series is unknown unless thick: the others may be thin.
    """
    needed = tool.needs.orientation
    stated = field(FIELD, [needed] if needed else ())
    turns: bool | None = True
    if needed is None or needed.isupper():
        orientation = "".join(scan.axes) or None
        holds = orientation == SIDES.get(needed or "", needed)
    else:
        orientation, turns = plane_of(scan), _can_turn(scan)
        holds = orientation == needed
        orientation = (
            f"{orientation}, thick slices" if orientation and is_thick(scan) else orientation
        )
    if holds or turns is False or orientation is None or stated is None:
        return judged(FACT, holds, orientation, stated)
    if turns is None:
        return judged(FACT, None, orientation, stated)
    return replace(judged(FACT, True, orientation, f"{stated}{VIA}reorienting"), verdict=CONVERTED)


def plane_of(scan: ScanInfo) -> str | None:
    """The plane of the slices: across the coarsest axis where they are thick, else the last one."""
    if not scan.axes:
        return None
    across = 2
    if is_thick(scan) and scan.spacing:
        # The axes are those of x, y and z, but the spacing of DICOM begins with that of the rows.
        stored = (1, 0, 2) if scan.format == Format.DICOM else (0, 1, 2)
        across = stored[scan.spacing.index(max(scan.spacing[:3]))]
    return PLANES.get(scan.axes[across], AXIAL)


def is_thick(scan: ScanInfo) -> bool | None:
    """Whether the slices are much thicker than their pixels are wide; None without a spacing."""
    if scan.spacing is None or len(scan.spacing) < 3:
        return None
    return max(scan.spacing[:3]) >= THICK * min(scan.spacing[:3])


def _can_turn(scan: ScanInfo) -> bool | None:
    """Whether a volume can be cut in another plane; None where that is not stated."""
    thick = is_thick(scan)
    if ALONE in scan.notes:
        return False if thick else None
    if scan.dimension == Dimension.D2:
        return False
    return None if thick is None else not thick
