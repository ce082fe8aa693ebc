"""A scan that only looks like a label map: what holds however it is read, and unknown for the rest.

Few whole values are no proof, as a small image or a bone window has them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.core import Fit, ScanInfo
from retrieval.fit.formats import LABELS, MAYBE_LABELS

GUESSED = "looks like a label map"
"""The scan's side of a verdict that depends on whether it is one."""


def readings_of(scan: ScanInfo) -> tuple[ScanInfo, ...]:
    """The scan itself, or as a label map and as an image where it may be either."""
    if MAYBE_LABELS not in scan.notes:
        return (scan,)
    notes = tuple(note for note in scan.notes if note != MAYBE_LABELS)
    return replace(scan, notes=(*notes, LABELS)), replace(scan, notes=notes)


def in_all(readings: Sequence[tuple[Fit, ...]]) -> tuple[Fit, ...]:
    """Per fact the verdict of all readings; unknown where they differ, so that no guess decides."""
    return readings[0] if len(readings) == 1 else tuple(_joined(readings))


def _joined(readings: Sequence[tuple[Fit, ...]]) -> Iterator[Fit]:
    for facts in zip(*readings, strict=True):
        first, agreed = facts[0], len({fit.verdict for fit in facts}) == 1
        shown = first.scan if len({fit.scan for fit in facts}) == 1 else GUESSED
        yield replace(first, scan=shown, verdict=first.verdict if agreed else "unknown")
