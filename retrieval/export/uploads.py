"""An upload as JSON: what its files are, what was refused, and where the reading was cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.export.parts import Json, ScanPart
from retrieval.export.schema import RefusalPart

if TYPE_CHECKING:
    from retrieval.scans import Partial, Refusal, Upload


def partial_json(partial: Partial | None) -> Json | None:
    """Where a reading was cut short, in numbers and in words; null where it was not."""
    return {n: getattr(partial, n) for n in ("read", "of", "cause", "text")} if partial else None


def refusal_json(refusal: Refusal) -> Json:
    """Which path and file it was, counted from 1, and why."""
    return RefusalPart.of(refusal).json_data()


def scan_json(upload: Upload) -> Json:
    """What files are: tokens, a series each, what was refused; ``partial`` where cut short."""
    # These matter to a search alone: the contract's scans have none of them.
    unlisted = {"channels", "units", "axes"}
    scans = [ScanPart.of(s).json_data(exclude=unlisted) for s in upload.scans]
    return {
        "tokens": list(upload.tokens),
        "scans": scans,
        "refused": [refusal_json(r) for r in upload.refused],
        **({"partial": partial_json(upload.partial)} if upload.partial else {}),
    }
