"""Answers of the engine, and what is remarked on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct, field

from retrieval.agentic import AgenticReport, agentic_report
from retrieval.core import (
    OUT_OF_TIME,
    Candidate,
    Candidates,
    Query,
    StageResult,
    Wish,
)
from retrieval.dialogue import Clarification, NearMiss, Relaxation, Suggestion
from retrieval.engine.ledger import Reading, ledger_of
from retrieval.engine.snapshot import ModeFacts
from retrieval.explain import (
    NO_GAP,
    Confidence,
    Gap,
    Needed,
    nearest_of,
    never_rising,
)
from retrieval.fit import KINDS_LEFT_OUT, MOST_KINDS, UNCHECKED, WishEffect, wish_effect
from retrieval.query import unread_note
from retrieval.scans import Refusal

REASONS = (
    "no_suitable_tool",
    "no_modality_match",
    "no_task_match",
    "no_dimension_match",
    "invalid_files",
)

COSINES = frozenset({"dense", "similarity", "vector search"})
"""Names of stages whose scores are similarities to the text."""

LOADED = COSINES | {"late interaction", "expand", "rank", "names"}
"""Names of stages that cannot run before the engine is loaded."""

LimitCode = Literal["kinds-left-out", "tools-unchecked", "time-used-up"]

Setting = str | float | bool | None
"""A choice that can change ranks, as it stands in an export."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One limit that was reached: its code, how many things it left out, and words for it."""

    code: LimitCode
    left_out: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A remark that could not be made: which part, and why."""

    part: str
    reason: str


class Insight(Struct, frozen=True, kw_only=True):
    """Remarks on a finished answer: confidence, concepts, and what would give more tools.

    ``concepts`` are those the query names, each with the listed tools that have it; ``unserved``
    the kinds (operation, modality) of which no admitted tool has any that the query names;
    ``parts`` what the text asks to be done, on what, in which kind of image and of which species;
    ``gap`` the parts of the request that no single record of the catalog states together;
    ``scores`` one per candidate, 0 to 1, never rising, empty without a scale; ``also_needed`` the
    tools that listed ones need; ``notes`` what of the request is not read or that no record states;
    ``filtered_out`` says that the filters leave none of the tools that state what is asked;
    ``faults`` what could not be remarked because something failed.
    """

    confidence: Confidence | None = None
    concepts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    unserved: frozenset[str] = frozenset()
    relax: tuple[Relaxation, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    gap: Gap = NO_GAP
    parts: tuple[Wish, ...] = ()
    scores: tuple[float, ...] = ()
    also_needed: tuple[Needed, ...] = ()
    notes: tuple[str, ...] = ()
    filtered_out: str = ""
    faults: tuple[Fault, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to one query so far; ``done`` marks the last one.

    ``loading``: the query began before the engine was ready, so that stages may be missing.
    ``unmatched``: exclusions that name no tool, each with the names nearest to it. ``sizes`` are
    those that this search had otherwise than set. ``clarification`` is a question with options,
    when the query asks for one or the answer is doubtful.

    A session may hold an answer for hours, and the catalog may be replaced meanwhile: nothing here
    refers to a pipeline, an index or a store of the snapshot that gave it, but for the graph.
    """

    mode: ModeFacts
    query: Query
    result: StageResult
    catalog_sha256: str
    total_ms: float
    load_ms: float = 0.0
    done: bool = True
    loading: bool = False
    floor: float = 0.0
    refused: tuple[Refusal, ...] = ()
    unmatched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outside: tuple[tuple[str, str], ...] = ()
    insight: Insight = Insight()
    settings: Mapping[str, Setting] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    clarification: Clarification | None = None

    @property
    def candidates(self) -> Candidates:
        """The final list, best first."""
        return self.result.state.candidates

    @property
    def unloaded(self) -> tuple[str, ...]:
        """Names of the stages that did not run because the engine was still loading."""
        skipped = (n.name.rsplit("/", 1)[-1] for n in self.result.walk() if n.status == "skipped")
        missing = dict.fromkeys(name for name in skipped if name in LOADED)
        return tuple(name for name in missing if self.loading and name not in self.query.off)

    @property
    def by_words(self) -> bool:
        """Whether meanings were not compared because the engine was still loading."""
        return not COSINES.isdisjoint(self.unloaded)

    @property
    def unread(self) -> bool:
        """Whether the text is in a language that is not read."""
        return bool(unread_note(self.query.text))

    @property
    def low_confidence(self) -> bool:
        """Whether nothing here fits the words: as calibrated, else by the floor of cosines.

        Of a text in a language that is not read nobody knows.
        """
        if self.unread:
            return False
        if self.insight.confidence is not None:
            return self.insight.confidence.abstains
        # A similarity to a broader query of a later round says nothing of the text as typed.
        cosines = [
            score
            for candidate in self.candidates
            for stage, score in candidate.scores.items()
            if stage.rsplit("/", 1)[-1] in COSINES and "/query " not in stage
        ]
        return bool(self.query.text) and bool(cosines) and max(cosines) < self.floor

    @property
    def nearest(self) -> Sequence[Candidate]:
        """The candidates whose records share parts of a request that none states whole.

        They come from the longest list of the search: a rare word in another sense (the masses of
        spectrometry) may fill the final one.
        """
        shared = self.insight.gap.shared
        lists = (node.state.candidates for node in self.result.walk() if node.ran)
        longest = max(lists, key=len, default=self.candidates)
        every = {c.tool.id: c for c in (*self.candidates, *longest)}
        listed = [c.tool.id for c in self.candidates]
        return [every[one] for one in nearest_of(listed, list(every), shared)]

    @property
    def gap_words(self) -> str:
        """What no record states, and the tools whose records state most of it; empty without a gap.

        The list itself stands in the order of the search, so the sentence says what it goes by.
        """
        sentence, nearest = self.insight.gap.sentence, [c.tool.name for c in self.nearest[:3]]
        if not sentence or not nearest:
            return sentence
        return f"{sentence} Nearest by what the records state: {', '.join(nearest)}."

    @property
    def shown_scores(self) -> tuple[float, ...]:
        """The score of each candidate of the list, never rising; 0 to 1 where there is a scale."""
        return self.insight.scores or never_rising([c.score for c in self.candidates])

    @property
    def ledger(self) -> tuple[Reading, ...]:
        """What each stage handed to an encoder, an index or a model."""
        return ledger_of(self.result.state, self.query.tokens)

    @property
    def wishes(self) -> WishEffect | None:
        """What the wishes of the text did to the list; None without a wish."""
        return wish_effect(self.result, self.query.wishes)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """Where a limit of one search left something out."""
        return limits_of(self.result)

    @property
    def agentic(self) -> AgenticReport | None:
        """The report on the rounds of agentic retrieval; None in the other modes."""
        return agentic_report(self.result, self.total_ms)

    @property
    def reason(self) -> str | None:
        """One of REASONS when no listed tool fits the request; None otherwise or without time."""
        if self.refused and not self.query.scans and not self.query.text:
            return "invalid_files"
        # Where time was used up an empty list says nothing of the catalog.
        if not self.candidates and any(one.code == "time-used-up" for one in self.limits):
            return None
        judged = self.insight.confidence
        if not self.candidates or (judged is not None and judged.abstains):
            return "no_suitable_tool"
        for fact in ("modality", "dimension"):
            verdicts = [f.verdict for c in self.candidates for f in c.fit or () if f.fact == fact]
            # Candidates that were not checked in time may still suit the scan.
            checked = len(verdicts) == len(self.candidates)
            if checked and all(v == "fail" for v in verdicts):
                return f"no_{fact}_match"
        for kind, reason in (("operation", "no_task_match"), ("modality", "no_modality_match")):
            if kind in self.insight.unserved:
                return reason
        return "no_suitable_tool" if self.done and self.low_confidence else None


