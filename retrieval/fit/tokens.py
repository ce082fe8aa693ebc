"""What the files are, as evidence of its own: tools that state a token's fact stand higher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from retrieval.catalog import modality_lineage, task_token
from retrieval.core import (
    Candidate,
    Dimension,
    Format,
    Modality,
    Query,
    ScanInfo,
    StageResult,
    State,
    Tool,
    Why,
    format_token,
    ranked,
    read_by,
    spread,
)
from retrieval.fit.formats import READ_AS
from retrieval.fit.kinds import MAIN_TASKS

WEIGHT = 0.2
"""What one token adds to a tool that states its fact, as a part of the list's span of scores."""

GENERAL = 0.4
"""What a tool of general use adds where nothing is typed, as much as two facts of the files: the
tokens that are searched then favour short records, of whatever field they are."""

GENERAL_TASKS = frozenset(
    {"viewing", "visualisation", "3D rendering", "conversion", "reading and writing"}
    | {"segmentation", "interactive segmentation", "annotation"}
)
"""Main tasks that anybody may want of an image; who types nothing has told no other."""

FIELD_KINDS: Mapping[str, frozenset[Modality]] = {
    "radiotherapy": frozenset(
        {Modality.RTSTRUCT, Modality.RTPLAN, Modality.RTDOSE, Modality.RTIMAGE}
    ),
    "oncology": frozenset(),
    "cardiology": frozenset({Modality.ECG, Modality.IVUS, Modality.XA}),
    "ophthalmology": frozenset({Modality.OP, Modality.OPT, Modality.OCT}),
    "dental": frozenset({Modality.IO, Modality.PX, Modality.CBCT}),
    "preclinical": frozenset({Modality.MICRO_CT}),
    "pathology": frozenset({Modality.SM, Modality.GM}),
}
"""Fields of medicine that share their images with others, with the kinds that are their own."""

WIDER = 0.5
"""The part of it for a tool that states the wider kind: MRI where the token says dMRI."""

_CODES = {format_token(code): str(code) for kind in (Format, Modality, Dimension) for code in kind}

WEIGHED = "scan facts"
"""Name in the record of calls of what weighs tokens after the search."""

USED = "For any image of this kind: you typed no task"
KIND, USE = "token", "general use"
"""Kinds of the reasons that this stage gives."""


def answered(tool: Tool, token: str) -> float:
    """1 when the tool states the token's fact, less when that follows from it, 0 otherwise."""
    if token.startswith("task:"):
        return float(any(task_token(task) == token for task in tool.tasks))
    code, wider = _sought(token)
    if _states(tool, code):
        return 1.0
    return WIDER if any(_states(tool, one) for one in wider) else 0.0


def for_anybody(tool: Tool, scans: Sequence[ScanInfo]) -> bool:
    """Whether a tool views, converts or segments images like these, and not those of one field."""
    kinds = {scan.modality for scan in scans if scan.modality}
    own = FIELD_KINDS.get(tool.domain or "")
    if own is not None and kinds.isdisjoint(own):
        return False
    states = not kinds or any(answered(tool, format_token(kind)) for kind in kinds)
    return states and not GENERAL_TASKS.isdisjoint(tool.tasks[:MAIN_TASKS])


def stated_kind(query: Query) -> Modality | None:
    """The one kind of image that tokens state where there is no scan: an answer of the visitor."""
    if query.scans or "tokens" in query.off:
        return None
    codes = (_CODES.get(token, "") for token in query.tokens if token not in query.muted_tokens)
    kinds = {Modality(code) for code in codes if code in set(Modality)}
    return kinds.pop() if len(kinds) == 1 else None


def _states(tool: Tool, code: str) -> bool:
    return code in tool.formats_in or code in tool.modalities or code in tool.dimensions


@cache
def _sought(token: str) -> tuple[str, tuple[str, ...]]:
    """The code a token stands for, and the wider ones that hold it too."""
    code = _CODES.get(token, "")
    wider = [str(f) for f in READ_AS.get(Format(code), ())] if code in set(Format) else []
    wider += map(str, modality_lineage(Modality(code))[1:]) if code in set(Modality) else []
    return code, tuple(wider)


@dataclass(frozen=True)
class TokenStage:
    """Adds a share for every token a tool answers, and takes nothing from the others.

    What it adds depends on nothing but the tool and the token. Where no earlier stage looks at
    the tokens, a tool that answers one never stands lower with it than without (S1-04). Where
    files are all there is, tools of general use get a share as well.
    """

    weight: float = WEIGHT
    name: str = "tokens"

    def run(self, state: State) -> StageResult:
        """The same candidates ranked again; as they came where the query has no token."""
        if not state.query.tokens:
            return StageResult(name=self.name, state=state, note="no token", listed=False)
        read_by(state, WEIGHED, " ".join(state.query.tokens))
        unit = self.weight * spread(state.candidates, self.name)
        lifted = [self._lifted(candidate, state, unit) for candidate in state.candidates]
        candidates = ranked(candidate for candidate, _ in lifted)
        raised = sum(answers for _, answers in lifted)
        return StageResult(
            name=self.name,
            state=replace(state, candidates=candidates),
            note=f"{raised} state what the files are",
            metrics={"raised": raised},
        )

    def _lifted(self, candidate: Candidate, state: State, unit: float) -> tuple[Candidate, bool]:
        """The candidate with a share for each token it answers, and whether it answers any."""
        query = state.query
        # A task that the files suggest says nothing where the text names one of its own.
        tokens = [t for t in query.tokens if not (t.startswith("task:") and t in query.unsearched)]
        parts = [(token, answered(candidate.tool, token)) for token in tokens]
        whys = [
            Why(kind=KIND, stage=state.path, text=token, value=round(unit * part, 6))
            for token, part in parts
            if part
        ]
        total = candidate.score + sum(unit * part for _, part in parts)
        suggested = any(token.startswith("task:") for token in tokens)
        if (
            query.scans
            and not (query.text or suggested)
            and for_anybody(candidate.tool, query.scans)
        ):
            share = GENERAL / self.weight * unit
            total += share
            whys.append(Why(kind=USE, stage=state.path, text=USED, value=round(share, 6)))
        return candidate.scored(state.path, total, *whys), bool(whys)
