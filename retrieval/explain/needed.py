"""Tools that the listed tools need before they work, each with where that is stated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.core import Tool

Source = Callable[[str, str], str]
"""The address where a tool's record has a field from; empty where none is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A prerequisite: the listed tools that need it, in their order, and where the first says so.

    ``source`` is None where the record names none.
    """

    id: str
    name: str
    needed_by: tuple[str, ...]
    source: str | None


def also_needed(
    listed_tools: Sequence[Tool], tools: Mapping[str, Tool], source: Source = lambda tool, field: ""
) -> tuple[Needed, ...]:
    """The prerequisites of the listed tools that are in the catalog, in the order of the list.

    A prerequisite that is itself listed is one all the same: it is installed first.
    """
    needed_by: dict[str, list[str]] = {}
    for tool in listed_tools:
        for prerequisite in tool.requires_tool:
            if prerequisite in tools and prerequisite != tool.id:
                needed_by.setdefault(prerequisite, []).append(tool.id)
    return tuple(
        Needed(
            id=one,
            name=tools[one].name,
            needed_by=tuple(by),
            source=source(by[0], "requires_tool") or None,
        )
        for one, by in needed_by.items()
    )
