"""Pass, fail or unknown for each fact, with the two values that were compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from retrieval.core.codes import Dimension
from retrieval.core.spelling import modality_lineage
from retrieval.core.types import Fit, ScanInfo, Tool

HARD = frozenset({"modality", "dimension"})
"""Facts whose failure no conversion mends."""

Chain = tuple[tuple[str, str, str], ...]
Convert = Callable[[str, Sequence[str]], Chain | None]
"""From a format to wanted ones: the steps (before, tool id, after), or None if impossible."""

VIA = ", via "


def no_conversion(have: str, wanted: Sequence[str]) -> Chain | None:
    """A bridge that leads nowhere."""
    return () if have in wanted else None


def fit_of(tool: Tool, scan: ScanInfo, convert: Convert = no_conversion) -> tuple[Fit, ...]:
    """The facts of one scan against one tool, in a fixed order; what the scan lacks is left out.

    A fact the tool does not state is unknown, never a pass. A format passes when the tool
    reads it, or when a chain of converters leads to one it reads; the evidence names the chain.
    """
    rest = tuple(
        _verdict(fact, told, stated, accepted)
        for fact, told, stated, accepted in _facts(tool, scan)
        if told is not None
    )
    return (_format(tool, scan, convert), *(_doubted(one, tool, scan) for one in rest))


def _doubted(fit: Fit, tool: Tool, scan: ScanInfo) -> Fit:
    """A tool for dMRI on a scan that is MRI of an unknown kind: nobody knows."""
    kinds = [wider for m in tool.modalities for wider in modality_lineage(m)[1:]]
    doubtful = fit.fact == "modality" and scan.sequence is None and scan.modality in kinds
    return replace(fit, verdict="unknown") if fit.verdict == "fail" and doubtful else fit


def _format(tool: Tool, scan: ScanInfo, convert: Convert) -> Fit:
    listed = _listed(tool.formats_in)
    if not tool.formats_in:
        return Fit(fact="format", verdict="unknown", scan=str(scan.format), tool=None)
    chain = convert(scan.format, tool.formats_in)
    if chain is None:
        return Fit(fact="format", verdict="fail", scan=str(scan.format), tool=listed)
    steps = [step[1] for step in chain]
    told = listed if not steps else f"{chain[-1][2]}{VIA}{', '.join(steps)}"
    return Fit(fact="format", verdict="pass", scan=str(scan.format), tool=told)


def _facts(
    tool: Tool, scan: ScanInfo
) -> Iterable[tuple[str, str | None, Sequence[str], Sequence[str]]]:
    lineage = modality_lineage(scan.modality) if scan.modality else ()
    yield "modality", scan.modality, tool.modalities, lineage
    yield "dimension", scan.dimension, tool.dimensions, _dimensions(scan.dimension)
    sequence = (scan.sequence,) if scan.sequence else ()
    yield "sequence", scan.sequence, tool.needs.sequences, sequence
    units = (tool.needs.units,) if tool.needs.units else ()
    yield "units", scan.units, units, (scan.units or "",)


def _dimensions(dimension: Dimension | None) -> tuple[str, ...]:
    return (dimension,) if dimension else ()


def _listed(values: Sequence[str]) -> str:
    return ", ".join(str(value) for value in values)


def _verdict(fact: str, told: str, stated: Sequence[str], accepted: Sequence[str]) -> Fit:
    if not stated:
        return Fit(fact=fact, verdict="unknown", scan=str(told), tool=None)
    missed = set(stated).isdisjoint(accepted)
    listed = _listed(stated)
    return Fit(fact=fact, verdict="fail" if missed else "pass", scan=str(told), tool=listed)


def best(fits: Sequence[tuple[Fit, ...]]) -> tuple[Fit, ...]:
    """The verdicts on the scan that suits a tool best: fewest fails, then fewest unknowns.

    Of several series a person takes one; of equals the first counts.
    """

    def doubts(several: tuple[Fit, ...]) -> tuple[int, int]:
        verdicts = [fit.verdict for fit in several]
        return verdicts.count("fail"), verdicts.count("unknown")

    return min(fits, key=doubts)
