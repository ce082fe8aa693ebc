"""Pass, fail or unknown for each fact, with the two values that were compared.

The numbers are compared here: channels, units, spacing and slices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.catalog import modality_lineage
from retrieval.core import Fit, Modality, ScanInfo, Tool
from retrieval.fit.body_parts import body_part_fit
from retrieval.fit.data import FACT as DATA
from retrieval.fit.data import data_fit, is_input
from retrieval.fit.formats import (
    CONVERTED,
    LABELS,
    MAYBE_LABELS,
    VIA,
    Convert,
    format_fit,
    no_conversion,
)
from retrieval.fit.kinds import (
    dimension_fit,
    modality_fit,
    sequence_fit,
    taken_together,
)
from retrieval.fit.orientation import orientation_fit
from retrieval.fit.series import (
    ONE_SCAN,
    Kinds,
    UploadCounts,
    channels_of,
    kinds_of,
    length_words,
    slices_of,
    widest_mm,
)
from retrieval.fit.verdict import field, judged

HARD = frozenset({"format", "modality", "dimension", DATA})
"""Facts whose failure keeps a tool from working at all; the others make its answer doubtful. What
needs an image does nothing with a plan or with labels, however well its words match."""

SOFT = 0.2
"""Part of a penalty for any other failing fact: as much as one token adds, so that a tool does not
stand higher for the kind of file that it states and fails on."""

GUESSED = "looks like a label map"
"""The scan's side of a verdict that depends on whether it is one. Few whole values are no proof: a
small image or a thresholded one has them too."""

TOLERANCE = 1.01
"""A voxel one hundredth larger than the tool's limit is still within it."""


def fit_of(
    tool: Tool,
    scan: ScanInfo,
    convert: Convert = no_conversion,
    counts: UploadCounts = ONE_SCAN,
) -> tuple[Fit, ...]:
    """A verdict per fact, in a fixed order; ``counts`` are those of the whole upload.

    What either side does not state is unknown, never a pass. The evidence of the scan's side is
    the value of its header; the tool's side names the catalog field and its value. A scan that
    only looks like a label map passes and fails by what holds for an image too.
    """
    if MAYBE_LABELS not in scan.notes:
        return _fit_of(tool, scan, convert, counts)
    notes = tuple(note for note in scan.notes if note != MAYBE_LABELS)
    readings = (replace(scan, notes=(*notes, LABELS)), replace(scan, notes=notes))
    return tuple(_in_all([_fit_of(tool, one, convert, counts) for one in readings]))


def _in_all(readings: Sequence[tuple[Fit, ...]]) -> Iterator[Fit]:
    """Per fact the verdict of all readings; unknown where they differ, so that no guess decides."""
    for facts in zip(*readings, strict=True):
        # A conversion carries one of the two alone, so it counts where both go the same way.
        ways = {fit.tool if fit.verdict == CONVERTED else fit.verdict for fit in facts}
        first, agreed = min(facts, key=lambda fit: fit.verdict == CONVERTED), len(ways) == 1
        scan_value = first.scan if len({fit.scan for fit in facts}) == 1 else GUESSED
        if agreed:
            yield replace(first, scan=scan_value)
        else:
            stated = first.tool and first.tool.partition(VIA)[0]
            yield replace(first, scan=scan_value, tool=stated, verdict="unknown")


def _fit_of(tool: Tool, scan: ScanInfo, convert: Convert, counts: UploadCounts) -> tuple[Fit, ...]:
    return (
        format_fit(tool, scan, convert),
        modality_fit(tool, scan),
        dimension_fit(tool, scan, counts),
        data_fit(tool, scan, counts),
        channels_fit(tool, scan, counts),
        units_fit(tool, scan),
        spacing_fit(tool, scan),
        slices_fit(tool, scan),
        orientation_fit(tool, scan),
        body_part_fit(tool, scan),
        sequence_fit(tool, scan, counts),
    )


def fit_of_kinds(tool: Tool, kinds: Kinds, convert: Convert = no_conversion) -> tuple[Fit, ...]:
    """The verdicts on the scan of an upload that suits the tool best; the others are counted."""
    scans = _input_scans(tool, kinds)
    return best([fit_of(tool, scan, convert, kinds.counts) for scan in scans])


def suited_scans(
    tool: Tool, scans: Sequence[ScanInfo], convert: Convert = no_conversion
) -> tuple[ScanInfo, ...]:
    """The scans of an upload that a tool is run on: those with the fewest fails, best first.

    The first one is that of ``fit_of_kinds``; of scans of one kind there is one.
    """
    if len(scans) < 2:
        return tuple(scans)
    kinds = kinds_of(scans)
    doubts_of_scans = [
        (_doubts(fit_of(tool, scan, convert, kinds.counts)), scan)
        for scan in _input_scans(tool, kinds)
    ]
    ordered = sorted(doubts_of_scans, key=lambda pair: pair[0])
    fewest_fails = ordered[0][0][:2]
    return tuple(scan for doubts, scan in ordered if doubts[:2] == fewest_fails)


