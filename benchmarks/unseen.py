"""Requests that nothing is tuned on: ``python -m benchmarks.unseen`` prints a table.

For each kind of wording in tests/data/unseen the share of requests with a right tool first, in
the first three and in the first eight, with 95 % intervals of Wilson's score method.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from math import sqrt
from typing import Any

from benchmarks.wishes import ready_engine
from retrieval import Engine
from retrieval.settings import ROOT

FOLDER = ROOT / "tests" / "data" / "unseen"
SETS = (
    *("plain", "hard", "plain_2", "hard_2", "letters", "plain_3", "hard_3", "plain_4", "hard_4"),
)
PLACES = (1, 3, 8)
Z = 1.96


def interval(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, 1927)."""
    share, square = hits / count, Z * Z / count
    middle = (share + square / 2) / (1 + square)
    half = Z * sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return middle - half, middle + half


def place(engine: Engine, row: dict[str, Any], mode: str) -> int | None:
    """The place (from 1) of the first right tool in the final list; None without one."""
    right = set(row["right"])
    shown = [candidate.tool.id for candidate in engine.run(row["query"], mode=mode).candidates]
    return next((n for n, tool in enumerate(shown, start=1) if tool in right), None)


def table(engine: Engine, mode: str) -> str:
    """One row for each set, and for each kind of wording of the hard ones."""
    places: defaultdict[str, list[int | None]] = defaultdict(list)
    for name in SETS:
        for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            at = place(engine, row, mode)
            for group in {name, f"{name}: {row.get('kind', '')}".rstrip(": ")}:
                places[group].append(at)
    heads = " | ".join(f"in {n}" if n > 1 else "first" for n in PLACES)
    lines = [f"| requests | count | {heads} |", "|---|---|" + "---|" * len(PLACES)]
    for group, found in sorted(places.items()):
        cells = []
        for most in PLACES:
            hits = sum(at is not None and at <= most for at in found)
            low, high = interval(hits, len(found))
            cells.append(f"{hits / len(found):.3f} [{low:.2f}, {high:.2f}]")
        lines.append(f"| {group} | {len(found)} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", default="hybrid")
    mode = parser.parse_args().mode
    print(table(ready_engine(), mode))
