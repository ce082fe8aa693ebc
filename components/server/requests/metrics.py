"""Counters and times of searches, by stage, in the text format of Prometheus (version 0.0.4).

Nothing of what visitors typed or were shown is counted: labels are names of modes, stages and
statuses alone.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field

from retrieval import Answer

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the classes of time in seconds: Prometheus' own defaults."""
MOST_SERIES = 2_000
"""Names of stages and modes are closed, about 300 together; more than this is not kept."""

Labels = tuple[tuple[str, str], ...]


@dataclass
class _Times:
    """One histogram: how many were at or below each bound, and the sum in seconds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        place = next((n for n, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))
        self.counts[place] += 1
        self.total += seconds


class Metrics:
    """Counts finished answers; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._searches: Counter[Labels] = Counter()
        self._stages: Counter[Labels] = Counter()
        self._times: dict[tuple[str, Labels], _Times] = {}

    def observe(self, answer: Answer) -> None:
        """Count a finished answer and every stage of it."""
        mode = answer.mode.name
        outcome = "listed" if answer.candidates else "empty"
        with self._lock:
            self._searches[("mode", mode), ("outcome", outcome)] += 1
            self._time("search", (("mode", mode),), answer.total_ms / 1000)
            for node in answer.result.walk():
                labels = (("mode", mode), ("stage", node.name))
                if len(self._stages) < MOST_SERIES:
                    self._stages[(*labels, ("status", node.status))] += 1
                    self._time("stage", labels, node.elapsed_ms / 1000)

    def _time(self, what: str, labels: Labels, seconds: float) -> None:
        self._times.setdefault((what, labels), _Times()).add(seconds)

    def text(self) -> str:
        """Every series, one a line, in a fixed order."""
        with self._lock:
            lines = _counted("scanscout_searches_total", "Finished searches", self._searches)
            lines += _counted("scanscout_stage_runs_total", "Stages that ended", self._stages)
            for what in ("search", "stage"):
                name = f"scanscout_{what}_seconds"
                lines += [f"# HELP {name} Seconds of a {what}", f"# TYPE {name} histogram"]
                for (kind, labels), times in sorted(self._times.items(), key=lambda one: one[0]):
                    lines += _histogram(name, labels, times) if kind == what else []
        return "\n".join([*lines, ""])


def _counted(name: str, words: str, counts: Counter[Labels]) -> list[str]:
    rows = [f"{name}{_braces(labels)} {number}" for labels, number in sorted(counts.items())]
    return [f"# HELP {name} {words}", f"# TYPE {name} counter", *rows]


def _histogram(name: str, labels: Labels, times: _Times) -> list[str]:
    rows, so_far = [], 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), times.counts, strict=True):
        so_far += count
        rows.append(f"{name}_bucket{_braces((*labels, ('le', bound)))} {so_far}")
    rows.append(f"{name}_sum{_braces(labels)} {times.total:.6f}")
    return [*rows, f"{name}_count{_braces(labels)} {so_far}"]


def _braces(labels: Labels) -> str:
    """Labels as the format writes them, with its three escapes."""
    escaped = (
        (key, value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))
        for key, value in labels
    )
    return "{" + ",".join(f'{key}="{value}"' for key, value in escaped) + "}"
