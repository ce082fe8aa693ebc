"""The schema of a catalog record (one JSONL line), validated field by field."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from retrieval.catalog.spdx import is_plain, licensing
from retrieval.core import (
    BodyPart,
    Conversion,
    Dimension,
    Format,
    Modality,
    Needs,
    PulseSequence,
    Tool,
)

MAX_DESCRIPTION = 4000
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_BARE_HOST = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?::\d+)?(?:/\S*)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_LINK = re.compile(r"\[([^\]]+)\]\(\s*(https?://[^)\s]+)\s*\)")


def _plain(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("holds control characters")
    return " ".join(text.split())


def _http(address: str) -> str:
    if _BARE_HOST.fullmatch(address):
        address = f"https://{address}"
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise ValueError("only http and https addresses without a user name are taken")
    if re.search(r"[\s<>\"']", address):
        raise ValueError("an address holds no spaces, quotes or angle brackets")
    return address


@cache
def _spdx(expression: str) -> str:
    names = [n for n in re.split(r"\s+(?:AND|OR|WITH)\s+|[()\s]", expression) if n]
    own = [n for n in names if re.fullmatch(r"LicenseRef-[A-Za-z0-9.-]+", n)]
    checked = expression
    # The validator rejects LicenseRef names, so a listed licence takes their place.
    for name in own:
        checked = re.sub(rf"{re.escape(name)}(?![A-Za-z0-9.-])", "MIT", checked)
    if is_plain(checked):
        return expression
    if re.search(r"[^A-Za-z0-9.+()\s-]", checked) or licensing().validate(checked).errors:
        raise ValueError("not an SPDX licence expression (use LicenseRef-... for others)")
    return expression


def _doi(text: str) -> str:
    if not _DOI.fullmatch(text):
        raise ValueError("a citation is a bare DOI such as 10.1038/s41592-020-01008-z")
    return text


Text = Annotated[str, AfterValidator(_plain)]
Short = Annotated[Text, StringConstraints(min_length=1, max_length=200)]
Url = Annotated[str, StringConstraints(max_length=500), AfterValidator(_http)]
Spdx = Annotated[str, StringConstraints(max_length=200), AfterValidator(_spdx)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}$")]
_ONE_OR_MORE = BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
Words = Annotated[list[Short], _ONE_OR_MORE, Field(max_length=200)]
Carried = Literal[
    "image",
    "label",
    "contour",
    "surface",
    "streamlines",
    "raw data",
    "signal",
    "reads",
    "table",
    "metadata",
]
"""Kinds of data that a tool reads, or that a conversion carries over: ``raw data`` are measurements
before their reconstruction, ``signal`` is a recording in time (EEG, MEG, spectroscopy), ``reads``
are sequences."""

Species = Literal[
    "human", "mouse", "rat", "primate", "zebrafish", "fly", "worm", "plant", "bacteria", "yeast",
    "animal", "any",
]  # fmt: skip
"""Whose images a tool is for: ``human`` is a patient or volunteer, ``primate`` another primate,
``animal`` one that the source does not name or that has no code; ``any`` is not bound to one."""

Orientation = Literal["RAS", "LAS", "LPS", "RPI", "axial", "sagittal", "coronal"]
"""How an image must lie: the sides to which x, y and z of the voxels point (RAS, LAS, LPS), those
they come from (RPI, as AFNI and SCT write: what others call LAS), or the plane of the slices."""

PythonVersion = Annotated[str, StringConstraints(pattern=r"^[0-9.*, <>=!~]{1,100}$")]
"""A version specifier of packaging metadata, such as ``>=3.9,<3.13``."""

InstallKind = Literal[
    "pip", "conda", "docker", "apptainer", "apt", "brew", "R", "Julia", "npm", "MATLAB",
    "plugin", "download", "source",
]  # fmt: skip


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, fields: object) -> object:
        """Exports write null for what is unknown, also where a field holds a list."""
        if not isinstance(fields, dict):
            return fields
        return {name: value for name, value in fields.items() if value is not None}


class Source(_Closed):
    """An address that was opened, and the fields whose facts come from there."""

    url: Url
    facts: list[str] = Field(min_length=1)


class Converted(_Closed):
    """A pair of formats that a source states the tool to convert, and what data that carries over.

    ``what`` is the data of the file that is read: images of measured values, maps of labels,
    drawn contours, and so on; ``metadata`` is what a header says, without the image.
    """

    before: Format = Field(alias="from")
    after: Format = Field(alias="to")
    what: Carried
    source: Url

    @model_validator(mode="after")
    def _changes(self) -> Self:
        if self.before == self.after:
            raise ValueError("a conversion leads from one format to another")
        return self


class Install(_Closed):
    """One way to get the tool that a page states to users: the line to type, or where to get it."""

    kind: InstallKind
    line: Annotated[Text, StringConstraints(min_length=1, max_length=300)]
    source: Url | None = None


class Requirements(_Closed):
    """What the tool needs of its input and machine.

    Spacing is the largest voxel side in mm it is made for; memory is in gigabytes. ``data`` is what
    the input consists of: each of them is necessary, as an image and its map of labels.
    """

    units: Short | None = None
    channels: int | None = Field(default=None, ge=1, le=1000)
    min_slices: int | None = Field(default=None, ge=1, le=100_000)
    spacing: float | None = Field(default=None, gt=0, le=1000)
    sequences: list[PulseSequence] = []
    data: Annotated[list[Carried], Field(max_length=10)] = []
    orientation: Orientation | None = None
    ram_gb: float | None = Field(default=None, gt=0, le=100_000)
    gpu_gb: float | None = Field(default=None, gt=0, le=10_000)


class Record(_Closed):
    """A tool. A null or empty fact is unknown; a filled one names its source."""

    id: Id
    name: Short
    description: Annotated[Text, StringConstraints(min_length=1, max_length=MAX_DESCRIPTION)]
    url: Url | None = None
    repo: Url | None = None
    docs_url: Url | None = None
    demo_url: Url | None = None
    keywords: Words = []
    asked_as: Words = []
    domain: Short | None = None
    tasks: Words = []
    modalities: list[Modality] = []
    dimensions: list[Dimension] = []
    formats_in: list[Format] = []
    formats_out: list[Format] = []
    converts: list[Converted] = []
    anatomy: list[BodyPart] = []
    species: list[Species] = []
    requirements: Requirements = Requirements()
    languages: Words = []
    interfaces: Words = []
    platforms: Words = []
    install: list[Install] = Field(default=[], max_length=50)
    python_version: PythonVersion | None = None
    gpu: Literal["required", "recommended", "optional", "none"] | None = None
    license: Spdx | None = None
    license_weights: Spdx | None = None
    license_data: Spdx | None = None
    license_output: Spdx | None = None
    citation: Annotated[str, AfterValidator(_doi)] | None = None
    requires_tool: list[Id] = []
    compatible_with: list[Id] = []
    co_used_with: list[Id] = []
    suite: Short | None = None
    last_release: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}(-\d{2})?$")] | None = None
    last_commit: date | None = None
    sources: list[Source] = []
    checked_on: date | None = None

    def unsourced(self) -> list[str]:
        """Names of filled fields without a source, in field order.

        Descriptive fields, which state no fact about the tool, need none.
        """
        sourced = {fact for source in self.sources for fact in source.facts}
        free = {"id", "name", "description", "keywords", "asked_as", "domain"}
        free |= {"sources", "checked_on"}
        facts = [name for name in type(self).model_fields if name not in free | sourced]
        return [n for n in facts if getattr(self, n) not in (None, [], Requirements())]

    def tool(self) -> Tool:
        """The record as the engine's type: lists become tuples, requirements become needs."""
        stated = self.requirements
        needs = Needs(
            units=stated.units,
            channels=stated.channels,
            min_slices=stated.min_slices,
            max_spacing_mm=stated.spacing,
            sequences=tuple(stated.sequences),
            data=tuple(dict.fromkeys(stated.data)),
            orientation=stated.orientation,
            ram_gb=stated.ram_gb,
            gpu_gb=stated.gpu_gb,
        )
        apart = ("requirements", "install", "sources", "converts")
        plain = {n: v for n, v in self if n not in apart}
        frozen: dict[str, Any] = {
            n: tuple(v) if isinstance(v, list) else v for n, v in plain.items()
        }
        pairs = (Conversion(c.before, c.after, c.what, c.source) for c in self.converts)
        install = tuple((one.kind, _as_text(one.line), one.source or "") for one in self.install)
        return Tool(needs=needs, converts=tuple(dict.fromkeys(pairs)), install=install, **frozen)


def _as_text(line: str) -> str:
    """A line of a README without Markdown: a link's words, with its address in brackets."""
    return _LINK.sub(r"\1 (\2)", line).replace("`", "")
