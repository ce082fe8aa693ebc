"""Wishes on requests that nothing is tuned on, judged by the fields of the records alone.

``python -m benchmarks.unseen_wishes`` prints a row with wishes read and one with them searched as
words. The judge shares no code with the stage that it judges: see tests/data/unseen/README.md for
what a value means.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.wishes import FIRST, muted_wishes, ready_engine
from retrieval import Engine, parse_query, read_settings
from retrieval.settings import ROOT

UNSEEN = ROOT / "tests" / "data" / "unseen"

SETS = tuple(
    UNSEEN / f"{name}.jsonl"
    for name in ("wishes", "wishes_2", "wishes_3", "wishes_4", "wishes_5", "wishes_6")
)
"""Totals of the first two were looked at while the reader was written; those of the first three,
and no request of the third, when it was chosen for which wishes a tool for something else pays."""

PAIRS = UNSEEN / "judged_pairs.jsonl"
"""Requests with a tool each that their authors did not list, judged by its whole record."""

SUITES = frozenset({"fsl", "freesurfer", "spm", "ants", "mrtrix3", "monai", "3d_slicer"})
PERMISSIVE = re.compile(r"MIT|BSD|Apache-2\.0|CC0-1\.0|public.?domain|Unlicense", re.IGNORECASE)
GPL = re.compile(r"(?<!L)GPL")
NO_COMMERCE = re.compile(r"-NC\b|non-?commercial|academic|research", re.IGNORECASE)

Row = Mapping[str, Any]

STRICT, WHOLE, POOLED = "strict", "whole", "pooled"
"""How a tool is judged: by the fields that a wish is about ("no Docker" fails what pip installs as
well); by labels made from the whole records of the tools of the task (a docker line of ``install``
is a container, a plug-in runs where its host does), other tools by the fields; the same, with PAIRS
judged likewise, for no author lists every tool (pooled judgements, as in TREC's test collections).
"""

Judged = Mapping[str, Mapping[str, Row]]
"""Of a request, by the id of a tool: whether it does the task, and what it states of the wishes."""


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


def verdict(record: Row, wishes: Sequence[Row], suites: Mapping[str, str]) -> bool | None:
    """True where a record states every wish, False where it states the opposite of one."""
    verdicts = []
    for wish in wishes:
        stated = holds(record, wish, suites)
        verdicts.append(
            stated if stated is None or wish.get("strength") != "unwanted" else not stated
        )
    return False if False in verdicts else None if None in verdicts else True


def judged_pairs(path: Path = PAIRS) -> Judged:
    """The judgements of a file, by request and tool."""
    pairs: defaultdict[str, dict[str, Row]] = defaultdict(dict)
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        pairs[row["query"]][row["tool"]] = row
    return pairs


def counted(
    engine: Engine, records: Mapping[str, Row], path: Path, pairs: Judged, *, as_words: bool
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
        of_field = {
            id: verdict(records[id], wishes, suites)
            for id in {*first, *row["task_tools"]} & records.keys()
        }
        counts["requests"] += 1
        counts["places"] += len(first)
        for way, could, against in tools_by_way(row, first, of_field, pairs):
            counts[way, "could"] += min(FIRST, len(could))
            counts[way, "both"] += len(could.intersection(first))
            counts[way, "against"] += len(against.intersection(first))
    return counts


def tools_by_way(
    row: Row, first: Sequence[str], of_field: Mapping[str, bool | None], pairs: Judged
) -> Iterator[tuple[str, set[str], set[str]]]:
    """By each way the tools that do the task as wished, and those against a wish."""
    listed = set(row["task_tools"])
    failing = {id for id in first if of_field[id] is False}
    yield STRICT, {id for id in listed if of_field.get(id) is True}, failing
    could, against = set(row["could"]), set(row["against"]) | failing - listed
    yield WHOLE, could, against
    of_query = pairs.get(row["query"], {})
    judged = {id: one for id, one in of_query.items() if id not in listed}
    serving = {id for id, one in judged.items() if one["task"] and one["wishes"] == "meets"}
    opposed = {id for id, one in judged.items() if one["wishes"] == "against"}
    yield POOLED, could | serving, against - judged.keys() | opposed


def report(engine: Engine) -> list[str]:
    """The table, as lines of Markdown; the last row has all sets together."""
    catalog, pairs = read_settings(None).catalog, judged_pairs()
    records = {r["id"]: r for r in map(json.loads, catalog.read_text("utf-8").splitlines())}
    lines = [
        "| requests | wishes are | task and wish, of the places that could | violations "
        "| both, by whole records | both, pooled |",
        "|---|---|---|---|---|---|",
    ]
    total: Counter[str | tuple[str, str]] = Counter()
    for path, as_words in product(SETS, (True, False)):
        counts = counted(engine, records, path, pairs, as_words=as_words)
        read = "searched as words" if as_words else "read"
        lines.append(_line(f"{path.stem} ({counts['requests']})", read, counts))
        total += Counter() if as_words else counts
    return [*lines, _line(f"together ({total['requests']})", "read", total)]


def _line(name: str, read: str, counts: Counter[str | tuple[str, str]]) -> str:
    cells = [
        f"{counts[way, 'both'] / counts[way, 'could']:.3f} of {counts[way, 'could']}"
        f"{separator}{counts[way, 'against'] / counts['places']:.3f} of {counts['places']}"
        for way, separator in ((STRICT, " | "), (WHOLE, ", "), (POOLED, ", "))
    ]
    return f"| {name} | {read} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(report(ready_engine())))
