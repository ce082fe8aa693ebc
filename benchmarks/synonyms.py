"""How far lists agree for requests that differ by a synonym: ``python -m benchmarks.synonyms``.

A row of a file: ``{"id", "queries": [one, other]}``. Both mean the same, so that their first FIRST
tools should be the same ones; printed is for how many pairs at least COMMON of them are.
The pairs of ``synonyms_kept.jsonl`` are for measuring alone: nothing is tuned on them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval import Engine, open_engine, read_settings
from retrieval.settings import ROOT

FIRST, COMMON = 5, 4
SETS = tuple(ROOT / "tests" / "data" / f"synonyms_{name}.jsonl" for name in ("tuning", "kept"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A pair of requests, and the first tools of both lists."""

    queries: tuple[str, str]
    first: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def common(self) -> int:
        """How many tools stand in both."""
        return len(set(self.first[0]) & set(self.first[1]))


def agreements(engine: Engine, path: Path, mode: str = "hybrid") -> tuple[Agreement, ...]:
    """The pairs of a file, in its order, with the first tools of each."""

    def first(query: str) -> tuple[str, ...]:
        return tuple(c.tool.id for c in engine.run(query, mode=mode).candidates[:FIRST])

    rows = map(json.loads, path.read_text("utf-8").splitlines())
    pairs = (tuple(row["queries"]) for row in rows)
    return tuple(
        Agreement(queries=(one, other), first=(first(one), first(other))) for one, other in pairs
    )


def agreed(pairs: Sequence[Agreement]) -> int:
    """The number of pairs with at least COMMON tools in both lists."""
    return sum(pair.common >= COMMON for pair in pairs)


def main() -> None:
    """Print a table of the sets, and with ``--rows`` the pairs of the tuning set that disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--only", choices=("tuning", "kept"))
    args = parser.parse_args()
    engine = open_engine(read_settings(None))
    if not engine.wait(900):
        raise SystemExit("the engine did not get ready within 900 s")
    print(f"| pairs | count | {COMMON} of {FIRST} in common | same first | mean in common |")
    print("|---|---|---|---|---|")
    for path in SETS:
        name = path.stem.removeprefix("synonyms_")
        if args.only not in (None, name):
            continue
        pairs = agreements(engine, path, args.mode)
        same = sum(pair.first[0][:1] == pair.first[1][:1] for pair in pairs)
        mean = sum(pair.common for pair in pairs) / len(pairs)
        print(f"| {name} | {len(pairs)} | {agreed(pairs)} | {same} | {mean:.2f} |")
        if args.rows and name == "tuning":
            for pair in pairs:
                if pair.common < COMMON:
                    print(pair.common, *pair.queries, *map(" ".join, pair.first), sep="\n   ")


if __name__ == "__main__":
    main()
