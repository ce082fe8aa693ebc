"""The facts of one upload, in closed codes, numbers and counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, Self

from retrieval.catalog import task_token
from retrieval.core import Modality, ScanInfo
from retrieval.scans.reasons import Reason

Severity = Literal["info", "warning", "error"]
Plane = Literal["sagittal", "coronal", "axial", "image"]
Cause = Literal["stopped", "time"]
Side = Literal["", "R", "L", "A", "P", "S", "I"]
"""Where an edge of a view lies in the patient: right or left, anterior or posterior, up or down."""


class Role(StrEnum):
    """What several files of one subject are to each other.

    ``tasks``: words of the catalog's vocabulary that the role adds to the search.
    """

    tasks: tuple[str, ...]

    def __new__(cls, code: str, *tasks: str) -> Self:
        """A member by its code alone, so that ``Role("diffusion")`` finds it."""
        member = str.__new__(cls, code)
        member._value_, member.tasks = code, tasks
        return member

    REGISTRATION = "registration", "registration"
    LONGITUDINAL = "longitudinal", "registration", "measurement"
    IMAGE_AND_LABELS = "image + label map", "measurement"
    RADIOTHERAPY = "radiotherapy set"
    PET_CT = "PET + CT", "registration", "kinetic modelling"
    MULTI_CONTRAST = "multi-contrast", "registration", "tissue classification"
    DIFFUSION = "diffusion", "diffusion modelling", "tractography"
    TIME_POINTS = "time points", "tracking"


KIND_UNKNOWN = frozenset({"modality-unknown", "modality-maybe-mri"})
"""Notes that the visitor's word on the kind of image answers, and a label map never raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A file that was not read. ``index`` counts paths from 1, ``member`` files inside one."""

    index: int
    member: int | None
    reason: str

    @property
    def is_missing(self) -> bool:
        """Whether nothing lies at the path, so that it stands for no file of anybody."""
        return self.reason == Reason.MISSING.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many of the files that are read together are done."""

    read: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """Where a reading was cut short: how many files of how many were looked at, and why."""

    read: int
    of: int
    cause: Cause

    @property
    def text(self) -> str:
        """``Stopped after 12 of 37 files; what was read is used.``"""
        begin = "Stopped" if self.cause == "stopped" else "The time was used up"
        files = f"{self.of} file" if self.of == 1 else f"{self.of} files"
        return f"{begin} after {self.read} of {files}; what was read is used."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One observation of the scan doctor; ``scan`` is a position in ``Upload.scans``."""

    scan: int
    code: str
    severity: Severity
    text: str
    task: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One drawn plane. ``image`` is base64; letters name the left, right, top, bottom edges."""

    plane: Plane
    image: str
    media_type: str
    width: int
    height: int
    letters: tuple[Side, Side, Side, Side] = ("", "", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The planes of one scan, or the reason why there are none."""

    scan: int
    views: tuple[View, ...] = ()
    window: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What was looked at, what identifying content was there and dropped, what came of it.

    ``name_words`` are those words of the file names that stand on the closed lists.
    """

    files: int = 0
    read: tuple[str, ...] = ()
    name_words: tuple[str, ...] = ()
    dropped: int = 0
    dropped_names: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """All scans of one upload. ``series``: positions in ``scans`` to choose from.

    ``partial`` says where the reading was cut short; its counts are those of all files that
    were read together, also where they make several uploads. ``places`` are the positions of the
    scans, as those of a Refusal (the first file of a series); ``subjects`` counts the people and
    animals that headers or BIDS labels tell apart.
    """

    scans: tuple[ScanInfo, ...] = ()
    series: tuple[int, ...] = ()
    refused: tuple[Refusal, ...] = ()
    findings: tuple[Finding, ...] = ()
    role: Role | None = None
    previews: tuple[Preview, ...] = ()
    ledger: Ledger = Ledger()
    picked: int | None = None
    partial: Partial | None = None
    places: tuple[tuple[int, int | None], ...] = ()
    subjects: int = 1

    @property
    def tokens(self) -> tuple[str, ...]:
        """``format:`` tokens for the query, in stable order, each once (S1-01 to S1-03)."""
        if self.picked is not None:
            return self.scans[self.picked].tokens
        if len(self.series) > 1:
            return union(replace(scan, dimension=None).tokens for scan in self.scans)
        return union(scan.tokens for scan in self.scans)

    @property
    def search_tokens(self) -> tuple[str, ...]:
        """The tokens and, where the files have a role to each other, ``task:`` tokens of it."""
        if self.role is None or self.picked is not None:
            return self.tokens
        modality = ("format:dMRI",) if self.role is Role.DIFFUSION else ()
        return union([self.tokens, modality, map(task_token, self.role.tasks)])

    def pick(self, scan: int | None) -> Upload:
        """The same upload with one series chosen, whose tokens alone count; None is all again."""
        if scan is not None and not 0 <= scan < len(self.scans):
            raise IndexError(f"No scan {scan}; the upload has {len(self.scans)}")
        return replace(self, picked=scan)

    def with_modality(self, code: str) -> Upload:
        """The same upload; scans that do not say how they were made are of this kind.

        Raises ValueError for what is no code of a modality.
        """
        kind = Modality(code)
        scans = tuple(
            replace(
                scan,
                modality=scan.modality or kind,
                notes=tuple(note for note in scan.notes if note not in KIND_UNKNOWN),
            )
            for scan in self.scans
        )
        findings = tuple(one for one in self.findings if one.code not in KIND_UNKNOWN)
        return replace(self, scans=scans, findings=findings)

    @property
    def roles(self) -> tuple[Role, ...]:
        """What several scans can be to each other; empty for one."""
        return tuple(Role) if len(self.scans) > 1 else ()

    def with_role(self, role: Role | str | None) -> Upload:
        """The same upload with a role chosen by the user."""
        return replace(self, role=Role(role) if role else None)


def union(parts: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Each text once, in the order of its first occurrence."""
    return tuple(dict.fromkeys(text for part in parts for text in part))
