"""The stage that marks every candidate against the scan, and sinks those that cannot work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.core.errors import StageUnavailable
from retrieval.core.stage import StageResult
from retrieval.core.types import Candidate, ScanInfo, State, Why, ranked
from retrieval.fit.check import HARD, VIA, Chain, Convert, best, fit_of, no_conversion


@dataclass(frozen=True)
class FitStage:
    """Adds verdicts; each failing hard fact costs ``penalty``, any other failing one a tenth.

    A tool that reads the scan only after a conversion gives way a little to one that reads it.
    """

    convert: Convert = no_conversion
    penalty: float = 0.5
    name: str = "fit"

    def run(self, state: State) -> StageResult:
        """The same candidates, marked and ranked again; skipped without a scan."""
        if "fit" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if not state.query.scans:
            raise StageUnavailable("no scan to hold the tools against; add a file")
        found = ranked(self._marked(state, c) for c in state.candidates)
        sunk = sum(any(f.verdict == "fail" for f in c.fit or ()) for c in found)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=found),
            note=f"{sunk} marked down",
            metrics={"marked_down": sunk},
        )

    def _admitted(self, state: State) -> Convert:
        """The bridge, without chains over a tool that the query leaves out."""

        def convert(have: str, wanted: Sequence[str]) -> Chain | None:
            chain = self.convert(have, wanted)
            if chain and not all(state.selection.admits(tool) for _, tool, _ in chain):
                return None
            return chain

        return convert

    def _marked(self, state: State, candidate: Candidate) -> Candidate:
        convert = self._admitted(state)
        fits = best([fit_of(candidate.tool, s, convert) for s in _images(state.query.scans)])
        failed = [f.fact for f in fits if f.verdict == "fail"]
        cost = sum(self.penalty if fact in HARD else self.penalty / 10 for fact in failed)
        cost += sum(
            self.penalty / 50 for f in fits if f.verdict == "pass" and VIA in (f.tool or "")
        )
        marked = replace(candidate, fit=fits)
        if not cost:
            return marked.scored(state.path, candidate.score)
        text = f"does not fit: {', '.join(failed)}" if failed else "needs a conversion first"
        why = Why(kind="fit", stage=state.path, text=text, value=round(-cost, 6))
        return marked.scored(state.path, candidate.score - cost, why)


def _images(scans: Sequence[ScanInfo]) -> Sequence[ScanInfo]:
    """The scans with a dimension; reports and plans beside them ask nothing of a tool."""
    return [scan for scan in scans if scan.dimension] or scans
