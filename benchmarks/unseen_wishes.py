"""Wishes on requests that nothing is tuned on, judged by the fields of the records alone.

``python -m benchmarks.unseen_wishes`` prints a row with wishes read and one with them searched as
words. The judge shares no code with the stage that it judges: see tests/data/unseen/README.md for
what a value means.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.wishes import FIRST, muted_wishes, ready_engine
from retrieval import Engine, parse_query, read_settings
from retrieval.settings import ROOT

SETS = tuple(
    ROOT / "tests" / "data" / "unseen" / f"{name}.jsonl"
    for name in ("wishes", "wishes_2", "wishes_3", "wishes_4")
)
"""Totals of the first two were looked at while the reader was written; those of the first three,
and no request of the third, when it was chosen for which wishes a tool for something else pays."""

SUITES = frozenset({"fsl", "freesurfer", "spm", "ants", "mrtrix3", "monai", "3d_slicer"})
PERMISSIVE = re.compile(r"MIT|BSD|Apache-2\.0|CC0-1\.0|public.?domain|Unlicense", re.IGNORECASE)
GPL = re.compile(r"(?<!L)GPL")
NO_COMMERCE = re.compile(r"-NC\b|non-?commercial|academic|research", re.IGNORECASE)

Row = Mapping[str, Any]

STRICT, OTHER_WAY, WHOLE = "strict", "other way", "whole"
"""How a tool is judged: by the fields that a wish is about, a ruled-out interface against every
tool that offers it ("no Docker" against a tool that pip installs as well); the same, but against
those that offer no other way; by the labels of the set, which its author made from the whole
records of the tools of the task (a docker line of ``install`` is a container, a plug-in runs where
its host does)."""


def holds(record: Row, wish: Row, suites: Mapping[str, str]) -> bool | None:
    """Whether a record states a value of a wish; None where it does not state the field."""
    values = wish["value"] if isinstance(wish["value"], list) else [wish["value"]]
    field = wish["field"]
    if field == "tool":
        wanted = {suites[value] for value in values if value in SUITES and value in suites}
        return record["id"] in values or record.get("suite") in wanted
    if field == "gpu" and values == ["used"]:
        return record.get("gpu") is not None or None
    stated = record.get(field)
    if not stated:
        return None
    if field == "last_release":
        return any(stated[:4] >= str(value).lstrip(">=") for value in values)
    if field == "license":
        return any(_is_licence(record, str(value)) for value in values)
    return not set(values).isdisjoint(stated if isinstance(stated, list) else (stated,))


def _is_licence(record: Row, value: str) -> bool:
    licence, weights = record["license"], record.get("license_weights") or ""
    classes = {
        "permissive": bool(PERMISSIVE.search(licence)),
        "GPL": bool(GPL.search(licence)),
        "noncommercial": bool(NO_COMMERCE.search(f"{licence} {weights}")),
        "commercial use": not NO_COMMERCE.search(f"{licence} {weights}"),
    }
    return classes.get(value, bool(licence == value))


def verdict(
    record: Row, wishes: Sequence[Row], suites: Mapping[str, str], *, by_other_way: bool = False
) -> bool | None:
    """True where a record states every wish, False where it states the opposite of one.

    ``by_other_way``: a tool that is run in containers and without them meets "no containers".
    """
    verdicts = []
    for wish in wishes:
        stated = holds(record, wish, suites)
        unwanted = wish.get("strength") == "unwanted"
        if by_other_way and unwanted and stated and wish["field"] == "interfaces":
            ruled_out = wish["value"] if isinstance(wish["value"], list) else [wish["value"]]
            stated = set(record["interfaces"]) <= set(ruled_out)
        verdicts.append(stated if stated is None or not unwanted else not stated)
    return False if False in verdicts else None if None in verdicts else True


def counted(
    engine: Engine, records: Mapping[str, Row], path: Path, *, as_words: bool
) -> Counter[str | tuple[str, str]]:
    """Counts over all requests of a set without a contradiction; of a way with its name."""
    counts: Counter[str | tuple[str, str]] = Counter()
    suites = {id: record["suite"] for id, record in records.items() if record.get("suite")}
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        if row.get("contradiction"):
            continue
        text, wishes = row["query"], row["wishes"]
        muted = muted_wishes(engine.current().wishes, text) if as_words else ()
        answer = engine.run(parse_query(text, muted_tokens=muted))
        first = [candidate.tool.id for candidate in answer.candidates[:FIRST]]
        counts["requests"] += 1
        counts["places"] += len(first)
        for way in (STRICT, OTHER_WAY):
            judged = {
                id: verdict(records[id], wishes, suites, by_other_way=way == OTHER_WAY)
                for id in {*first, *row["task_tools"]} & records.keys()
            }
            could = {id for id in row["task_tools"] if judged.get(id) is True}
            counts[way, "could"] += min(FIRST, len(could))
            counts[way, "both"] += len(could.intersection(first))
            counts[way, "against"] += sum(judged[id] is False for id in first)
            if way == OTHER_WAY and "could" in row:
                counts.update(_by_author(row, first, judged))
    return counts


def _by_author(
    row: Row, first: Sequence[str], judged: Mapping[str, bool | None]
) -> Counter[str | tuple[str, str]]:
    """Counts by the labels of the author; tools of other tasks, without one, by the fields."""
    could, against, task_tools = set(row["could"]), set(row["against"]), set(row["task_tools"])
    others = (id for id in first if id not in task_tools)
    return Counter(
        {
            (WHOLE, "could"): min(FIRST, len(could)),
            (WHOLE, "both"): len(could.intersection(first)),
            (WHOLE, "against"): len(against.intersection(first))
            + sum(judged[id] is False for id in others),
        }
    )


def report(engine: Engine) -> list[str]:
    """The table, as lines of Markdown."""
    catalog = read_settings(None).catalog
    records = {r["id"]: r for r in map(json.loads, catalog.read_text("utf-8").splitlines())}
    lines = [
        "| requests | wishes are | task and wish, of the places that could | violations "
        "| both, where another way counts | both, by whole records |",
        "|---|---|---|---|---|---|",
    ]
    for path, as_words in product(SETS, (True, False)):
        counts = counted(engine, records, path, as_words=as_words)
        cells = [
            f"{counts[way, 'both'] / counts[way, 'could']:.2f} of {counts[way, 'could']}"
            f"{separator}{counts[way, 'against'] / counts['places']:.3f} of {counts['places']}"
            if counts[way, "could"]
            else "-"
            for way, separator in ((STRICT, " | "), (OTHER_WAY, ", "), (WHOLE, ", "))
        ]
        read = "searched as words" if as_words else "read"
        lines.append(f"| {path.stem} ({counts['requests']}) | {read} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    print("\n".join(report(ready_engine())))