def limits_of(result: StageResult) -> tuple[Limit, ...]:
    """The limits that a search reached; a stage that ran in several rounds counts once."""
    kinds = _most(result, KINDS_LEFT_OUT)
    tools = _most(result, UNCHECKED)
    nodes = (*result.walk(), result)
    late = [n.name for n in nodes if n.status == "skipped" and n.note == OUT_OF_TIME]
    return tuple(_limits(kinds, tools, late))


def _limits(kinds: int, tools: int, late: list[str]) -> Iterator[Limit]:
    if kinds:
        compared = f"of {kinds + MOST_KINDS:,} kinds of series {MOST_KINDS} were compared with"
        text = f"{compared} the tools, the limit of one search. Pick one series or add fewer."
        yield Limit(code="kinds-left-out", left_out=kinds, text=text)
    if tools:
        text = f"{OUT_OF_TIME}: {tools:,} tools were not checked against the scan."
        yield Limit(code="tools-unchecked", left_out=tools, text=text)
    if late:
        text = f"{OUT_OF_TIME}: not run: {', '.join(late)}."
        yield Limit(code="time-used-up", left_out=len(late), text=text)


def _most(result: StageResult, metric: str) -> int:
    return int(max((node.metrics.get(metric, 0) for node in result.walk()), default=0))
