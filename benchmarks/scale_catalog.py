"""A catalog of any size out of the words of the shipped one; the same size gives the same file."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

LISTS = ("tasks", "modalities", "dimensions", "formats_in", "formats_out", "anatomy")
CLAUSES, LINKED = 3, 0.2
"""Clauses per description, and the share of records that require another tool."""


def write_catalog(shipped: Path, target: Path, records: int) -> None:
    """Write ``records`` records, one per line, from clauses, names and facts of one domain each."""
    with target.open("w", encoding="utf-8") as handle:
        for row in recombined(shipped_rows(shipped), records):
            handle.write(json.dumps(row, ensure_ascii=False) + "\n")


def recombined(rows: list[dict[str, Any]], records: int) -> Iterator[dict[str, Any]]:
    """Rows that combine parts of rows of the same domain; the same count gives the same rows."""
    chance = Random(records)
    domains: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        domains[row.get("domain") or ""].append(row)
    clauses = {}
    for name, several in domains.items():
        parts = (p.strip() for r in several for p in re.split(r"[.,;:()]", r["description"]))
        clauses[name] = sorted({part for part in parts if 2 <= len(part.split()) <= 12})
    names = sorted({word for row in rows for word in re.findall(r"[A-Za-z]{3,12}", row["name"])})
    for number in range(records):
        domain = rows[number % len(rows)].get("domain") or ""
        yield _row(number, domain, domains[domain], clauses[domain], names, chance)


def _row(
    number: int,
    domain: str,
    rows: list[dict[str, Any]],
    clauses: list[str],
    names: list[str],
    chance: Random,
) -> dict[str, Any]:
    text = ", ".join(chance.choice(clauses) for _ in range(CLAUSES))
    row: dict[str, Any] = {
        "id": f"tool-{number:07}",
        "name": f"{chance.choice(names)}{chance.choice(names)} {number}",
        "description": f"{text[:1].upper()}{text[1:]}.",
        "domain": domain or None,
        "license": chance.choice(rows).get("license"),
    }
    for field in LISTS:
        row[field] = chance.choice(rows).get(field) or []
    if number and chance.random() < LINKED:
        row["requires_tool"] = [f"tool-{chance.randrange(number):07}"]
    return row


def shipped_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL catalog."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
