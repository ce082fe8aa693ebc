"""Data that flow through a pipeline, with derived views and no other behaviour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Literal

from msgspec import Struct, field

from retrieval.core.codes import BodyPart, Conversion, Dimension, Format, Modality, PulseSequence
from retrieval.core.deadline import NO_LIMIT, Deadline
from retrieval.core.evidence import NO_EVIDENCE, Evidence, Page, Term, Wish
from retrieval.core.lazy import LazyTuple
from retrieval.core.ports import ModelBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Requirements of a tool on input and machine; None or empty where no source states them."""

    units: str | None = None
    channels: int | None = None
    min_slices: int | None = None
    max_spacing_mm: float | None = None
    sequences: tuple[PulseSequence, ...] = ()
    data: tuple[str, ...] = ()  # codes of the catalog's schema; all of them are read
    orientation: str | None = None
    ram_gb: float | None = None
    gpu_gb: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One catalog record. None and () mean that no source states the fact, not absence."""

    id: str
    name: str
    description: str
    url: str | None = None
    repo: str | None = None
    docs_url: str | None = None
    demo_url: str | None = None
    keywords: tuple[str, ...] = ()
    asked_as: tuple[str, ...] = ()  # how people ask for what it does, in words of theirs
    domain: str | None = None
    tasks: tuple[str, ...] = ()
    modalities: tuple[Modality, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    formats_in: tuple[Format, ...] = ()
    formats_out: tuple[Format, ...] = ()
    converts: tuple[Conversion, ...] = ()
    anatomy: tuple[BodyPart, ...] = ()
    species: tuple[str, ...] = ()  # codes of the catalog's schema; human is a patient
    needs: Needs = Needs()
    languages: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    install: tuple[tuple[str, str, str], ...] = ()  # kind, line to type, address of its source
    python_version: str | None = None
    gpu: str | None = None
    license: str | None = None
    license_weights: str | None = None
    license_data: str | None = None
    license_output: str | None = None
    citation: str | None = None
    requires_tool: tuple[str, ...] = ()
    compatible_with: tuple[str, ...] = ()
    co_used_with: tuple[str, ...] = ()
    suite: str | None = None
    last_release: str | None = None
    last_commit: date | None = None
    checked_on: date | None = None


def format_token(code: str) -> str:
    """``format:CT``; one word, so that a tokeniser does not split it."""
    return f"format:{code}".replace(" ", "_")


PARTLY_READ = "partly-read"
"""The note of a series whose reading ended before all files of the upload were read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanInfo:
    """What one series or image is, in closed codes. Shape and spacing (mm) in stored order."""

    format: Format
    modality: Modality | None = None
    dimension: Dimension | None = None
    body_part: BodyPart | None = None
    sequence: PulseSequence | None = None
    shape: tuple[int, ...] = ()
    spacing: tuple[float, ...] | None = None
    files: int = 1
    channels: int | None = None
    units: Literal["HU", "normalised", "arbitrary"] | None = None
    axes: tuple[Literal["R", "L", "A", "P", "S", "I"], ...] = ()  # of x, y, z
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """``format:DICOM format:CT format:3D``: format, modality, dimension (S1-01)."""
        codes = (self.format, self.modality, self.dimension)
        return tuple(format_token(code) for code in codes if code)

    @property
    def complete(self) -> bool:
        """Whether every file was read; if not, slices may be missing from the counts."""
        return PARTLY_READ not in self.notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Facts a tool must state to be a candidate; an empty field does not filter."""

    licenses: frozenset[str] = frozenset()
    modalities: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    dimensions: frozenset[str] = frozenset()
    interfaces: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    gpu: frozenset[str] = frozenset()

    def admits(self, tool: Tool) -> bool:
        """Whether the tool states one value of every field that is set."""
        # Asked of every record of a catalog: a field that is not set costs one look.
        return not (
            (self.licenses and tool.license not in self.licenses)
            or (self.modalities and self.modalities.isdisjoint(tool.modalities))
            or (self.formats and self.formats.isdisjoint((*tool.formats_in, *tool.formats_out)))
            or (self.dimensions and self.dimensions.isdisjoint(tool.dimensions))
            or (self.interfaces and self.interfaces.isdisjoint(tool.interfaces))
            or (self.domains and tool.domain not in self.domains)
            or (self.gpu and tool.gpu not in self.gpu)
        )


class Query(Struct, frozen=True, kw_only=True):
    """A search: clean text, facts of the scans, and settings of the form.

    ``liked`` and ``disliked`` are ids of tools that a visitor chose to have remembered;
    ``unsearched`` are the tokens that are weighed by a stage of their own and not searched with.
    """

    raw: str
    text: str
    scans: tuple[ScanInfo, ...] = ()
    tokens: tuple[str, ...] = ()
    muted_tokens: frozenset[str] = frozenset()
    excluded: tuple[str, ...] = ()
    rerank: bool = True
    refine: bool = False
    expansion: tuple[Term, ...] = ()
    reading: tuple[str, ...] = ()
    filters: Filters = Filters()
    off: frozenset[str] = frozenset()
    top_k: int | None = None
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    unsearched: frozenset[str] = frozenset()
    wishes: tuple[Wish, ...] = ()

    @property
    def searched_tokens(self) -> tuple[str, ...]:
        """The tokens that are words to look for."""
        return tuple(token for token in self.tokens if token not in self.unsearched)

    @property
    def search_text(self) -> str:
        """Clean text, then all tokens, as shown; expansion terms are never part of it."""
        return " ".join(part for part in (self.text, *self.tokens) if part)

    @property
    def plain_text(self) -> str:
        """Text to search with: as typed, then the searched tokens."""
        return " ".join(part for part in (self.text, *self.searched_tokens) if part)

    @property
    def english_text(self) -> str:
        """Text for an English model: the English reading where there is one, else the text."""
        return " ".join((*self.reading, *self.searched_tokens)) if self.reading else self.plain_text

    @property
    def worded_text(self) -> str:
        """Text for a word index: as typed, then the English reading, then the searched tokens."""
        return " ".join(p for p in (self.text, *self.reading, *self.searched_tokens) if p)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Ids of the tools a query may return: ``keep`` (None: all) without ``drop``."""

    keep: frozenset[str] | None = None
    drop: frozenset[str] = frozenset()

    def admits(self, tool_id: str) -> bool:
        """Whether a tool may be returned."""
        return tool_id not in self.drop and (self.keep is None or tool_id in self.keep)


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One fact of a tool compared with the scan, or with what is ``asked``, and both values."""

    fact: str
    verdict: Literal["pass", "after conversion", "unknown", "fail"]
    scan: str | None
    tool: str | None
    asked: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """One reason for a place in a list: which stage, what it saw, and its share of the score."""

    kind: str
    stage: str
    text: str
    value: float | None = None


Whys = Sequence[Why]
"""The reasons of a candidate, in the order in which stages added them."""


class Candidate(Struct, frozen=True, kw_only=True):
    """A tool in a list; scores by stage path, in the order of the stages. Higher is better."""

    tool: Tool
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    why: Whys = ()
    fit: tuple[Fit, ...] | None = None

    def scored(
        self, stage: str, score: float, *why: Why, fit: tuple[Fit, ...] | None = None
    ) -> Candidate:
        """A copy with this stage's score (to 6 decimals), reasons (few are ever read) and fit."""
        score = round(score, 6)
        return Candidate(
            tool=self.tool,
            score=score,
            scores={**self.scores, stage: score},
            why=LazyTuple(lambda: tuple(dict.fromkeys((*self.why, *why)))) if why else self.why,
            fit=self.fit if fit is None else fit,
        )


