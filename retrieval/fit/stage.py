"""The stage that compares every candidate with the scan and ranks down those that do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_fields

from msgspec.structs import replace

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
from retrieval.fit.check import SOFT, cost_of, fit_of_kinds, is_failed
from retrieval.fit.data import volumes_fit
from retrieval.fit.formats import Chain, Content, Convert, no_conversion
from retrieval.fit.kinds import stated_kind_fit
from retrieval.fit.requested.request import (
    NO_REQUEST,
    ReadRequest,
    Request,
    nothing_requested,
)
from retrieval.fit.requested.verdicts import (
    goal_fit,
    output_fit,
    part_fit,
    segmented_fit,
    suite_failures,
    suite_fit,
)
from retrieval.fit.series import Kinds, kinds_of
from retrieval.fit.species import species_fit, species_words
from retrieval.fit.tokens import stated_kind

SPECIES_UNKNOWN, SPECIES_UNSTATED = 0.1, 0.3
"""Parts of a penalty. Where nobody is named, most scans of radiology are of people, and a tool for
mice stands lower, like one with a soft fact that fails. Where animals are named, most tools that
say nothing were made on people, though some work on both."""

OTHER_SPECIES = 1.0 + SPECIES_UNSTATED
"""A tool for mice is not made for a patient: it stands below those that say nothing."""

NOTHING = "no scan to hold the tools against; add a file"
"""Said where there is nothing to compare: no scan, no kind of image that the visitor states, and
no species in the text."""

CACHED_UPLOADS = 8
"""Uploads whose verdicts are cached: one scan is searched for many times in a session."""

KINDS_LEFT_OUT = "kinds_left_out"
"""Metric: kinds of series over the limit of one search, which no tool was compared with."""

UNCHECKED = "candidates_unchecked"
"""Metric: candidates that were not checked because the time for the query was used up."""

MARKED = "marked as not fitting; the order stays"

UploadKey = tuple[tuple[ScanInfo, ...], Selection, Modality | None, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """The verdicts on a tool, and the part of a penalty that they cost."""

    tool: Tool
    fits: tuple[Fit, ...]
    share: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upload:
    """The kinds of series of an upload, and the verdicts on tools so far, by tool id.

    ``kind``: the kind of image that the visitor states besides.
    """

    kinds: Kinds
    kind: Modality | None = None
    verdicts: dict[str, _Judged] = field(default_factory=dict)

    def judge(self, tool: Tool, convert: Convert) -> _Judged:
        """The verdicts on a tool, worked out once for the same record."""
        cached = self.verdicts.get(tool.id)
        # A changed record keeps its id, so the object itself is compared.
        if cached is None or cached.tool is not tool:
            cached = self.verdicts[tool.id] = self._judged(tool, convert)
        return cached

    def _judged(self, tool: Tool, convert: Convert) -> _Judged:
        fits = fit_of_kinds(tool, self.kinds, convert) if self.kinds.scans else ()
        share, text = cost_of(fits)
        if self.kind:
            # What the visitor states without a scan is a hard fact too.
            stated = stated_kind_fit(tool, self.kind)
            fits = (*fits, stated)
            if stated.verdict == "fail":
                share, text = share + 1.0, "does not fit: modality"
        return _Judged(tool=tool, fits=fits, share=share, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Requested:
    """What a request and an upload together say of tools."""

    request: Request
    kinds: Kinds
    part: Fit | None
    failures: Mapping[str, tuple[str, Fit]]

    def judge(self, judged: _Judged) -> _Judged:
        """The verdicts on a tool with those that rest on the request; some take a fact's place."""
        tool, fits = judged.tool, judged.fits
        taking_place = (
            segmented_fit(tool, self.kinds, self.request),
            goal_fit(tool, fits, self.request),
        )
        changed = {fit.fact: fit for fit in taking_place if fit}
        suite = suite_fit(tool, fits, self.request, self.failures)
        more = tuple(fit for fit in (self.part, suite, output_fit(tool, self.request)) if fit)
        if not changed and not more:
            return judged
        share, text = judged.share, judged.text
        if changed:
            before = cost_of(fits)[0]
            fits = tuple(changed.get(fit.fact, fit) for fit in fits)
            after, text = cost_of(fits)
            share += after - before
        if self.part and is_failed(fits, "body part"):
            # What is asked is not in the scan, and a tool for that alone does nothing with it.
            share += 1.0 - SOFT
        if suite:
            # A suite stands no higher than its program for the task does by what that one fails.
            share, text = share + SOFT, f"{suite.tool}"
        return with_fields(judged, fits=(*fits, *more), share=share, text=text)


