"""What nibabel does for the reader: coded affines, orientation letters, turning arrays to RAS+."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nibabel
import numpy as np
from nibabel import orientations

from retrieval.scans.reader.facts import Affine, Array

# nibabel's functions carry no types; these names give them some.
_codes: Callable[[Affine], tuple[str | None, ...]] = orientations.aff2axcodes
_io_orientation: Callable[[Affine], Affine] = orientations.io_orientation
_apply: Callable[[Array, Affine], Array] = orientations.apply_orientation
HEADERS: dict[str, Callable[..., Any]] = {
    "1": nibabel.Nifti1Header,
    "2": nibabel.Nifti2Header,
    "analyze": nibabel.AnalyzeHeader,
}


def letters_of(affine: Affine) -> tuple[str, str, str]:
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