def _input_scans(tool: Tool, kinds: Kinds) -> Sequence[ScanInfo]:
    """The scans that a tool takes as its input; where it takes none the images, else all."""
    scans = [scan for scan in kinds.scans if is_input(tool, scan)]
    return scans or [scan for scan in kinds.scans if scan.dimension] or kinds.scans


def best(fits: Sequence[tuple[Fit, ...]]) -> tuple[Fit, ...]:
    """The verdicts on the scan that suits a tool best: fewest hard fails, fails, unknowns,
    conversions.

    A tool is run on one of several series; of equals the first counts.
    """
    return fits[0] if len(fits) == 1 else min(fits, key=_doubts)


def _doubts(fits: tuple[Fit, ...]) -> tuple[int, int, int, int]:
    failed = [fit.fact for fit in fits if fit.verdict == "fail"]
    unknown = sum(fit.verdict == "unknown" for fit in fits)
    converted = sum(fit.verdict == CONVERTED for fit in fits)
    return sum(fact in HARD for fact in failed), len(failed), unknown, converted


def is_failed(fits: Sequence[Fit], fact: str) -> bool:
    """Whether one of the verdicts on a fact is fail."""
    return any(fit.fact == fact and fit.verdict == "fail" for fit in fits)


def cost_of(fits: Sequence[Fit]) -> tuple[float, str]:
    """The part of a penalty that verdicts on a scan cost, and why."""
    failed = [fit.fact for fit in fits if fit.verdict == "fail"]
    hard = sum(fact in HARD for fact in failed)
    is_converted = any(f.verdict == CONVERTED for f in fits)
    share = hard + SOFT * (len(failed) - hard) + 0.02 * is_converted
    text = f"does not fit: {', '.join(failed)}" if failed else "needs a conversion first"
    return share, text


def channels_fit(tool: Tool, scan: ScanInfo, counts: UploadCounts = ONE_SCAN) -> Fit:
    """As many channels as the tool takes, in one image or in several of one upload."""
    needed, count = tool.needs.channels, channels_of(scan)
    stated = field("requirements.channels", [needed] if needed else ())
    if needed is None or count is None:
        return judged("channels", None, None if count is None else str(count), stated)
    images = counts.contrasts.get(scan.dimension, 0)
    if count == 1 < needed <= images:
        return judged("channels", True, f"{images} images of 1", stated)
    if count == 1 and taken_together(tool):
        stated = f"{stated}, one per sequence"
    # A microscope's channels can be taken one by one; a colour picture's fourth is opacity.
    if "rgb" in scan.notes or scan.modality is None:
        some_do = needed == 3
    else:
        some_do = Modality.MICROSCOPY in modality_lineage(scan.modality)
    return judged("channels", count == needed or (count > needed and some_do), str(count), stated)


def units_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """The unit of the voxels; only CT has Hounsfield units."""
    unit: str | None = scan.units
    needed, kind = tool.needs.units, scan.modality
    if "not-hu" in scan.notes:
        unit = "not HU"
    elif unit is None and needed and kind not in (None, Modality.OT) and LABELS not in scan.notes:
        unit = None if Modality.CT in modality_lineage(kind) else f"not HU: {kind}"
    stated = field("requirements.units", [needed] if needed else ())
    return judged("units", unit == needed, unit, stated)


def spacing_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """The largest side of a voxel against the largest that the tool is made for, in mm.

    Of a volume slice thickness counts too. One hundredth over the limit still passes.
    """
    most = tool.needs.max_spacing_mm
    widest = widest_mm(scan)
    spacing = None if widest is None else length_words(scan, [widest])
    stated = field("requirements.spacing", [f"up to {most:g} mm"] if most else ())
    return judged("spacing", (widest or 0.0) <= (most or 0.0) * TOLERANCE, spacing, stated)


def slices_fit(tool: Tool, scan: ScanInfo) -> Fit:
    """The count of slices against the fewest that the tool works on.

    Too few are no verdict where the scan was read in part: the others may be there.
    """
    count, least = slices_of(scan), tool.needs.min_slices
    if least and count and count < least and not scan.complete:
        count = None
    stated = field("requirements.min_slices", [least] if least else ())
    count_text = None if count is None else str(count)
    return judged("slices", (count or 0) >= (least or 0), count_text, stated)
