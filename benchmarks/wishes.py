"""Wishes about software on labelled requests: ``python -m benchmarks.wishes [FILE...]``.

A row of a file: ``{"query", "task_tools": [ids], "wishes": [{"field", "value", "strength"}]}``. A
tool *could* stand on a place when it does the task and states every wish. Places: those of the
first five that such a tool could fill. Violations: of all first five places, those whose tool
states the opposite of a wish.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval import Engine, open_engine, read_settings
from retrieval.core import Tool, Wish
from retrieval.fit import stated_shares, wish_fit
from retrieval.query import WishReader, parse_query, wish_name
from retrieval.settings import ROOT

FIRST = 5
KINDS = frozenset(stated_shares(()))
"""Kinds of wishes that a record can answer; a label of another kind is not held against it."""

DATA = ROOT / "tests" / "data"
READING = tuple(
    DATA / f"wishes_{name}.jsonl"
    for name in (
        *("reading", "paraphrases", "requests"),
        *("twenty_kept", "named_kept", "everyday_kept"),
    )
)
"""Requests of six languages with the wishes that each states, to tune the reader on; the rows
marked ``kept`` were not looked at while phrases were added. Each file is another author's. Nothing
was learned from the last three, and nobody looked at their requests: wishes in words of the
writer's own, what is wished of names, and names that belong to the story (from which probability
on a name is no wish was chosen by the totals of these)."""

SETS = (DATA / "wishes_tuning.jsonl",)
"""The unseen set names fields of records, not kinds of wishes: it needs a reader of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A labelled request."""

    query: str
    task_tools: frozenset[str]
    wishes: tuple[Wish, ...]


def requests_of(path: Path) -> tuple[Request, ...]:
    """The requests of a file, in its order."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return tuple(
        Request(
            query=row["query"],
            task_tools=frozenset(row.get("task_tools", ())),
            wishes=tuple(map(_wish, row["wishes"])),
        )
        for row in rows
    )


def _wish(row: Mapping[str, Any]) -> Wish:
    return Wish(
        kind=row["field"], value=str(row["value"]), text="", strength=row.get("strength", "wanted")
    )


def verdicts(tool: Tool, request: Request) -> tuple[str, ...]:
    """What a tool states about each wish of a request."""
    return tuple(wish_fit(tool, wish).verdict for wish in request.wishes if wish.kind in KINDS)


def measured(engine: Engine, requests: Sequence[Request], *, as_words: bool) -> Counter[str]:
    """Counts over all requests; with ``as_words`` wishes are searched and not read."""
    counts: Counter[str] = Counter()
    reader = engine.current().wishes
    for request in requests:
        muted = muted_wishes(reader, request.query) if as_words else ()
        answer = engine.run(parse_query(request.query, muted_tokens=muted))
        first = [c.tool for c in answer.candidates[:FIRST]]
        could = {
            id
            for id in request.task_tools & engine.catalog.keys()
            if set(verdicts(engine.catalog[id], request)) == {"pass"}
        }
        counts["could"] += min(FIRST, len(could))
        counts["both"] += sum(tool.id in could for tool in first)
        counts["places"] += len(first)
        counts["violations"] += sum("fail" in verdicts(tool, request) for tool in first)
        counts["requests"] += 1
        understood = {(w.kind, w.value, w.strength) for w in answer.query.wishes}
        counts["wishes"] += len(request.wishes)
        counts["read"] += sum((w.kind, w.value, w.strength) in understood for w in request.wishes)
    return counts


def muted_wishes(reader: WishReader, text: str) -> tuple[str, ...]:
    """The names that switch off every wish of a text."""
    return tuple(wish_name(mention.wish) for mention in reader.mentions(text))


def report(engine: Engine, sets: Sequence[Path] = SETS) -> list[str]:
    """The table, one row a set and way of reading; sets that are not there are left out."""
    reader = engine.current().wishes
    lines = [
        line for path in READING if path.is_file() for line in (*reading_table(reader, path), "")
    ]
    lines += [
        "| requests | wishes are | read as labelled | task and wish, of the places that could "
        "| violations in the first five |",
        "|---|---|---|---|---|",
    ]
    for path in sets:
        requests = requests_of(path) if path.is_file() else ()
        for as_words in (True, False) if requests else ():
            got = measured(engine, requests, as_words=as_words)
            read = "" if as_words else f"{got['read'] / got['wishes']:.2f}"
            both = f"{got['both'] / max(1, got['could']):.2f} of {got['could']}"
            against = f"{got['violations'] / max(1, got['places']):.3f} of {got['places']}"
            way = "searched as words" if as_words else "read"
            name = f"{path.stem} ({got['requests']})"
            lines.append(f"| {name} | {way} | {read} | {both} | {against} |")
    return lines


def reading_table(reader: WishReader, path: Path) -> list[str]:
    """How the wishes of labelled requests are read, whatever the search makes of them."""
    counts: Counter[str] = Counter()
    requests = requests_of(path)
    for request in requests:
        got = {(m.wish.kind, m.wish.value, m.wish.strength) for m in reader.mentions(request.query)}
        labelled = {(w.kind, w.value, w.strength) for w in request.wishes}
        counts["right"] += got == labelled
        counts["wishes"] += len(labelled)
        counts["read"] += len(labelled & got)
        counts["no wish"] += not labelled
        counts["made up"] += not labelled and bool(got)
    return [
        "| requests | read wholly right | wishes read | made up where there is none |",
        "|---|---|---|---|",
        f"| {path.stem} ({len(requests)}) | {counts['right'] / len(requests):.3f} "
        f"| {counts['read']} of {counts['wishes']} | {counts['made up']} of {counts['no wish']} |",
    ]


def ready_engine() -> Engine:
    """The engine of the shipped catalog, once every stage is there."""
    engine = open_engine(read_settings(None))
    if not engine.wait(900):
        raise SystemExit("the engine did not get ready within 900 s")
    return engine


def main() -> None:
    """Print the table for the files named, or for the project's own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[])
    args = parser.parse_args()
    print("\n".join(report(ready_engine(), args.files or SETS)))


if __name__ == "__main__":
    main()