Candidates = Sequence[Candidate]
"""Candidates, best first; some lists are computed on first access."""


class State(Struct, frozen=True, kw_only=True):
    """Input of a stage; ``path`` is the stage's own place in the tree.

    ``watched``: partial results are shown, so combinators yield them. To explain a result, a source
    finds ``depth`` tools and ``uncut`` leaves fused lists whole. ``calls``: stage, reader and text
    of each reading. ``budget`` limits the language models. ``images`` (PNG) go with a prompt only.
    """

    query: Query
    candidates: Candidates = ()
    selection: Selection = EVERYTHING
    deadline: Deadline = NO_LIMIT
    path: str = ""
    round: int = 1
    pages: tuple[Page, ...] = ()
    evidence: Evidence = NO_EVIDENCE
    watched: bool = True
    uncut: bool = False
    depth: int | None = None
    calls: list[tuple[str, str, str]] = field(default_factory=list)
    budget: ModelBudget | None = None
    images: tuple[bytes, ...] = ()

    def __repr__(self) -> str:  # a description of a state gives no image of a visitor away
        return f"State({self.query!r}, path={self.path!r}, candidates={len(self.candidates)})"


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Candidates by descending score; ties in the order of their ids."""
    every = sorted(candidates, key=attrgetter("score"), reverse=True)
    if len({c.score for c in every}) < len(every):  # lists seldom have ties, and ids cost more
        every = sorted(every, key=lambda c: (-c.score, c.tool.id))
    return tuple(every)
