"""The stage that marks every candidate against the scan, and sinks those that cannot work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from retrieval.core.codes import Modality
from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import StageResult
from retrieval.core.types import Candidate, Fit, ScanInfo, Selection, State, Tool, ranked
from retrieval.core.why import Why
from retrieval.fit.check import HARD, best, fit_of
from retrieval.fit.formats import VIA, Chain, Convert, no_conversion
from retrieval.fit.kinds import kind_of
from retrieval.fit.tokens import span

KEPT = 8
"""Uploads whose verdicts are kept: the same scan is asked about again and again."""

Asked = tuple[tuple[ScanInfo, ...], Selection]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """The verdicts on a tool, and the part of a penalty that they cost."""

    tool: Tool
    fits: tuple[Fit, ...]
    share: float
    text: str


@dataclass(frozen=True)
class FitStage:
    """Adds verdicts; a failing hard fact costs ``penalty`` spans of the list's scores.

    Any other failing fact costs a tenth of that, a conversion a fiftieth: a tool that reads
    the scan only after one gives way a little to one that reads it.
    """

    convert: Convert = no_conversion
    penalty: float = 1.0
    name: str = "fit"
    _kept: dict[Asked, dict[str, _Judged]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def run(self, state: State) -> StageResult:
        """The same candidates, marked and ranked again; skipped without a scan."""
        if "fit" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if not state.query.scans:
            raise StageUnavailable("no scan to hold the tools against; add a file")
        unit = self.penalty * span(state.candidates)
        judge = self._judge(state)
        found = ranked(_marked(state, c, judge(c.tool), unit) for c in state.candidates)
        sunk = sum(any(f.verdict == "fail" for f in c.fit or ()) for c in found)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=found),
            note=f"{sunk} marked down",
            metrics={"marked_down": sunk},
        )

    def _judge(self, state: State) -> Callable[[Tool], _Judged]:
        """Judges a tool on the scans of a query, once for the same scans and selection."""
        scans, convert = state.query.scans, _admitted(self.convert, state)
        asked = (scans, state.selection)
        known = self._kept.get(asked, {})
        if not known:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[asked] = known

        def judge(tool: Tool) -> _Judged:
            held = known.get(tool.id)
            if held is None or held.tool is not tool:
                held = known[tool.id] = _judged(tool, fit_of_upload(tool, scans, convert))
            return held

        return judge


def _admitted(convert: Convert, state: State) -> Convert:
    """The bridge, without chains over a tool that the query leaves out."""

    def admitted(have: str, wanted: Sequence[str]) -> Chain | None:
        chain = convert(have, wanted)
        if chain and not all(state.selection.admits(tool) for _, tool, _ in chain):
            return None
        return chain

    return admitted


def _judged(tool: Tool, fits: tuple[Fit, ...]) -> _Judged:
    failed = [f.fact for f in fits if f.verdict == "fail"]
    text = f"does not fit: {', '.join(failed)}" if failed else "needs a conversion first"
    return _Judged(tool=tool, fits=fits, share=sum(map(_share, fits)), text=text)


def _marked(state: State, candidate: Candidate, judged: _Judged, unit: float) -> Candidate:
    cost = unit * judged.share
    score = round(candidate.score - cost, 6)
    value = round(-cost, 6)
    whys = [Why(kind="fit", stage=state.path, text=judged.text, value=value)] if cost else []
    return Candidate(
        tool=candidate.tool,
        score=score,
        scores={**candidate.scores, state.path: score},
        why=(*candidate.why, *whys) if whys else candidate.why,
        fit=judged.fits,
    )


def fit_of_upload(
    tool: Tool, scans: Sequence[ScanInfo], convert: Convert = no_conversion
) -> tuple[Fit, ...]:
    """The verdicts on the scan of an upload that suits the tool best, the others beside it."""
    images = _images(scans)
    return best([fit_of(tool, s, convert, images) for s in _meant_for(tool, images)])


def _share(fit: Fit) -> float:
    if fit.verdict == "fail":
        return 1.0 if fit.fact in HARD else 0.1
    return 0.02 if fit.fact == "format" and VIA in (fit.tool or "") else 0.0


def _images(scans: Sequence[ScanInfo]) -> Sequence[ScanInfo]:
    """The scans with a dimension; reports and plans beside them ask nothing of a tool."""
    return [scan for scan in scans if scan.dimension] or scans


def _meant_for(tool: Tool, scans: Sequence[ScanInfo]) -> Sequence[ScanInfo]:
    """Without the maps of labels that lie beside images, unless the tool takes such maps."""
    if Modality.SEG in tool.modalities:
        return scans
    return [scan for scan in scans if kind_of(scan) != Modality.SEG] or scans
