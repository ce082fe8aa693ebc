"""The stage that compares every candidate with the scan, and ranks down those that cannot work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from retrieval.core import (
    OUT_OF_TIME,
    Candidate,
    Fit,
    Modality,
    ScanInfo,
    Selection,
    StageResult,
    StageUnavailable,
    State,
    Tool,
    Why,
    ranked,
    spread,
)
from retrieval.fit.check import HARD, best, fit_of
from retrieval.fit.formats import VIA, Chain, Convert, no_conversion
from retrieval.fit.kinds import kind_of
from retrieval.fit.series import Kinds, kinds_of
from retrieval.fit.tokens import KIND as TOKEN

CACHED_UPLOADS = 8
"""Uploads whose verdicts are cached: one scan is searched for many times in a session."""

KINDS_LEFT_OUT = "kinds_left_out"
"""Metric: kinds of series over the limit of one search, which no tool was compared with."""

UNCHECKED = "candidates_unchecked"
"""Metric: candidates that were not checked because the time for the query was used up."""

UploadKey = tuple[tuple[ScanInfo, ...], Selection]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """The verdicts on a tool, and the part of a penalty that they cost."""

    tool: Tool
    fits: tuple[Fit, ...]
    share: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upload:
    """The kinds of series of an upload, and the verdicts on tools so far, by tool id."""

    kinds: Kinds
    verdicts: dict[str, _Judged] = field(default_factory=dict)

    def judge(self, tool: Tool, convert: Convert) -> _Judged:
        """The verdicts on a tool, worked out once for the same record."""
        earlier = self.verdicts.get(tool.id)
        if earlier is None or earlier.tool is not tool:
            fits = _best_of(tool, self.kinds, convert)
            failed = [fit.fact for fit in fits if fit.verdict == "fail"]
            text = f"does not fit: {', '.join(failed)}" if failed else "needs a conversion first"
            earlier = _Judged(tool=tool, fits=fits, share=sum(map(_share, fits)), text=text)
            self.verdicts[tool.id] = earlier
        return earlier


@dataclass(frozen=True)
class FitStage:
    """Adds verdicts; a failing hard fact costs ``penalty`` spans of the list's scores.

    Any other failing fact costs a tenth of that, a conversion a fiftieth: a tool that reads
    the scan only after one gives way a little to one that reads it. Once the query's time is
    used up, candidates that were not checked yet stay as they are, and the result says so.
    """

    convert: Convert = no_conversion
    penalty: float = 1.0
    name: str = "fit"
    _uploads: dict[UploadKey, _Upload] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def run(self, state: State) -> StageResult:
        """The same candidates, marked and ranked again; skipped without a scan."""
        if "fit" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if not state.query.scans:
            raise StageUnavailable("no scan to hold the tools against; add a file")
        unit, convert = (
            self.penalty * spread(state.candidates, TOKEN),
            _admitted(self.convert, state),
        )
        upload, marked = self._upload(state), list[Candidate]()
        for candidate in state.candidates:
            if state.deadline.passed:
                break
            judged = upload.judge(candidate.tool, convert)
            marked.append(_marked(state, candidate, judged, unit))
        # Nothing is known to speak against the others: they keep their scores.
        rest = [c.scored(state.path, c.score) for c in state.candidates[len(marked) :]]
        return self._result(state, upload.kinds, marked, rest)

    def _upload(self, state: State) -> _Upload:
        """The upload of a query, kept for the same scans and selection."""
        key = (state.query.scans, state.selection)
        upload = self._uploads.get(key)
        if upload is None:
            if len(self._uploads) >= CACHED_UPLOADS:
                self._uploads.clear()
            upload = self._uploads[key] = _Upload(kinds=kinds_of(state.query.scans))
        return upload

    def _result(
        self, state: State, kinds: Kinds, marked: list[Candidate], rest: list[Candidate]
    ) -> StageResult:
        """The list and, where only a part was compared, how much that is."""
        sunk = sum(any(f.verdict == "fail" for f in c.fit or ()) for c in marked)
        limits = _limits(kinds, len(marked), len(rest))
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked([*marked, *rest])),
            status="fallback" if limits else "ok",
            note="; ".join([*limits, f"{sunk} marked down"]),
            metrics={
                "marked_down": sunk,
                KINDS_LEFT_OUT: kinds.left_out,
                UNCHECKED: len(rest),
            },
        )


def _limits(kinds: Kinds, checked: int, unchecked: int) -> list[str]:
    """What was not compared, and why, in words."""
    limits = []
    if kinds.left_out:
        compared = f"compared {len(kinds.scans):,} of {kinds.total:,} kinds of series"
        limits.append(f"{compared}, the limit of one search: pick one series or add fewer")
    if unchecked:
        of = f"{unchecked:,} of {checked + unchecked:,} tools were not checked against the scan"
        limits.append(f"{OUT_OF_TIME}: {of}")
    return limits


def _admitted(convert: Convert, state: State) -> Convert:
    """The bridge, without chains over a tool that the query leaves out."""

    def admitted(have: str, wanted: Sequence[str]) -> Chain | None:
        chain = convert(have, wanted)
        if chain and not all(state.selection.admits(tool) for _, tool, _ in chain):
            return None
        return chain

    return admitted


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
    return _best_of(tool, kinds_of(scans), convert)


def _best_of(tool: Tool, kinds: Kinds, convert: Convert) -> tuple[Fit, ...]:
    suited: Sequence[ScanInfo] = kinds.scans
    if Modality.SEG not in tool.modalities:
        # A map of labels beside images is what comes out of a tool, not what goes in.
        suited = [scan for scan in suited if kind_of(scan) != Modality.SEG] or suited
    return best([fit_of(tool, scan, convert, kinds.beside) for scan in suited])


def _share(fit: Fit) -> float:
    if fit.verdict == "fail":
        return 1.0 if fit.fact in HARD else 0.1
    return 0.02 if fit.fact == "format" and VIA in (fit.tool or "") else 0.0