@dataclass(frozen=True)
class FitStage:
    """Adds verdicts; a failing hard fact costs ``penalty`` spans of the list's scores.

    Any other failing fact costs SOFT of that, and a conversion a fiftieth, so that a tool
    that reads the scan as it is comes first. ``span`` is that of the scores where it is known,
    else it is taken from the list; a penalty of 0 marks and moves nobody. The species that a
    text names and the kind of image that a token states count without a scan too. ``requested``
    reads what of the request bears on the fit. Once the
    query's time is used up, candidates that were not checked yet stay as they are, and the
    result says so. A ``quiet`` stage with nothing to compare is no part of the list of stages.
    """

    convert: Convert = no_conversion
    requested: ReadRequest = nothing_requested
    penalty: float = 1.0
    span: float | None = None
    name: str = "fit"
    quiet: bool = False
    _uploads: dict[UploadKey, _Upload] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def run(self, state: State) -> StageResult:
        """The same candidates, marked and ranked again; skipped without a scan or a species."""
        kind = stated_kind(state.query)
        # A token alone says nothing of whose body it is: no tool is held against people for it.
        of_bodies = bool(state.query.scans or species_words(state.query.text))
        nothing = not (of_bodies or kind)
        if self.quiet and (nothing or "fit" in state.query.off):
            return StageResult(name=self.name, state=state, note=NOTHING, listed=False)
        if "fit" in state.query.off:
            raise StageUnavailable("switched off for this search")
        if nothing:
            raise StageUnavailable(NOTHING)
        unit = self.penalty * (self.span or spread(state.candidates, "tokens"))
        request = self.requested(state.query) if state.query.scans else NO_REQUEST
        convert = _admitted(self.convert, state, request.goal)
        upload, marked = self._upload(state, kind, request.goal), list[Candidate]()
        requested = _requested_of(state, request, upload, convert)
        # The English reading names tasks where a text of another language does.
        worded = " ".join((state.query.text, *state.query.reading))
        for candidate in state.candidates:
            if state.deadline.passed:
                break
            judged = requested.judge(upload.judge(candidate.tool, convert))
            fits, share, text = judged.fits, judged.share, judged.text
            if of_bodies:
                fits, share, text = _with_species(judged, state.query.text)
            if not (state.query.scans or kind):
                # That a text names people says of no image that a tool takes it.
                fits = tuple(fit for fit in fits if fit.verdict != "pass")
            volumes = volumes_fit(candidate.tool, upload.kinds, worded)
            cost = unit * share
            why = Why(kind="fit", stage=state.path, text=text, value=round(-cost, 6))
            reasons = (why,) if cost else ()
            wishes = [fit for fit in candidate.fit or () if fit.asked]
            scored = candidate.scored(state.path, candidate.score - cost, *reasons)
            counted = (volumes,) if volumes else ()
            marked.append(_with_fits(scored, (*fits, *counted, *wishes)))
        # Candidates that were not checked keep their scores: no verdict is against them.
        rest = [c.scored(state.path, c.score) for c in state.candidates[len(marked) :]]
        return self._result(state, upload.kinds, marked, rest)

    def _upload(self, state: State, kind: Modality | None, goal: str) -> _Upload:
        """The upload of a query, kept for the same scans, selection, stated kind and goal."""
        key = (state.query.scans, state.selection, kind, goal)
        upload = self._uploads.get(key)
        if upload is None:
            if len(self._uploads) >= CACHED_UPLOADS:
                self._uploads.clear()
            upload = self._uploads[key] = _Upload(kinds=kinds_of(state.query.scans), kind=kind)
        return upload

    def _result(
        self, state: State, kinds: Kinds, marked: list[Candidate], rest: list[Candidate]
    ) -> StageResult:
        """The list and, where only a part was compared, how much that is."""
        sunk = sum(any(f.verdict == "fail" for f in c.fit or ()) for c in marked)
        limits = []
        if kinds.left_out:
            compared = f"compared {len(kinds.scans):,} of {kinds.total:,} kinds of series"
            limits.append(f"{compared}, the limit of one search: pick one series or add fewer")
        if rest:
            of = f"{len(rest):,} of {len(marked) + len(rest):,} tools"
            limits.append(f"{OUT_OF_TIME}: {of} were not checked against the scan")
        return StageResult(
            name=self.name,
            state=replace(state, candidates=ranked([*marked, *rest])),
            status="fallback" if limits else "ok",
            note="; ".join([*limits, f"{sunk} {'marked down' if self.penalty else MARKED}"]),
            metrics={
                "marked_down": sunk,
                KINDS_LEFT_OUT: kinds.left_out,
                UNCHECKED: len(rest),
            },
        )


def _with_fits(candidate: Candidate, fits: tuple[Fit, ...]) -> Candidate:
    return replace(candidate, fit=fits or None)


def _with_species(judged: _Judged, text: str) -> tuple[tuple[Fit, ...], float, str]:
    """The verdicts with that on the species, which rests on the text, and what they all cost."""
    species = species_fit(judged.tool, text)
    if species is None or species.verdict == "pass":
        return (*judged.fits, *((species,) if species else ())), judged.share, judged.text
    unknown = SPECIES_UNKNOWN if species.tool else SPECIES_UNSTATED
    cost = OTHER_SPECIES if species.verdict == "fail" else unknown
    own = f"made for {species.tool}" if species.tool else "species not stated"
    words = f"{judged.text}, species" if judged.share else own
    return (*judged.fits, species), judged.share + cost, words


def _requested_of(state: State, request: Request, upload: _Upload, convert: Convert) -> _Requested:
    """What the request says of the tools of a list."""
    listed = (candidate.tool for candidate in state.candidates)
    return _Requested(
        request=request,
        kinds=upload.kinds,
        part=part_fit(upload.kinds, request),
        failures=suite_failures(listed, request, lambda tool: upload.judge(tool, convert).fits),
    )


def _admitted(convert: Convert, state: State, goal: str) -> Convert:
    """The conversions, without chains through a tool that the query excludes.

    Nor by way of the format that is asked for: after such a step all is done.
    """

    def admitted(have: str, goal_formats: Sequence[str], content: Content) -> Chain | None:
        chain = convert(have, goal_formats, content)
        if chain and not all(state.selection.admits(tool) for _, tool, _ in chain):
            return None
        return None if chain and any(after == goal for *_, after in chain) else chain

    return admitted
