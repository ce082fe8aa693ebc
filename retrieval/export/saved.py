"""The part of an exported search that a replay reads, as checked and bounded models.

Validation of a list stops at its first wrong item (``fail_fast``): collecting every error took
8 s for a file of 1.5 MB, during which no other thread runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from retrieval.core import (
    BadInput,
    BodyPart,
    Dimension,
    Filters,
    Format,
    Modality,
    PulseSequence,
    ScanInfo,
)
from retrieval.query import MAX_TEXT, MAX_TOP_K
from retrieval.scans import Note

Name = Annotated[str, StringConstraints(max_length=300)]
Names = Annotated[tuple[Name, ...], Field(max_length=2_000, fail_fast=True)]
Extent = Annotated[int, Field(ge=0, le=10**9)]
Length = Annotated[float, Field(allow_inf_nan=False)]


MOST_SETTINGS = 100
"""Settings in a file; an export writes about twenty."""


def _few(settings: object) -> object:
    """The settings, counted before each is checked: an object is not left at its first error."""
    if isinstance(settings, dict) and len(settings) > MOST_SETTINGS:
        size = f"should have at most {MOST_SETTINGS} items, not {len(settings)}"
        raise ValueError(f"Object {size}")
    return settings


class _Part(BaseModel):
    """Keys that are not named here are ignored: later ones may be added to an export."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SavedScan(_Part):
    """A scan in closed codes and numbers."""

    format: Format
    modality: Modality | None = None
    dimension: Dimension | None = None
    body_part: BodyPart | None = None
    sequence: PulseSequence | None = None
    shape: Annotated[tuple[Extent, ...], Field(max_length=12, fail_fast=True)] = ()
    spacing: Annotated[tuple[Length, ...], Field(max_length=12, fail_fast=True)] | None = None
    files: Extent = 1
    notes: Annotated[tuple[Note, ...], Field(max_length=100, fail_fast=True)] = ()
    channels: Extent | None = None
    units: Literal["HU", "normalised", "arbitrary"] | None = None

    @property
    def info(self) -> ScanInfo:
        """The scan as a search takes it."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return ScanInfo(**{**values, "notes": tuple(str(note) for note in self.notes)})


class SavedFilters(_Part):
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
        return Filters(**{name: frozenset(got) for name, got in self.model_dump().items()})


class SavedTerm(_Part):
    """A catalog term near the query."""

    term: Name
    similarity: Length


class SavedQuery(_Part):
    """The query."""

    raw: str = Field(default="", max_length=MAX_TEXT)
    text: str = Field(max_length=MAX_TEXT)
    tokens: Names = ()
    excluded: Names = ()
    rerank: bool = True
    refine: bool = False
    reading: Names = ()
    expansion: Annotated[tuple[SavedTerm, ...], Field(max_length=200, fail_fast=True)] = ()
    filters: SavedFilters = SavedFilters()
    off: Names = ()
    muted_tokens: Names = ()
    top_k: int | None = Field(default=None, ge=1, le=MAX_TOP_K)
    scans: Annotated[tuple[SavedScan, ...], Field(max_length=2_000, fail_fast=True)] = ()
    liked: Names = ()
    disliked: Names = ()

    @property
    def infos(self) -> tuple[ScanInfo, ...]:
        """The scans as a search takes them."""
        return tuple(scan.info for scan in self.scans)


class SavedMetadata(_Part):
    """What the search ran on; settings are None in a file that does not tell them."""

    mode: Name
    catalog_sha256: Name
    encoder: Name
    version: Name | None = None
    settings: Annotated[
        dict[Name, Name | bool | int | Length | None] | None, BeforeValidator(_few)
    ] = None


class SavedCandidate(_Part):
    """A tool of the list, best first; without a rank it has that of its place."""

    id: Name
    rank: Annotated[int, Field(ge=1, le=10**6)] | None = None


class SavedStage(_Part):
    """Whether a stage ran."""

    name: Name
    status: Literal["ok", "skipped", "fallback", "failed"]


class SavedRefusal(_Part):
    """A file that could not be read."""

    index: int
    member: int | None = None
    reason: Name


class Saved(_Part):
    """One exported search."""

    query: SavedQuery
    metadata: SavedMetadata
    candidates: Annotated[tuple[SavedCandidate, ...], Field(max_length=1_000, fail_fast=True)]
    stages: Annotated[tuple[SavedStage, ...], Field(max_length=500, fail_fast=True)] = ()
    refused: Annotated[tuple[SavedRefusal, ...], Field(max_length=2_000, fail_fast=True)] = ()


def saved_of(data: Mapping[str, Any]) -> Saved:
    """The checked search. Raises BadInput naming the first field that is wrong."""
    try:
        return Saved.model_validate(data)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        problem = f"{where[:120]}: {_json_words(first['msg'])}"
        raise BadInput(f"file: {problem}; choose a file saved with the JSON button") from exc


def _json_words(message: str) -> str:
    """A message of pydantic in the terms of JSON: list and object, not tuple and dictionary."""
    words = message[:120].replace("valid tuple", "list").replace("valid dictionary", "valid object")
    words = words.replace("Tuple should", "List should").replace(
        "Dictionary should", "Object should"
    )
    words = words.replace("Value error, ", "").replace(" after validation", "")
    return re.sub(r" or instance of \w+", "", words)
