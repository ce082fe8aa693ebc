"""What flows through a pipeline. No behaviour beyond derived views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Listed
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from retrieval.core.budget import Budget
from retrieval.core.codes import BodyPart, Dimension, Format, Modality, Sequence
from retrieval.core.deadline import NO_LIMIT, Deadline
from retrieval.core.evidence import NO_EVIDENCE, Evidence
from retrieval.core.pages import Page
from retrieval.core.why import Why, Whys


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a tool asks of its input and machine; None or empty where nobody stated it."""

    units: str | None = None
    channels: int | None = None
    min_slices: int | None = None
    max_spacing_mm: float | None = None
    sequences: tuple[Sequence, ...] = ()
    ram_gb: float | None = None
    gpu_gb: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One catalog record. None and () mean that nobody stated the fact, never that it is absent."""

    id: str
    name: str
    description: str
    url: str | None = None
    repo: str | None = None
    docs_url: str | None = None
    demo_url: str | None = None
    keywords: tuple[str, ...] = ()
    domain: str | None = None
    tasks: tuple[str, ...] = ()
    modalities: tuple[Modality, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    formats_in: tuple[Format, ...] = ()
    formats_out: tuple[Format, ...] = ()
    anatomy: tuple[BodyPart, ...] = ()
    needs: Needs = Needs()
    languages: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
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
    checked_on: date | None = None


def format_token(code: str) -> str:
    """``format:CT``; one word, so that a tokeniser keeps it whole."""
    return f"format:{code}".replace(" ", "_")


def task_token(task: str) -> str:
    """``task:quality_control``; what files are to each other, as a word to search for."""
    return f"task:{task}".replace(" ", "_")


PARTLY_READ = "partly-read"
"""The note of a series whose reading ended before all files of the upload were read."""

IN_PART = "the scan was read in part: reading ended before all of its files were read"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanInfo:
    """What one series or image is, in closed codes. Shape and spacing (mm) in stored order."""

    format: Format
    modality: Modality | None = None
    dimension: Dimension | None = None
    body_part: BodyPart | None = None
    sequence: Sequence | None = None
    shape: tuple[int, ...] = ()
    spacing: tuple[float, ...] | None = None
    files: int = 1
    channels: int | None = None
    units: Literal["HU", "normalised", "arbitrary"] | None = None
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """``format:DICOM format:CT format:3D``: format, modality, dimension (S1-01)."""
        codes = (self.format, self.modality, self.dimension)
        return tuple(format_token(code) for code in codes if code)

    @property
    def whole(self) -> bool:
        """Whether every file was read; else slices may be missing that are there."""
        return PARTLY_READ not in self.notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Facts a tool must state to be found; an empty field asks nothing."""

    licenses: frozenset[str] = frozenset()
    modalities: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    dimensions: frozenset[str] = frozenset()
    interfaces: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    gpu: frozenset[str] = frozenset()

    def admits(self, tool: Tool) -> bool:
        """Whether the tool states what every field asks."""
        asked = (
            (self.licenses, (tool.license,)),
            (self.modalities, tool.modalities),
            (self.formats, (*tool.formats_in, *tool.formats_out)),
            (self.dimensions, tool.dimensions),
            (self.interfaces, tool.interfaces),
            (self.domains, (tool.domain,)),
            (self.gpu, (tool.gpu,)),
        )
        return all(not want or not want.isdisjoint(have) for want, have in asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A catalog term near the query; similarity is a cosine."""

    term: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What was asked: clean text, what the files are, what the toggles say.

    ``liked`` and ``disliked`` are ids of tools that a visitor chose to have remembered.
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

    @property
    def search_text(self) -> str:
        """Clean text, then tokens; expansion terms are never part of it."""
        return " ".join(part for part in (self.text, *self.tokens) if part)

    @property
    def meant_text(self) -> str:
        """What an English model is asked: the reading where there is one, else the text."""
        return " ".join((*self.reading, *self.tokens)) if self.reading else self.search_text

    @property
    def worded_text(self) -> str:
        """What words are looked up: the text as typed, the reading, the tokens."""
        return " ".join(part for part in (self.text, *self.reading, *self.tokens) if part)

    @property
    def expanded_text(self) -> str:
        """Clean text, expansion terms, tokens: what a source that uses expansion looks for."""
        terms = (t.term for t in self.expansion)
        return " ".join(part for part in (self.text, *terms, *self.tokens) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which tools a query may return: ``keep`` (None: all) less ``drop``. Ids of tools."""

    keep: frozenset[str] | None = None
    drop: frozenset[str] = frozenset()

    def admits(self, tool_id: str) -> bool:
        """Whether a tool may be returned."""
        return tool_id not in self.drop and (self.keep is None or tool_id in self.keep)


EVERYTHING = Selection()


def select(tools: Iterable[Tool], query: Query) -> Selection:
    """The selection of a query's filters and exclusions (ids or names, case-folded)."""
    if not query.excluded and query.filters == Filters():
        return EVERYTHING
    listed = tuple(tools)
    names = {name.strip().casefold() for name in query.excluded}
    drop = (t.id for t in listed if t.id.casefold() in names or t.name.casefold() in names)
    if query.filters == Filters():
        return Selection(drop=frozenset(drop))
    kept = frozenset(t.id for t in listed if query.filters.admits(t))
    return Selection(keep=kept, drop=frozenset(drop))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One fact of a tool held against the scan; the two values are the evidence."""

    fact: str
    verdict: Literal["pass", "fail", "unknown"]
    scan: str | None
    tool: str | None


RETRIEVAL = "retrieval"
"""Key of the score a candidate had before reranking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A tool in a list. Scores are keyed by stage path; higher is better inside one stage."""

    tool: Tool
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    why: Whys = ()
    fit: tuple[Fit, ...] | None = None

    def scored(self, stage: str, score: float, *why: Why) -> Candidate:
        """A copy with this stage's score (rounded to 6 decimals) and reasons added."""
        score = round(score, 6)
        return Candidate(
            tool=self.tool,
            score=score,
            scores={**self.scores, stage: score},
            why=(*self.why, *(w for w in why if not self._has(w))) if why else self.why,
            fit=self.fit,
        )

    def _has(self, why: Why) -> bool:
        """Whether a reason is told already; few are of the same stage."""
        return any(had.stage == why.stage and had == why for had in self.why)


Candidates = Listed[Candidate]
"""Candidates, best first; some lists are made when they are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a stage receives; ``path`` is the stage's own place in the tree.

    ``watched``: somebody looks at results that are not whole yet.
    ``budget`` is what language models may still cost this query. ``images`` (PNG) are what the
    person let go with a prompt; they are in no query, export or log.
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
    budget: Budget = field(default_factory=Budget, compare=False, repr=False)
    images: tuple[bytes, ...] = field(default=(), compare=False, repr=False)


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Best score first; equal scores stand in the order of their ids."""
    return tuple(sorted(candidates, key=lambda c: (-c.score, c.tool.id)))
