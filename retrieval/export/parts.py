"""What the parts of the JSON of a search share, and the part of one scan."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from retrieval.core import BodyPart, Dimension, Format, Modality, PulseSequence, ScanInfo
from retrieval.query import LONGEST_NAME, MOST_EXCLUDED
from retrieval.scans import Note

Json = dict[str, Any]
T = TypeVar("T")

Written = Annotated[T | None, BeforeValidator(lambda _: None)]
"""A value that is written and not read: None in a search that came from a file."""

Name = Annotated[str, StringConstraints(max_length=LONGEST_NAME)]
Names = Annotated[tuple[Name, ...], Field(max_length=MOST_EXCLUDED, fail_fast=True)]
Extent = Annotated[int, Field(ge=0, le=10**9)]
Length = Annotated[float, Field(allow_inf_nan=False)]

MOST_SETTINGS = 100
"""Settings in a file; an export writes about twenty."""


def counted_settings(settings: object) -> object:
    """The settings, counted before each is checked: an object is not left at its first error."""
    if isinstance(settings, dict) and len(settings) > MOST_SETTINGS:
        size = f"should have at most {MOST_SETTINGS} items, not {len(settings)}"
        raise ValueError(f"Object {size}")
    return settings


class Part(BaseModel):
    """Keys that are not named here are ignored: later ones may be added to an export."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def of(cls, source: object, **values: object) -> Self:
        """The part with these values and, for all others, the source's attributes of that name.

        Not checked: limits are for files, an answer is written whatever its size.
        """
        names = cls.model_fields.keys() - values.keys()
        values |= {name: getattr(source, name) for name in names}
        return cast(Self, cls.model_construct(None, **values))

    def json_data(self, **how: Any) -> Json:  # noqa: ANN401 - arguments of pydantic
        """The part as plain data; ``how`` goes to ``model_dump``."""
        # A constructed part may hold an int for a float, or a text for its code: both are JSON.
        return self.model_dump(mode="json", warnings=False, **how)


class ScanPart(Part):
    """A scan in closed codes and numbers, complete enough to search with it again."""

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
    axes: Annotated[
        tuple[Literal["R", "L", "A", "P", "S", "I"], ...], Field(max_length=3, fail_fast=True)
    ] = ()

    @property
    def info(self) -> ScanInfo:
        """The scan as a search takes it."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return ScanInfo(**{**values, "notes": tuple(str(note) for note in self.notes)})
