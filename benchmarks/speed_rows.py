"""Rows of the speed table, and the goals they are compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from benchmarks.cold import Start

HEAD = "| what | median ms | 95 % ms |\n|---|---|---|"

ENCODE, PLAIN_ENCODE = "query encoding, ours", "query encoding, sentence-transformers"
WHOLE, PLAIN = "whole retrieval, ours", "whole retrieval, plain composition"
RERANKED = "plain composition with a cross-encoder on 50"
LATE, CROSS = "late interaction over 150, ours", "cross-encoder on 50"
RATIOS = (
    (ENCODE, PLAIN_ENCODE, 0.4),
    (WHOLE, PLAIN, 0.5),
    (WHOLE, RERANKED, 0.05),
    (LATE, CROSS, 0.02),
)
"""Numerator, denominator, and the largest ratio allowed."""

COLD = (
    ("first page", "import gradio", 1.3),
    ("search ready", "eager sentence-transformers", 0.3),
)
MIDDLE, SLOWEST, MEMORY = 25.0, 50.0, 400.0
"""Milliseconds of a whole retrieval at the median and at 95 %; megabytes of a second start."""


@dataclass(frozen=True)
class Row:
    """Milliseconds of repeated measurements of one thing."""

    name: str
    values: Sequence[float]

    @property
    def middle(self) -> float:
        """The median."""
        return median(self.values)

    @property
    def high(self) -> float:
        """The 95th percentile."""
        return quantiles(self.values, n=20)[-1]


def lines(rows: Sequence[Row]) -> list[str]:
    """Lines of a Markdown table, one per row."""
    return [f"| {row.name} | {row.middle:.2f} | {row.high:.2f} |" for row in rows]


def goals(rows: Sequence[Row], starts: Mapping[str, Start]) -> list[str]:
    """A Markdown table of the goals: measured value, limit, and whether it was reached."""
    by = {row.name: row for row in rows}
    checks = [(f"{a} / {b}", by[a].middle / by[b].middle, most) for a, b, most in RATIOS]
    checks += [(f"{WHOLE}, median ms", by[WHOLE].middle, MIDDLE)]
    checks += [(f"{WHOLE}, 95 % ms", by[WHOLE].high, SLOWEST)]
    checks += [(f"{a} / {b}", starts[a].cpu / starts[b].cpu, most) for a, b, most in COLD]
    ready = starts["search ready"]
    checks += [("second start, ready, MB in memory", ready.memory, MEMORY)]
    checks += [("second start, torch imported", float(ready.torch), 0.0)]
    body = [
        f"| {name} | {value:.3g} | {most:g} | {'yes' if value <= most else 'no'} |"
        for name, value, most in checks
    ]
    return ["| goal | measured | at most | reached |", "|---|---|---|---|", *body]
