"""Many subjects at once: series grouped by what they are, tools for each group, findings."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from retrieval.core import ScanInfo
from retrieval.engine import Answer, Engine
from retrieval.export import Json, partial_json, refusal_json, to_json
from retrieval.fit import widest_mm

if TYPE_CHECKING:
    from retrieval.scans import Halt, Partial, Refusal, Upload

MOST_GROUPS = 12
"""Kinds of series that are searched for; more are listed without tools.

Each is a search of its own, and all of them share the time of one query."""

LISTED_SEVERITIES = frozenset({"warning", "error"})
"""Findings that a cohort lists; the rest is information."""

OF_ALL = ("body_part", "channels", "units")
"""Facts of a group where they are those of all its series."""

ALIKE = 1.01
"""Voxels whose sides differ by less are alike; as much over a tool's limit still passes."""

LABELS = "label-map"
"""The note of a scan that is a map of labels."""

Kind = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Series of one kind: their tokens, how many, of which subjects (from 1), and the tools."""

    kind: Kind
    scan: ScanInfo
    series: int
    subjects: tuple[int, ...]
    answer: Answer | None
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was judged in place of every series, then the notes of the search."""
        own = (self.note,) if self.note else ()
        return (*own, *(self.answer.insight.notes if self.answer else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A finding of the scan doctor in one series of one subject, both counted from 1."""

    subject: int
    series: int
    kind: Kind
    code: str
    severity: str
    text: str
    task: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """Groups by size, findings by subject, refusals by position.

    ``partial`` says where the reading was cut short, ``stopped`` that searching was stopped,
    ``out_of_time`` that the time of one query was used up before all groups were searched.
    """

    subjects: int
    groups: tuple[Group, ...]
    findings: tuple[Observed, ...]
    refused: tuple[tuple[int, Refusal], ...]
    partial: Partial | None = None
    stopped: bool = False
    out_of_time: bool = False

    @property
    def searched(self) -> int:
        """How many groups have their tools."""
        return sum(group.answer is not None for group in self.groups)

    @property
    def notes(self) -> tuple[str, ...]:
        """In words, what is only a part of what was asked for."""
        lines = [self.partial.text] if self.partial else []
        absent = [str(one.index) for _, one in self.refused if one.is_missing]
        if absent:
            which = "path" if len(absent) == 1 else "paths"
            lines.append(f"Nothing lies at {which} {', '.join(absent)} of those given.")
        if self.stopped:
            lines.append(f"Stopped after searching for {self.searched} of {_kinds(self)}.")
        if self.out_of_time:
            lines.append(f"The time was used up after {self.searched} of {_kinds(self)}.")
        if len(self.groups) > MOST_GROUPS:
            left = len(self.groups) - MOST_GROUPS
            lines.append(f"{left} of {_kinds(self)} are listed without tools, the rarest ones.")
        return tuple(lines)


def _kinds(cohort: Cohort) -> str:
    count = len(cohort.groups)
    return f"{count} kind{'' if count == 1 else 's'} of series"


def kind_of(scan: ScanInfo) -> Kind:
    """What makes two series alike: format, modality, dimension, and what they surely are besides.

    That is the sequence where it is stated, and whether a volume is a map of labels.
    """
    sequence = (f"sequence:{scan.sequence}",) if scan.sequence else ()
    return (*scan.tokens, *sequence, *((LABELS,) if LABELS in scan.notes else ()))


def stream_cohort(
    engine: Engine,
    text: str,
    uploads: Sequence[Upload],
    mode: str = "hybrid",
    *,
    top_k: int | None = None,
    halt: Halt | None = None,
) -> Iterator[Cohort]:
    """Cohorts with one more group searched each time; the most frequent kind first, ties by kind.

    Once ``halt`` is requested, or the time of one query is used up, no further group is searched,
    and the last cohort says so.
    Raises BadInput for an unknown mode.
    """
    engine.check(mode)
    cohort, deadline = _sorted(uploads), engine.deadline()
    yield cohort
    for n, group in enumerate(cohort.groups[:MOST_GROUPS]):
        if halt and halt.requested:
            yield replace(cohort, stopped=True)
            return
        if deadline.passed:
            yield replace(cohort, out_of_time=True)
            return
        how: dict[str, Any] = {"scans": (group.scan,), "tokens": group.scan.tokens}
        answer = engine.run(text, mode, top_k=top_k, deadline=deadline, **how)
        answered = replace(group, answer=answer)
        groups = (*cohort.groups[:n], answered, *cohort.groups[n + 1 :])
        cohort = replace(cohort, groups=groups, out_of_time=deadline.passed)
        yield cohort


def cohort_of(engine: Engine, text: str, uploads: Sequence[Upload]) -> Cohort:
    """The last of ``stream_cohort`` with its own mode and length: every group with its tools."""
    return deque(stream_cohort(engine, text, uploads), maxlen=1)[0]


def _sorted(uploads: Sequence[Upload]) -> Cohort:
    """Series by kind, findings and refusals; nothing searched."""
    members: dict[Kind, list[tuple[int, ScanInfo]]] = {}
    for subject, upload in enumerate(uploads, start=1):
        for scan in upload.scans:
            members.setdefault(kind_of(scan), []).append((subject, scan))
    ordered = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    refused = [(n, r) for n, upload in enumerate(uploads, start=1) for r in upload.refused]
    groups = []
    for kind, scans in ordered:
        series = [scan for _, scan in scans]
        group = Group(
            kind=kind,
            scan=_common(series),
            series=len(scans),
            subjects=tuple(sorted({subject for subject, _ in scans})),
            answer=None,
            note=_spread(series),
        )
        groups.append(group)
    return Cohort(
        subjects=sum(
            bool(upload.scans) or any(not one.is_missing for one in upload.refused)
            for upload in uploads
        ),
        groups=tuple(groups),
        findings=_findings(uploads),
        refused=tuple(refused),
        partial=next((u.partial for u in uploads if u.partial), None),
    )


def _common(series: Sequence[ScanInfo]) -> ScanInfo:
    """What tools are judged by: what all series share, and the geometry of the coarsest one.

    The worst is told of a group, whatever the order of its subjects.
    """
    coarsest = max(series, key=lambda s: (widest_mm(s) or 0.0, s.spacing or (), s.shape, s.axes))
    others = {name: {getattr(one, name) for one in series} for name in OF_ALL}
    shared = {name: values.pop() for name, values in others.items() if len(values) == 1}
    notes = tuple(n for n in coarsest.notes if all(n in one.notes for one in series))
    return replace(coarsest, notes=notes, **{**dict.fromkeys(OF_ALL), **shared})


def _spread(series: Sequence[ScanInfo]) -> str:
    """In words, that the series of a group differ in the width of their voxels."""
    widths = sorted(width for one in series if (width := widest_mm(one)))
    if not widths or widths[-1] <= widths[0] * ALIKE:
        return ""
    return (
        f"The widest side of a voxel is {widths[0]:g} to {widths[-1]:g} mm in these series; tools "
        "are held against the largest."
    )


def _findings(uploads: Sequence[Upload]) -> tuple[Observed, ...]:
    return tuple(
        Observed(
            subject=subject,
            series=one.scan + 1,
            kind=kind_of(upload.scans[one.scan]),
            code=one.code,
            severity=one.severity,
            text=one.text,
            task=one.task,
        )
        for subject, upload in enumerate(uploads, start=1)
        for one in upload.findings
        if one.severity in LISTED_SEVERITIES
    )


def cohort_json(cohort: Cohort) -> Json:
    """The cohort as plain data; the candidates of a group are those of a search."""
    return {
        "subjects": cohort.subjects,
        "groups": [_group_json(group) for group in cohort.groups],
        "findings": [{**asdict(one), "kind": list(one.kind)} for one in cohort.findings],
        "refused": [{"subject": subject, **refusal_json(one)} for subject, one in cohort.refused],
        "partial": partial_json(cohort.partial),
        "notes": list(cohort.notes),
    }


def _group_json(group: Group) -> Json:
    search: Json = to_json(group.answer) if group.answer else {}
    return {
        "kind": list(group.kind),
        "tokens": list(group.scan.tokens),
        "sequence": group.scan.sequence,
        "series": group.series,
        "subjects": list(group.subjects),
        "candidates": search.get("candidates", []),
        "reason": search["metadata"]["reason"] if search else None,
        "limits": search["metadata"]["limits"] if search else [],
        "notes": list(group.notes),
    }
