"""Facts of one record that cannot all be true, with what to do about them.

A licence outside SPDX is refused by the schema already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.catalog.record import Record
from retrieval.core import Format, Modality

_SYSTEMS = frozenset({"Linux", "macOS", "Windows", "browser", "Neurodesk"})
"""Platforms that host no plug-in; Neurodesk is a collection of containers."""

_CUDA = re.compile(r"cuda|cupy|\[gpu\]|--gpus|-gpu\b", re.IGNORECASE)
_DOWNLOAD = re.compile(r"https?://|curl |wget |fslinstaller|git ")
_PLACE_HOLDER = re.compile(r"path/to|<[a-z_ -]+>|\{\w+\|")
_LANGUAGES = {"pip": "Python", "R": "R", "Julia": "Julia", "MATLAB": "MATLAB", "npm": "JavaScript"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """The record, the field that is wrong or lacking, why, and the remedy."""

    id: str
    field: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        """One line for a report."""
        return f"{self.id}: {self.field}: {self.reason}; {self.remedy}"


def contradictions(record: Record) -> tuple[Contradiction, ...]:
    """What contradicts itself in a record, in the order of the rules."""
    rules = (_gpu, _host, _languages, _install, _species, _inputs, _dates)
    return tuple(
        Contradiction(id=record.id, field=field, reason=reason, remedy=remedy)
        for rule in rules
        for field, reason, remedy in rule(record)
    )


_Problem = tuple[str, str, str]
_OF_PEOPLE = frozenset({Modality.MG, Modality.PX, Modality.IO, Modality.DERMOSCOPY})
"""Mammograms, panoramic and intraoral pictures, dermoscopy: examinations of patients."""

_F = Format
_NO_IMAGE = frozenset({_F.CSV, _F.JSON, _F.GEOJSON, _F.XML, _F.TEXT, _F.PDF})
_OF_ANYTHING = frozenset({_F.BIDS, _F.HDF5, _F.MAT, _F.NPY})
_HOLDING = {
    "image": frozenset(Format) - _NO_IMAGE,
    "surface": frozenset({_F.GIFTI, _F.CIFTI, _F.FREESURFER, _F.STL, _F.OBJ, _F.PLY, _F.VTK}),
    "streamlines": frozenset({_F.TRK, _F.TCK, _F.VTK}),
    "contour": frozenset({_F.RTSTRUCT, _F.DICOM, _F.JSON, _F.GEOJSON, _F.XML, _F.CSV, _F.TEXT}),
}
"""Formats that can hold a kind of data, for kinds that few formats hold, or that some cannot."""


def _dates(record: Record) -> Iterator[_Problem]:
    """A last commit before the last release was read in a copy older than that release."""
    commit, release = record.last_commit, record.last_release
    # A release may be stated by its month alone; then the commit's month is compared.
    if commit and release and commit.isoformat()[: len(release)] < release:
        reason = f"the last commit {commit} is before the last release {release}"
        yield "last_commit", reason, "read it again where the release was made, or leave it out"


def _gpu(record: Record) -> Iterator[_Problem]:
    lines = [one.line for one in record.install]
    if record.gpu == "none" and lines and all(_CUDA.search(line) for line in lines):
        remedy = "read the pages again and state the GPU or a line without CUDA"
        yield "gpu", "none, but every install line brings CUDA", remedy
    if record.gpu == "none" and record.requirements.gpu_gb:
        reason = f"none, but {record.requirements.gpu_gb:g} GB of GPU memory are required"
        yield "gpu", reason, "clear one of the two"


def _host(record: Record) -> Iterator[_Problem]:
    hosts = set(record.platforms) - _SYSTEMS
    # A program that takes plug-ins is its own host.
    host_itself = "desktop" in record.interfaces or "web" in record.interfaces
    if "plugin" in record.interfaces and not (hosts or record.requires_tool or host_itself):
        yield "platforms", "a plugin without a program that hosts it", "add the host to platforms"


def _languages(record: Record) -> Iterator[_Problem]:
    # Wheels and npm packages carry compiled commands as well.
    if not record.languages or "command line" in record.interfaces:
        return
    for kind in dict.fromkeys(one.kind for one in record.install):
        language = _LANGUAGES.get(kind)
        typed = language == "JavaScript" and "TypeScript" in record.languages
        if language and language not in record.languages and not typed:
            remedy = f"add {language} from its manifest, or check the line"
            yield "languages", f"installed with {kind}, but {language} is not stated", remedy


def _install(record: Record) -> Iterator[_Problem]:
    """What a page gives to copy: a sentence around an address is not that."""
    for one in record.install:
        if one.kind == "download" and not _DOWNLOAD.match(one.line):
            remedy = "state the address of the page with the files"
            yield "install", f"the download line is no address: {one.line[:40]}", remedy
        if _PLACE_HOLDER.search(one.line):
            yield "install", "the line holds a place-holder", "leave it out, or find one that runs"


def _species(record: Record) -> Iterator[_Problem]:
    stated = set(record.species)
    if "any" in stated and len(stated) > 1:
        yield "species", "any beside named ones", "keep any, or the named ones alone"
    if record.domain == "preclinical" and stated == {"human"}:
        yield "species", "people alone, but the domain is preclinical", "mend one of the two"
    of_people = bool(record.modalities) and _OF_PEOPLE.issuperset(record.modalities)
    if of_people and stated and stated.isdisjoint({"human", "any"}):
        reason = f"{', '.join(record.species)}, but such images are of people"
        yield "species", reason, "read the source again and mend species or modalities"


def _inputs(record: Record) -> Iterator[_Problem]:
    stated = set(record.formats_in)
    for part in record.requirements.data:
        if stated and stated.isdisjoint(_HOLDING.get(part, stated) | _OF_ANYTHING):
            reason = f"{', '.join(record.formats_in)}, but the {part} that is needed lies in none"
            yield "formats_in", reason, "add the format of it, or mend requirements.data"
    if record.requirements.data == ["label"] and record.tasks[:1] == ["segmentation"]:
        reason = "a label map alone, but the first task is to make one from images"
        yield "requirements.data", reason, "add image, or mend tasks"
