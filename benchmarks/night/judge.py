"""What a night's samples say: is memory flat, is anything left over, was every error named."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from itertools import combinations
from pathlib import Path
from statistics import mean, median

FLAT = 0.05
"""Memory counts as flat where its trend after the first quarter adds less than this share."""

ALLOWED = {"children": 0, "threads": 4, "descriptors": 12, "uploads": 0, "temporary": 0}
"""How much more there may be at rest after the night than at rest before it.

Threads and descriptors: pools of the libraries keep some for the next request, and a connection
that was kept alive closes late; a leak by request is in the thousands after a night.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The process at one time. Files are counted below each folder, memory is in MB."""

    minute: float
    resident_mb: float
    children: int
    children_mb: float
    threads: int
    descriptors: int
    uploads: int
    temporary: int
    cache: int
    index: int
    answers: int = 0
    refusals: int = 0
    unnamed: int = 0


NAMES = tuple(one.name for one in fields(Sample))


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The whole night: at rest before it, under traffic, at rest after it."""

    before: Sample
    samples: tuple[Sample, ...]
    after: Sample
    unnamed: tuple[str, ...] = ()


def trend(samples: Sequence[Sample]) -> float:
    """MB per minute of resident memory: the median slope between any two samples (Theil-Sen).

    One sample in the middle of a large file does not tilt it.
    """
    slopes = [
        (b.resident_mb - a.resident_mb) / (b.minute - a.minute)
        for a, b in combinations(samples, 2)
        if b.minute > a.minute
    ]
    return median(slopes) if slopes else 0.0


def later(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The samples after the first quarter of the night."""
    return [one for one in samples if one.minute > samples[-1].minute / 4] if samples else []


def growth(samples: Sequence[Sample]) -> tuple[float, float]:
    """What the trend after the first quarter adds until the end in MB, and the mean level."""
    rest = later(samples)
    if len(rest) < 2:
        return 0.0, 0.0
    span = rest[-1].minute - rest[0].minute
    return trend(rest) * span, mean(one.resident_mb for one in rest)


def faults(night: Night) -> list[str]:
    """Why the night failed, in words; empty where it passed."""
    reasons = [f"unnamed error: {name}, {n} times" for name, n in Counter(night.unnamed).items()]
    if len(later(night.samples)) < 3:
        reasons.append(
            "fewer than 3 samples after the first quarter: nothing shows that it is flat"
        )
    added, level = growth(night.samples)
    if added > FLAT * level:
        reasons.append(
            f"memory grew by {added:.0f} MB after the first quarter; "
            f"{FLAT:.0%} of {level:.0f} MB are allowed"
        )
    for name, more in ALLOWED.items():
        before, after = getattr(night.before, name), getattr(night.after, name)
        if after > before + more:
            reasons.append(f"{name} left: {after} after the night, {before} before it")
    return reasons


def write_csv(night: Night, path: Path) -> None:
    """One line per sample; the first and the last are at rest."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(NAMES)
        rows.writerows(astuple(one) for one in (night.before, *night.samples, night.after))


def table(night: Night, rows: int = 12) -> str:
    """The curve as a table in Markdown: at rest, at most ``rows`` in between, at rest again."""
    step = max(1, -(-len(night.samples) // rows))
    shown = [night.before, *night.samples[step - 1 :: step], night.after]
    head = [name.replace("_mb", " MB").replace("_", " ") for name in NAMES]
    lines = [f"| {' | '.join(head)} |", f"|{'---:|' * len(head)}"]
    lines += [f"| {' | '.join(f'{value:g}' for value in astuple(one))} |" for one in shown]
    return "\n".join(lines)
