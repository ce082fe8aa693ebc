"""Facts of the shipped catalog about tools of another catalog, matched by name."""

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
"""Words beside the name that both texts must share: different tools have the same name."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line of the shipped catalog; ``tool`` parses all of it, which only some lines need."""

    description: str
    text: str

    def tool(self) -> Tool:
        return Record.model_validate_json(self.text).tool()


def shipped_namesakes(tools: Sequence[Tool]) -> Mapping[str, Tool]:
    """By tool id the shipped record of the same name, where its description differs."""
    shipped = _shipped()
    pairs = ((tool, shipped.get(folded(tool.name), ())) for tool in tools)
    others = {
        tool.id: (tool, lines[0].tool())
        for tool, lines in pairs
        if lines and all(tool.description != line.description for line in lines)
    }
    return {tool_id: other for tool_id, (tool, other) in others.items() if same(tool, other)}


def same(tool: Tool, other: Tool) -> bool:
    """Whether two records of one name describe one tool: they share ALIKE words beside the name.

    A description with too few words beside the name to decide counts as the same tool.
    """
    name = {*tokenise(tool.name), folded(tool.name)}
    own = set(tokenise(tool.description)) - name
    return len(own) < 2 * ALIKE or len(own & set(tokenise(lexical_text(other)))) >= ALIKE


def completed(tool: Tool, other: Tool | None) -> Tool:
    """The record with words and facts of the other one added; for tables, not for display."""
    if other is None:
        return tool
    return replace(
        tool,
        description=f"{tool.description} {other.description}",
        keywords=_both(tool.keywords, other.keywords),
        asked_as=_both(tool.asked_as, other.asked_as),
        tasks=_both(tool.tasks, other.tasks),
        modalities=_both(tool.modalities, other.modalities),
        anatomy=_both(tool.anatomy, other.anatomy),
    )


def _both(own: Sequence[Value], other: Sequence[Value]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys((*own, *other)))


@cache
def _shipped() -> Mapping[str, Sequence[_Line]]:
    try:
        lines = SHIPPED.read_text("utf-8").splitlines()
    except OSError:
        return {}
    read = ((json.loads(line), line) for line in lines if line.strip())
    pairs = ((folded(row["name"]), row, line) for row, line in read)
    shipped: dict[str, list[_Line]] = {}
    for name, row, line in pairs:
        if len(name) >= SHORTEST:  # names may fold alike: CellViT, CellViT++
            shipped.setdefault(name, []).append(_Line(description=row["description"], text=line))
    return shipped
