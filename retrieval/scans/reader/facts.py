"""What readers hand to the rest of the reader process; none of it leaves the process as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.core import ScanInfo

Array = NDArray[np.generic]
Affine = NDArray[np.float64]
Kind = Literal["volume", "labels", "contours", "surface", "picture", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Pixels fit to draw. Axes: i, j, k of the affine (RAS+ mm); rgb carries a last axis of 3."""

    pixels: Array
    affine: Affine | None = None
    spacing: tuple[float, ...] = (1.0, 1.0, 1.0)
    rgb: bool = False
    window: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What may tie two scans to one person; digests and closed words, kept inside the process."""

    person: str | None = None
    study: str | None = None
    frame: str | None = None
    grid: str | None = None
    session: str | None = None
    order: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One scan: its public facts, and what doctor, roles and preview work from."""

    info: ScanInfo
    at: tuple[int, int | None]
    kind: Kind = "volume"
    subject: Subject = Subject()
    draw: Callable[[], Picture] | None = None
    read: frozenset[str] = frozenset()
    dropped: tuple[str, ...] = field(default=())
    series: bool = False
