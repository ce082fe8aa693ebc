"""Pass, fail or unknown for each fact, with the two values that were compared."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.core import Fit, ScanInfo, Tool
from retrieval.fit.anatomy import body_part_fit
from retrieval.fit.formats import Convert, format_fit, no_conversion
from retrieval.fit.kinds import dimension_fit, modality_fit, sequence_fit
from retrieval.fit.numbers import channels_fit, slices_fit, spacing_fit, units_fit
from retrieval.fit.series import ALONE, Beside

HARD = frozenset({"format", "modality", "dimension"})
"""Facts whose failure keeps a tool from working at all; the others make its answer doubtful."""

FACTS = (
    "format",
    "modality",
    "dimension",
    "channels",
    "units",
    "spacing",
    "slices",
    "body part",
    "sequence",
)


def fit_of(
    tool: Tool,
    scan: ScanInfo,
    convert: Convert = no_conversion,
    beside: Beside = ALONE,
) -> tuple[Fit, ...]:
    """The verdicts of FACTS, in that order; ``beside`` counts the images of the upload.

    What either side does not say is unknown, never a pass. The evidence of the scan's side is
    the value of its header; the tool's side names the catalog field and what stands in it.
    """
    return (
        format_fit(tool, scan, convert),
        modality_fit(tool, scan),
        dimension_fit(tool, scan, beside),
        channels_fit(tool, scan, beside),
        units_fit(tool, scan),
        spacing_fit(tool, scan),
        slices_fit(tool, scan),
        body_part_fit(tool, scan),
        sequence_fit(tool, scan),
    )


def best(fits: Sequence[tuple[Fit, ...]]) -> tuple[Fit, ...]:
    """The verdicts on the scan that suits a tool best: fewest hard fails, fails, unknowns.

    Of several series a person takes one; of equals the first counts.
    """

    def doubts(several: tuple[Fit, ...]) -> tuple[int, int, int]:
        failed = [fit.fact for fit in several if fit.verdict == "fail"]
        unknown = sum(fit.verdict == "unknown" for fit in several)
        return sum(fact in HARD for fact in failed), len(failed), unknown

    return fits[0] if len(fits) == 1 else min(fits, key=doubts)
