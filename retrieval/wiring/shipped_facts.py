"""What the shipped catalog tells of the tools of another one, found by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from retrieval.catalog import Record
from retrieval.core import Tool
from retrieval.lexical import SHORTEST, folded, lexical_text, tokenise
from retrieval.settings import ROOT

SHIPPED = ROOT / "assets" / "catalog" / "tools.jsonl"

ALIKE = 2
"""So many words beside the name are to be in both texts: other tools bear the same name."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line of the shipped catalog that is read whole only where it is needed."""

    description: str
    text: str

    def tool(self) -> Tool:
        return Record.model_validate_json(self.text).tool()


def told_elsewhere(tools: Sequence[Tool]) -> Mapping[str, Tool]:
    """By id the shipped record of the same name, where it tells something else."""
    shipped = _shipped()
    pairs = ((tool, shipped.get(folded(tool.name))) for tool in tools)
    others = {t.id: (t, line.tool()) for t, line in pairs if line and _differs(t, line)}
    return {tool_id: other for tool_id, (tool, other) in others.items() if same(tool, other)}


def _differs(tool: Tool, line: _Line) -> bool:
    return tool.description != line.description


def same(tool: Tool, other: Tool) -> bool:
    """Whether two records of one name are of one tool, as far as their words tell.

    A text that is hardly longer than the name speaks neither for nor against it.
    """
    name = {*tokenise(tool.name), folded(tool.name)}
    own = set(tokenise(tool.description)) - name
    return len(own) < 2 * ALIKE or len(own & set(tokenise(lexical_text(other)))) >= ALIKE


def completed(tool: Tool, other: Tool | None) -> Tool:
    """The record with the words and facts of the other one added; for tables, not for display."""
    if other is None:
        return tool
    return replace(
        tool,
        description=f"{tool.description} {other.description}",
        keywords=_both(tool.keywords, other.keywords),
        tasks=_both(tool.tasks, other.tasks),
        modalities=_both(tool.modalities, other.modalities),
        anatomy=_both(tool.anatomy, other.anatomy),
    )


def _both(own: Sequence[Value], other: Sequence[Value]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys((*own, *other)))


@cache
def _shipped() -> Mapping[str, _Line]:
    try:
        lines = SHIPPED.read_text("utf-8").splitlines()
    except OSError:
        return {}
    read = ((json.loads(line), line) for line in lines if line.strip())
    pairs = ((folded(row["name"]), row, line) for row, line in read)
    return {
        name: _Line(description=row["description"], text=line)
        for name, row, line in pairs
        if len(name) >= SHORTEST
    }
