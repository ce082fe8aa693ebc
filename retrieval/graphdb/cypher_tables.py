"""The statements and the tables (CSV) that fill a Cypher store with a base of facts.

CSV tables take a ninth of the memory of data frames: the store allocates 40 MB for each data
frame and frees it only at the end.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path

from retrieval.graph import FactBase

DETAILS = ("license", "gpu", "url", "last_release", "domain", "suite")

_FORM = "header=false, auto_detect=false, parallel=false, delim=',', quote='\"', escape='\"'"
"""Read by one thread: only then may quoted texts contain line ends."""


def label_of(kind: str) -> str:
    """``go_term`` is the label GoTerm."""
    return "".join(part.capitalize() for part in re.split(r"\W+|_", kind)) or "Node"


def relation_of(relation: str) -> str:
    """A relation as a type: letters, digits and underscores."""
    return re.sub(r"\W+", "_", relation).strip("_") or "related_to"


def node_statements(base: FactBase, folder: Path) -> Iterator[str]:
    """One table per kind; its rows are written to the folder as the statements are read.

    A lazy generator: each CSV file exists once its COPY statement is yielded.
    """
    kinds: defaultdict[str, list[list[str | None]]] = defaultdict(list)
    for item in sorted(base.items.values(), key=lambda i: i.id):
        more = [item.details.get(d) for d in DETAILS] if item.kind == "tool" else []
        kinds[item.kind].append([item.id, item.label, *more])
    for number, kind in enumerate(sorted(kinds)):
        columns = ["id", "name", *(DETAILS if kind == "tool" else ())]
        typed = ", ".join(f"`{c}` STRING" for c in columns)
        table = f"`{label_of(kind)}`"
        yield f"CREATE NODE TABLE {table}({typed}, PRIMARY KEY(`id`))"
        name = _written(folder / f"nodes-{number}.csv", kinds[kind])
        yield f"COPY {table} FROM '{name}' ({_FORM})"


def edge_statements(base: FactBase, folder: Path) -> Iterator[str]:
    """One table per relation, filled for each pair of labels that it joins."""
    pairs: defaultdict[str, defaultdict[tuple[str, str], list[tuple[str, str]]]]
    pairs = defaultdict(lambda: defaultdict(list))
    for head, relation, tail in base.triples():
        joined = (label_of(base.kind(head)), label_of(base.kind(tail)))
        pairs[relation_of(relation)][joined].append((head, tail))
    numbers = count()
    for relation in sorted(pairs):
        ends = ", ".join(f"FROM `{a}` TO `{b}`" for a, b in sorted(pairs[relation]))
        yield f"CREATE REL TABLE `{relation}`({ends})"
        for (a, b), rows in sorted(pairs[relation].items()):
            which = f", from='{a}', to='{b}'" if len(pairs[relation]) > 1 else ""
            name = _written(folder / f"edges-{next(numbers)}.csv", rows)
            yield f"COPY `{relation}` FROM '{name}' ({_FORM}{which})"


def _written(path: Path, rows: Iterable[Sequence[str | None]]) -> str:
    """The name of a new CSV file; a missing value is an empty field without quotes."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as handle:
        handle.writelines(",".join(map(_quoted, row)) + "\n" for row in rows)
    return path.name


def _quoted(value: str | None) -> str:
    return "" if value is None else '"' + value.replace('"', '""') + '"'
