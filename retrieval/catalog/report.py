"""The quality of a catalog: filled and missing fields, duplicates, weak and stale records."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from urllib.parse import urlsplit

from rapidfuzz import fuzz

from retrieval.catalog.contradictions import Contradiction, contradictions
from retrieval.catalog.fill import (
    DomainFill,
    Fill,
    fill_by_domain,
    fill_by_field,
    is_filled,
    is_imaging,
)
from retrieval.catalog.load import Catalog, LineNote, RefusedLine
from retrieval.catalog.record import Record

FRESH = timedelta(days=365)
WORDS = (25, 80)
"""Fewest and most words of a description that is not reported as weak."""

NEAR = 92.0
"""Likeness of two names (rapidfuzz ratio, 0 to 100) from which they may be one tool."""

WANTED = ("tasks", "modalities", "dimensions", "formats_in", "license")
"""Facts that an imaging record is expected to state."""

DECIDING = ("license", "languages", "interfaces", "platforms", "gpu", "install", "last_release")
"""Facts that decide between tools, shown for each domain."""

SHOWN = 20
"""Ids listed for a gap; all of them are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Imaging records without a fact that is expected of them; the first SHOWN by id."""

    field: str
    missing: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Records that may be one tool, and what they share."""

    ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weak:
    """A record that lacks information, or states facts without a source."""

    id: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The state of a catalog on a day."""

    records: int
    imaging: int
    fill: tuple[Fill, ...]
    gaps: tuple[Gap, ...]
    duplicates: tuple[Duplicate, ...]
    weak: tuple[Weak, ...]
    stale: tuple[str, ...]
    refused: tuple[RefusedLine, ...]
    notes: tuple[LineNote, ...]
    domains: tuple[DomainFill, ...]
    contradictions: tuple[Contradiction, ...]


def report_of(catalog: Catalog, today: date) -> Report:
    """The report of a catalog; a record is stale a year after its sources were last checked.

    Shares are of 1, rounded to three decimals. Ids come in ascending order, those of stale records
    with the oldest check first.
    """
    records = catalog.records
    imaging = [r for r in records if is_imaging(r)]
    without = {name: [r.id for r in imaging if not is_filled(r, name)] for name in WANTED}
    stale = [r for r in records if not r.checked_on or today - r.checked_on > FRESH]
    stale.sort(key=lambda r: (r.checked_on or date.min, r.id))
    return Report(
        records=len(records),
        imaging=len(imaging),
        fill=fill_by_field(records, imaging),
        gaps=tuple(Gap(field=f, missing=len(i), ids=tuple(i[:SHOWN])) for f, i in without.items()),
        duplicates=(
            *_sharing(records, "repo"),
            *_sharing(records, "url"),
            *_near_names(records),
        ),
        weak=tuple(Weak(id=r.id, reasons=why) for r in records if (why := _weaknesses(r))),
        stale=tuple(r.id for r in stale),
        refused=catalog.refused,
        notes=catalog.notes,
        domains=fill_by_domain(records),
        contradictions=tuple(one for r in records for one in contradictions(r)),
    )


def _weaknesses(record: Record) -> tuple[str, ...]:
    words = len(record.description.split())
    checks = (
        (words < WORDS[0], f"the description has {words} words, fewer than {WORDS[0]}"),
        (words > WORDS[1], f"the description has {words} words, more than {WORDS[1]}"),
        (not record.tasks, "no tasks"),
        (not record.keywords, "no keywords"),
        (not (record.url or record.repo), "neither url nor repo"),
        (not record.domain, "no domain"),
    )
    unsourced = record.unsourced()
    facts = (f"no source for: {', '.join(unsourced)}",) if unsourced else ()
    return (*(text for holds, text in checks if holds), *facts)


def _sharing(records: Sequence[Record], name: str) -> Iterable[Duplicate]:
    """Records with the same address; a suite and its parts may share one."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        parts = urlsplit(getattr(record, name) or "")
        host = (parts.hostname or "").removeprefix("www.")
        # GitHub, where most repositories are, ignores the case of a path.
        if address := host + parts.path.rstrip("/").removesuffix(".git").casefold():
            groups[address].append(record)
    for address, group in sorted(groups.items()):
        ids = {r.id for r in group}
        # A plug-in shares the address of the tool that it requires.
        independent = [r for r in group if ids.isdisjoint(r.requires_tool)]
        if len({(r.suite or r.name).casefold() for r in independent}) > 1:
            yield Duplicate(ids=tuple(r.id for r in independent), reason=f"same {name}: {address}")


def _near_names(records: Sequence[Record]) -> Iterable[Duplicate]:
    """Pairs of nearly equal names; only names with the same two first letters are compared."""
    blocks: defaultdict[str, list[tuple[str, Record]]] = defaultdict(list)
    for record in records:
        plain = re.sub(r"[\W_]+", "", record.name.casefold())
        blocks[plain[:2]].append((plain, record))
    pairs = (pair for _, block in sorted(blocks.items()) for pair in combinations(block, 2))
    for (one, first), (other, second) in pairs:
        # SPM8 and SPM12, or FEAT and FAST, are different tools.
        same_digits = re.sub(r"\D", "", one) == re.sub(r"\D", "", other)
        comparable = same_digits and min(len(one), len(other)) >= 6
        if one == other or (comparable and fuzz.ratio(one, other, score_cutoff=NEAR) > 0):
            names = f"near-equal names: {first.name}, {second.name}"
            yield Duplicate(ids=(first.id, second.id), reason=names)


def report_text(report: Report) -> str:
    """The report as a page of text for a terminal."""
    head = (
        f"{report.records} records, {report.imaging} of them imaging; "
        f"{len(report.refused)} refused lines, {len(report.notes)} notes"
    )
    rows = [
        f"{f.field:16} {f.filled:6} {f.share:7.1%} {f.imaging_filled:8} {f.imaging_share:7.1%}"
        for f in report.fill
    ]
    domains = [
        f"{d.domain:20} {d.records:4} " + " ".join(f"{d.shares[n]:>12.0%}" for n in DECIDING)
        for d in report.domains
    ]
    gaps = [f"{g.field}: {g.missing} ({', '.join(g.ids[:8])}...)" for g in report.gaps if g.missing]
    twins = [f"{', '.join(d.ids)}: {d.reason}" for d in report.duplicates]
    weak = [f"{w.id}: {'; '.join(w.reasons)}" for w in report.weak]
    parts = [
        (f"{'field':16} {'all':>6} {'':7} {'imaging':>8}", rows),
        (f"{'domain':20} {'all':>4} " + " ".join(f"{n:>12}" for n in DECIDING), domains),
        ("Gaps of imaging records", gaps),
        (f"Possible duplicates: {len(report.duplicates)}", twins),
        (f"Weak records: {len(report.weak)}", weak),
        (f"Contradictions: {len(report.contradictions)}", list(map(str, report.contradictions))),
        (f"Not checked for a year: {len(report.stale)}", list(report.stale)),
        ("Refused lines", [refusal.text for refusal in report.refused]),
        ("Notes", [f"line {n.line} {n.id}: {n.text}" for n in report.notes]),
    ]
    blocks = ["\n".join((title, *lines)) for title, lines in parts if lines]
    return "\n\n".join((head, *blocks))
