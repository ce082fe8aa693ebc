"""The JSON of a search: one schema that writes it and reads it again.

Fields stand in the order in which they are written. Those marked ``Written`` are ignored when a
file is read; the others are checked and bounded then. Validation of a list stops at its first
wrong item (``fail_fast``): collecting every error took 8 s for a file of 1.5 MB, during which no
other thread runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
)
from typing_extensions import TypedDict

from retrieval.core import (
    BadInput,
    Filters,
    Fit,
    Graph,
    Why,
    Wish,
)
from retrieval.dialogue import Option, Relaxation, Suggestion
from retrieval.engine import Limit
from retrieval.explain import Matched, Needed, Share, Unmet
from retrieval.export.parts import (
    Json,
    Length,
    Name,
    Names,
    Part,
    ScanPart,
    Written,
    counted_settings,
)
from retrieval.fit import Summary
from retrieval.query import MAX_TEXT, MAX_TOP_K


class FilterPart(Part):
    """Facts that tools had to state."""

    licenses: Names = ()
    modalities: Names = ()
    formats: Names = ()
    dimensions: Names = ()
    interfaces: Names = ()
    domains: Names = ()
    gpu: Names = ()

    @property
    def filters(self) -> Filters:
        """The filters as a search takes them."""
        return Filters(**{name: frozenset(values) for name, values in self})


class TermPart(Part):
    """A catalog term near the query."""

    term: Name
    similarity: Length


class QueryPart(Part):
    """The query."""

    raw: str = Field(default="", max_length=MAX_TEXT)
    text: str = Field(max_length=MAX_TEXT)
    search_text: Written[str] = None
    tokens: Names = ()
    excluded: Names = ()
    unmatched: Written[dict[str, tuple[str, ...]]] = None
    rerank: bool = True
    refine: bool = False
    reading: Names = ()
    expansion: Annotated[tuple[TermPart, ...], Field(max_length=200, fail_fast=True)] = ()
    filters: FilterPart = FilterPart()
    off: Names = ()
    muted_tokens: Names = ()
    top_k: int | None = Field(default=None, ge=1, le=MAX_TOP_K)
    scans: Annotated[tuple[ScanPart, ...], Field(max_length=2_000, fail_fast=True)] = ()
    liked: Names = ()
    disliked: Names = ()
    understood: Annotated[tuple[Wish, ...], Field(max_length=200, fail_fast=True)] = ()


class Listed(TypedDict):
    """A tool in the list of a stage; no Part, for an answer holds hundreds of them."""

    id: str
    name: str
    rank: int
    score: float


class StagePart(Part):
    """A stage, whether it ran, and its list."""

    name: Name
    status: Literal["ok", "skipped", "fallback", "failed"]
    note: Written[str] = None
    elapsed_ms: Written[float] = None
    usage: Written[dict[str, float]] = None
    candidates: Written[tuple[Listed, ...]] = None


class CandidatePart(Part):
    """A tool of the final list, best first; without a rank it has that of its place."""

    rank: Annotated[int, Field(ge=1, le=10**6)] | None = None
    id: Name
    name: Written[str] = None
    description: Written[str] = None
    url: Written[str] = None
    keywords: Written[tuple[str, ...]] = None
    license: Written[str] = None
    supporting_data: Written[Json] = None
    retrieval_score: Written[float] = None
    fused_score: Written[float] = None
    why: Written[tuple[Why, ...]] = None
    fit: Written[tuple[Fit, ...]] = None
    verdict: Written[Summary] = None
    score: Written[float] = None
    contributions: Written[tuple[Share, ...]] = None
    matched: Written[Matched] = None
    ranks: Written[dict[str, int]] = None
    scores: Written[dict[str, float]] = None
    near_miss: Written[bool] = None
    lacks: Written[tuple[str, ...]] = None


class MetadataPart(Part):
    """What the search ran on; settings are None in a file that does not state them."""

    mode: Name
    catalog_sha256: Name
    encoder: Name
    settings: Annotated[
        dict[Name, Name | bool | int | Length | None] | None, BeforeValidator(counted_settings)
    ] = None
    sizes: dict[Name, int] | None = None
    version: Name | None = None
    total_latency_ms: Written[float] = None
    load_ms: Written[float] = None
    fallbacks: Written[list[dict[str, str]]] = None
    limits: Written[tuple[Limit, ...]] = None
    notes: Written[tuple[str, ...]] = None
    reason: Written[str] = None
    low_confidence: Written[bool] = None
    wishes: Written[Json] = None
    unmet: Written[tuple[Unmet, ...]] = None
    gap: Written[str] = None
    outside_calls: Written[list[dict[str, str]]] = None
    metrics: Written[Json] = None
    ledger: Written[list[dict[str, str]]] = None
    usage: Written[dict[str, float]] = None
    agentic: Written[Json] = None


class QuestionPart(Part):
    """A question back with its ready queries, whose wording it has, and the model's usage."""

    question: str
    context: str
    options: tuple[Option, ...]
    wording: str
    note: str
    usage: dict[str, float] | None


class ConfidencePart(Part):
    """How sure the answer is, and the signals behind that."""

    score: float
    abstains: bool
    signals: dict[str, float]
    named: bool
    other_data: bool


class NearMissPart(Part):
    """A tool that constraints exclude; ``relax`` is the constraint where there is one alone."""

    id: str
    name: str
    blocked_by: list[dict[str, str]]
    relax: dict[str, str] | None


class RefusalPart(Part):
    """Which path and file could not be read, counted from 1, and why."""

    index: int
    member: int | None = None
    reason: Name


class SearchJson(Part):
    """One search: the request, every stage, the final list and what it ran on."""

    query: QueryPart
    stages: Annotated[tuple[StagePart, ...], Field(max_length=500, fail_fast=True)] = ()
    candidates: Annotated[tuple[CandidatePart, ...], Field(max_length=1_000, fail_fast=True)]
    graph: Written[Graph] = None
    metadata: MetadataPart
    clarification: Written[QuestionPart] = None
    refused: Annotated[tuple[RefusalPart, ...], Field(max_length=2_000, fail_fast=True)] = ()
    confidence: Written[ConfidencePart] = None
    relax: Written[tuple[Relaxation, ...]] = None
    near_misses: Written[list[NearMissPart]] = None
    suggestions: Written[tuple[Suggestion, ...]] = None
    also_needed: Written[tuple[Needed, ...]] = None


JSON_WORDS = (
    ("valid tuple", "list"),
    ("valid dictionary", "valid object"),
    ("Tuple should", "List should"),
    ("Dictionary should", "Object should"),
    (r"Value error, | after validation| or instance of \w+", ""),
)
"""Parts of pydantic's messages, and what stands in their place."""


def read_search(data: Mapping[str, Any]) -> SearchJson:
    """The checked search. Raises BadInput naming the first field that is wrong."""
    try:
        return SearchJson.model_validate(data)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:120]
        words = first["msg"][:120]
        # pydantic speaks of Python's types; a reader of the message has a JSON file.
        for python, plain in JSON_WORDS:
            words = re.sub(python, plain, words)
        problem = f"file: {where}: {words}; choose a file saved with the JSON button"
        raise BadInput(problem) from exc
