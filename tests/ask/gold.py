"""What the records say to a question, worked out from the records alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.core.types import Tool

QUESTIONS = Path(__file__).parent.parent / "data" / "ask_questions.jsonl"
Row = Mapping[str, Any]


def questions(kind: str) -> list[Row]:
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines() if line]
    return [row for row in rows if row["set"] == kind]


def gold(row: Row, tools: Mapping[str, Tool]) -> frozenset[str]:
    """Ids of tools, or values of the fields asked for."""
    if "of" in row:
        return frozenset(v for f in row["fields"] for v in _values(tools[row["of"]], f))
    if "required_by" in row:
        kept = set(tools[row["required_by"]].requires_tool) & set(tools)
    elif "near" in row:
        field, other = row["near"]
        kept = set(_values(tools[other], field)) & set(tools)
        kept |= {t.id for t in tools.values() if other in _values(t, field)}
    else:
        kept = set(tools)
    conditions = row.get("all", [])
    return frozenset(i for i in kept if all(_holds(tools[i], c, tools) for c in conditions))


def _values(tool: Tool, field: str) -> Sequence[str]:
    value = getattr(tool, field)
    if value is None:
        return ()
    return (str(value),) if isinstance(value, str) else tuple(str(v) for v in value)


def _holds(tool: Tool, condition: Sequence[str], tools: Mapping[str, Tool]) -> bool:
    field, *wanted = condition
    if field == "open":
        licence = tool.license or "LicenseRef-unknown"
        return "LicenseRef" not in licence and "-NC" not in licence
    if field == "converts":
        return any(_within((c.before, c.after), wanted) for c in tool.converts)
    if field == "converts_for":
        ends = [(wanted[0], str(end)) for end in tools[wanted[1]].formats_in]
        return any(_within((c.before, c.after), end) for c in tool.converts for end in ends)
    if field == "writes_for":
        other = tools[wanted[0]]
        return other.id != tool.id and bool(set(tool.formats_out) & set(other.formats_in))
    if field == "reads_from":
        other = tools[wanted[0]]
        return other.id != tool.id and bool(set(tool.formats_in) & set(other.formats_out))
    return bool(set(wanted) & set(_values(tool, field)))


def _within(pair: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a pair has these ends; an empty one is any format."""
    return all(end in ("", str(code)) for code, end in zip(pair, wanted, strict=True))
